import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';

describe('extractAnswer', () => {
  it.each([
    ['think...\nFINAL ANSWER: 17', '17'],
    ['**FINAL ANSWER:** 17', '17'],
    ['Final answer: [red, green]', 'red, green'],
    ['FINAL ANSWER: 3\nwait\nFINAL ANSWER: 4', '4'],
    ['FINAL ANSWER:\n42', '42'],
    ['FINAL ANSWER: "Paris".', '"Paris".'],
    ['FINAL ANSWER:\u00a017', '17'],
    ['my final answer: x. FINAL ANSWER: y', 'y'],
    ['FINAL ANSWER: 2 … checking again … FINAL ANSWER: 3', '3'],
    ['**FINAL ANSWER:** **Riga**', 'Riga'],
    ['**FINAL ANSWER: Riga**', 'Riga'],
    ['**FINAL ANSWER: Riga**.', 'Riga'],
    ['**FINAL ANSWER**: **Riga**.', 'Riga'],
    ['__FINAL ANSWER:__ `Riga`', 'Riga'],
    ['### Final Answer : Riga.', 'Riga'],
    ['final  answer ：Riga', 'Riga'],
    ['FINAL\nANSWER: Riga', 'Riga'],
    ['FINAL ANSWER:**Riga**', 'Riga'],
    ['**FINAL ANSWER:**Riga', 'Riga'],
    ['**FINAL ANSWER:**\r\n\r\n**Riga**\r\nmore', 'Riga'],
    ['FINAL ANSWER: **[red, green]**.', 'red, green'],
    ['FINAL ANSWER: "red", "green"', '"red", "green"'],
    ['FINAL ANSWER: [1], [2]', '[1], [2]'],
    ['FINAL ANSWER: U.S.', 'U.S.'],
    ['FINAL ANSWER: wait...', 'wait...'],
    ['FINAL ANSWER: 1,234.50', '1,234.50'],
    ['FINAL ANSWER: A*', 'A*'],
    ['FINAL ANSWER: C++', 'C++'],
    ['FINAL ANSWER: 0', '0'],
    ['<think>FINAL ANSWER: 4?</think> FINAL ANSWER: 5', '5'],
    ['so FINAL ANSWER: 4</think>\nFINAL ANSWER: 5', '5'],
    ['FINAL ANSWER: 5\nI was told to write FINAL ANSWER: [YOUR FINAL ANSWER]', '5'],
    ['FINAL ANSWER: 北京🌍', '北京🌍'],
  ])('takes %j as %j', (output, answer) => {
    expect(extractAnswer(output)).toEqual({ answer, rule: 'marker', noMarker: false });
  });

  it('passes the last line that is not empty when there is no marker, and says so', () => {
    expect(extractAnswer('Well.\nThe answer is 17\n \n')).toEqual({ answer: 'The answer is 17', rule: 'last-line', noMarker: true });
    expect(extractAnswer('a semifinal answer: 17').noMarker).toBe(true);
  });

  it.each(['', '  \n', undefined, '<think>maybe 4', '<think>FINAL ANSWER: 4'])('finds no answer in %j', (output) => {
    expect(extractAnswer(output)).toEqual({ rule: 'last-line', noMarker: true });
  });

  it.each([
    'end with FINAL ANSWER: <your reply>',
    '"end with FINAL ANSWER: <your reply>"',
    'FINAL ANSWER: ‹answer›',
    'FINAL ANSWER: [YOUR FINAL ANSWER]',
    'FINAL ANSWER: **[your final answer]**. It should be a number',
  ])('takes the echo %j for no answer', (output) => {
    expect(extractAnswer(output)).toEqual({ rule: 'last-line', noMarker: true });
  });

  it('finds nothing behind a marker at the very end, and does not fall back to an answer that was taken back', () => {
    expect(extractAnswer('FINAL ANSWER: 3, no.\nFINAL ANSWER:')).toEqual({ rule: 'marker', noMarker: false });
  });

  it.each([
    ['{"final_answer": "17"}', '17'],
    ['{"final_answer": 17}', '17'],
    ['```json\n{"thoughts": "FINAL ANSWER: 4", "final_answer": ["red", "green"]}\n```', 'red, green'],
    ['{"answer": "FINAL ANSWER: 17"}', '17'],
  ])('reads the field of the structured reply %j', (output, answer) => {
    expect(extractAnswer(output)).toEqual({ answer, rule: 'json', noMarker: false });
  });

  it('reads text that only looks like JSON as text', () => {
    expect(extractAnswer('{"final_answer": "17"')).toEqual({ answer: '{"final_answer": "17"', rule: 'last-line', noMarker: true });
  });

  it.each(['Unable to determine', 'I cannot determine this', 'unknown', 'N/A', 'Insufficient information.'])('marks the abstention %j', (text) => {
    expect(extractAnswer(`FINAL ANSWER: ${text}`).abstained).toBe(true);
  });

  it.each(['The Unknown Soldier', 'Not Found Records', 'Na', 'Unknown Pleasures'])('takes the name %j for an answer', (text) => {
    expect(extractAnswer(`FINAL ANSWER: ${text}`)).toEqual({ answer: text, rule: 'marker', noMarker: false });
  });
});

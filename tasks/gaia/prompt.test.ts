import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';
import { gaiaPrompt } from './prompt.ts';

const ask = (instruction: 'system' | 'user' | 'both', names: string[] = []) =>
  gaiaPrompt({ question: 'How many boats?', attachments: names.map((name) => ({ name })), instruction });

describe('gaiaPrompt', () => {
  it('M1.2: places the instruction in the system slot and at the end of the user text', () => {
    const { systemText, userText, instruction } = ask('both');
    expect(systemText.endsWith(instruction)).toBe(true);
    expect(userText.endsWith(instruction)).toBe(true);
    expect(userText.startsWith('How many boats?')).toBe(true);
  });

  it('M1.2: places it in one of the two when told so', () => {
    expect(ask('system').userText).toBe('How many boats?');
    expect(ask('system').systemText).toContain(ask('system').instruction);
    expect(ask('user').systemText).toBe('');
    expect(ask('user').userText).toBe(ask('both').userText);
  });

  it('names attachments neutrally in the user text only', () => {
    const { systemText, userText } = ask('both', ['attachment-1.pdf', 'attachment-2.csv']);
    expect(userText).toContain('How many boats?\n\nAttached: attachment-1.pdf, attachment-2.csv\n\n');
    expect(systemText).not.toContain('attachment-1');
  });

  it('demands the marker, and an agent that repeats it has not answered', () => {
    expect(ask('both').instruction).toContain('FINAL ANSWER: [YOUR FINAL ANSWER]');
    expect(extractAnswer(ask('both').instruction).noMarker).toBe(true);
  });
});

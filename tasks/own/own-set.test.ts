import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFacts, loadPlans, loadScorers, loadTargets, loadTasks, loadWarmUps } from '../task-set-files.ts';
import { namedOwnSet } from './named-own-set.ts';
import { ensureOwnSet } from './own-set.ts';
import { readQuestions } from './read-jsonl.ts';
import { scoreBy } from './scorers.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'own-set-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let files = 0;
function questions(...lines: readonly (object | string)[]): string {
  const file = join(scratch, `questions-${files++}.jsonl`);
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return file;
}

describe('jsonl:FILE', () => {
  it('needs a question and an answer, and fills in the rest', () => {
    const [first] = readQuestions(questions({ question: 'How many legs has a spider?', answer: 8 }));
    expect(first).toMatchObject({ id: 'q001', type: 'zero-tool', level: 1, truth: '8', scorer: 'gaia', files: [] });
  });

  it('takes a question with files for a document task, and finds them beside the list', () => {
    writeFileSync(join(scratch, 'sales.csv'), 'a,b\n1,2\n');
    const [first] = readQuestions(questions({ question: 'Sum?', answer: '3', files: ['sales.csv'] }));
    expect(first).toMatchObject({ type: 'document', files: [join(scratch, 'sales.csv')] });
  });

  it('tells every bad line at once, by number and with what is wrong', () => {
    const file = questions(
      '{',
      '[]',
      { question: '', answer: 'x' },
      { question: 'Q?', answer: 'x', scorer: 'llm', level: 4, files: ['nowhere.pdf'], hint: 'no' },
    );
    expect(() => readQuestions(file)).toThrow(/line 1: it is no JSON\n.*line 2: .*object\n.*line 3: "question"/s);
    expect(() => readQuestions(file)).toThrow(
      /line 4: there is no field "hint"[\s\S]*nowhere\.pdf[\s\S]*"level"[\s\S]*"scorer" must be one of gaia, exact, words/,
    );
  });

  it('refuses ids that stand twice or cannot be file names, and files without a question', () => {
    expect(() => readQuestions(questions({ id: 'a', question: 'Q?', answer: 'x' }, { id: 'a', question: 'R?', answer: 'y' }))).toThrow(
      /line 2: id "a" stands on line 1 too/,
    );
    expect(() => readQuestions(questions({ id: '../a', question: 'Q?', answer: 'x' }))).toThrow(/"id" must be/);
    expect(() => readQuestions(questions('', ' '))).toThrow(/no line holds a question/);
    expect(() => readQuestions(join(scratch, 'absent.jsonl'))).toThrow(/ENOENT/);
  });

  it('becomes a set that every reader opens, with files under neutral names', async () => {
    writeFileSync(join(scratch, 'report without extension'), '%PDF-1.7\n');
    const file = questions(
      { id: 'a', question: 'First?', answer: 'x', files: ['report without extension'] },
      { id: 'b', question: 'Second?', answer: 'Y', scorer: 'exact' },
    );
    const directory = ensureOwnSet(await namedOwnSet(`jsonl:${file}`, { baseDirectory: '/', seed: 1 }), join(scratch, 'cache'));
    expect(loadTasks(directory)[0]).toMatchObject({ id: 'a', type: 'document', attachments: [{ name: 'attachment-1.pdf' }], template: 'a', steps: 0 });
    expect(JSON.stringify(loadTasks(directory))).not.toContain('report');
    expect([loadTargets(directory).get('a'), loadScorers(directory)]).toEqual(['x', new Map([['b', 'exact']])]);
    expect([loadPlans(directory), loadWarmUps(directory)]).toEqual([[], []]);
    expect(loadFacts(directory)).toMatchObject({ tasks: 2, pages: 0 });
    expect(loadFacts(directory)).not.toHaveProperty('gated');
  });

  it('is another set as soon as a byte of a file is another', async () => {
    const file = questions({ question: 'Sum?', answer: '3', files: ['changing.csv'] });
    const build = async (content: string) => {
      writeFileSync(join(scratch, 'changing.csv'), content);
      return ensureOwnSet(await namedOwnSet(`jsonl:${file}`, { baseDirectory: '/', seed: 1 }), join(scratch, 'cache'));
    };
    expect(await build('1')).not.toBe(await build('2'));
    expect(await build('1')).toBe(await build('1'));
  });

  it('runs the ids of a list in their order, and refuses strangers', async () => {
    const file = questions({ id: 'a', question: 'A?', answer: '1' }, { id: 'b', question: 'B?', answer: '2' }, { id: 'c', question: 'C?', answer: '3' });
    const choose = (text: string) => {
      writeFileSync(join(scratch, 'ids.txt'), text);
      return namedOwnSet(`jsonl:${file}`, { baseDirectory: scratch, seed: 1, ids: 'ids.txt' });
    };
    const chosen = await choose('# mine\nc\n\na\n');
    expect(chosen.questions.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(chosen.name).toMatch(/^jsonl:questions-\d+\.jsonl \(2 of 3, [0-9a-f]{12}\)$/);
    await expect(choose('z')).rejects.toThrow(/unknown ids, the first z/);
    await expect(choose('a\na')).rejects.toThrow(/names a twice/);
    await expect(choose('')).rejects.toThrow(/names no id/);
  });

  it('says what is missing of a name, and of a list of ids', async () => {
    await expect(namedOwnSet('jsonl:', { baseDirectory: scratch, seed: 1 })).rejects.toThrow(/names no file/);
    await expect(namedOwnSet('gaia:', { baseDirectory: scratch, seed: 1 })).rejects.toThrow(/names no folder/);
    const file = questions({ question: 'A?', answer: '1' });
    await expect(namedOwnSet(`jsonl:${file}`, { baseDirectory: scratch, seed: 1, ids: 'absent' })).rejects.toThrow(/absent cannot be read/);
    await expect(namedOwnSet(`jsonl:${file}`, { baseDirectory: scratch, seed: 1, ids: 'absent', select: 'paper-shape' })).rejects.toThrow(/exclude/);
  });
});

describe('scorers of one’s own questions', () => {
  it('are the official one by default, exact text, or the same words', () => {
    expect(scoreBy('gaia', '$1,500', '1500')).toEqual({ rule: 'number', correct: true });
    expect(scoreBy('exact', ' Red ', 'Red').correct).toBe(true);
    expect(scoreBy('exact', 'red', 'Red').correct).toBe(false);
    expect(scoreBy('words', '“Café”, au lait', 'cafe au lait').correct).toBe(true);
    expect(scoreBy('words', 'cafeau lait', 'cafe au lait').correct).toBe(false);
  });

  it.each(['exact', 'words'] as const)('never take a missing answer for right (%s)', (scorer) => {
    expect(scoreBy(scorer, null, 'None').correct).toBe(false);
  });
});

describe('a gated set', () => {
  it('says so, and only its user may open its copy', () => {
    const question = { id: 'x', question: 'Q?', type: 'web', level: 1, files: [], place: 'row 1' } as const;
    const directory = ensureOwnSet({ name: 'gaia:test', seed: 1, questions: [question], gated: true }, join(scratch, 'cache'));
    expect(loadFacts(directory).gated).toBe(true);
    expect(statSync(directory).mode & 0o077).toBe(0);
    expect(readFileSync(join(directory, 'targets.json'), 'utf8').trim()).toBe('[]');
  });
});

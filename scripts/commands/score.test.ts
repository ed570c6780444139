import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { score } from './score.ts';

async function run(input: string | Buffer[]) {
  let out = '';
  const stdin = Readable.from(typeof input === 'string' ? [Buffer.from(input)] : input);
  const write = (text: string) => {
    out += text;
  };
  const io = { stdin, out: write, err: () => {}, terminal: false, columns: 80, signal: new AbortController().signal };
  try {
    return { code: await score.run({ values: {}, positionals: [] }, io), out };
  } catch (error) {
    return { error: error as Error, out };
  }
}
const line = (answer: unknown, target: unknown) => `${JSON.stringify({ answer, target })}\n`;

describe('agentgauge score', () => {
  it('prints one verdict a line, in order', async () => {
    expect(await run(line('$1,500', '1500') + line(null, '0') + line('a;b', 'a, b') + line('Sea gull', 'seagull'))).toEqual({
      code: 0,
      out: '{"correct":true,"rule":"number"}\n{"correct":false,"rule":"number"}\n{"correct":true,"rule":"list"}\n{"correct":true,"rule":"string"}\n',
    });
  });

  it('takes an absent answer for a missing one', async () => {
    expect((await run('{"target":"None"}')).out).toBe('{"correct":true,"rule":"string"}\n');
  });

  it('reads any Unicode text, cut anywhere, with or without a byte-order mark, a last line end and CR', async () => {
    const text = `\ufeff${line('北京🌍\u2028\u2029x', '北京🌍x').trimEnd()}\r\n\n${line('\ud800', '\ud801').trimEnd()}`;
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect((await run(bytes)).out).toBe('{"correct":true,"rule":"string"}\n{"correct":false,"rule":"string"}\n');
  });

  it('keeps what it has judged and names the line that it cannot read', async () => {
    const { error, out } = await run(`${line('1', '1')}\n{"answer": \n`);
    expect(out).toBe('{"correct":true,"rule":"number"}\n');
    expect(error?.message).toMatchInlineSnapshot(`"Line 3 of standard input: it is no JSON: {"answer": "`);
  });

  it.each([
    ['{"answer":"1","target":1}', 'Line 1 of standard input: "target" must be text, found 1'],
    ['{"answer":"1"}', 'Line 1 of standard input: "target" must be text, found nothing'],
    ['{"answer":[1],"target":"1"}', 'Line 1 of standard input: "answer" must be text or null, found [1]'],
    ['[]', 'Line 1 of standard input: expected an object, found []'],
    ['null', 'Line 1 of standard input: expected an object, found null'],
  ])('refuses %s', async (input, message) => {
    expect((await run(input)).error).toMatchObject({ code: 'BAD_LINE', message });
  });

  it('judges a hundred thousand lines in one go', async () => {
    const { out } = await run(line('17', '17').repeat(100_000));
    expect(out.length).toBe('{"correct":true,"rule":"number"}\n'.length * 100_000);
  });
});

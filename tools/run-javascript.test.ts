import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CodePool } from './code-pool.ts';
import type { CodeOutcome } from './code-run.ts';
import { openJavaScriptPool } from './javascript-pool.ts';
import { openTestSet, type TestSet } from './testing.ts';

let set: TestSet;
beforeAll(async () => {
  set = await openTestSet({ 'attachment-1.csv': 'name;tonnes\nAlder;12\nBirch;30\n', 'attachment-2.bin': new Uint8Array([0, 1, 2]) });
});
afterAll(() => set.close());

const text = async (code: string, more: object = {}) => {
  const { status, text } = await set.run('run_javascript', { code, ...more });
  expect(status).toBe(200);
  return text;
};

describe('run_javascript', () => {
  it('gives what a program prints and the value of its last expression', async () => {
    expect(await text('console.log("a", 1, [2, { b: "c" }], null); 6 * 7')).toBe("Output:\na 1 [ 2, { b: 'c' } ] null\nValue: 42");
    expect(await text('const a = 1;')).toBe('The program ended without output. Print what you want to see.');
  });

  it('prints as Node does what programs print most', async () => {
    expect(await text('console.log(-0, 5n, new Map([[1, [2]]]), new Set(["x"]), new Uint8Array(2), [], {}, undefined)')).toBe(
      "Output:\n-0 5n Map(1) { 1 => [ 2 ] } Set(1) { 'x' } Uint8Array(2) [ 0, 0 ] [] {} undefined",
    );
    expect(await text('const a = { n: 1 }; a.self = a; console.log("%s has %d%%: %j", "x", "7", [1], a)')).toBe(
      'Output:\nx has 7%: [1] { n: 1, self: [Circular] }',
    );
  });

  it('reads the text of attachments and says of every other name what there is', async () => {
    expect(await text('readText("attachment-1.csv").split("\\n").slice(1, 3).reduce((sum, row) => sum + Number(row.split(";")[1]), 0)')).toBe('Value: 42');
    expect(await text('readText("../secret")')).toContain('there is no file "../secret"; the files are: attachment-1.csv, attachment-2.bin');
    expect(await text('readText("attachment-2.bin")')).toContain('is not a text file: read it with the tool for its kind');
  });

  it('awaits promises, timers and modules that await at their top, without waiting for any time', async () => {
    expect(await text('(async () => { await new Promise((done) => setTimeout(done, 3_600_000)); return "later"; })()')).toBe('Value: later');
    expect(await text('const x = await Promise.resolve(7);\nconsole.log(x)')).toBe('Output:\n7');
    expect(await text('setTimeout(() => console.log("b"), 20); setTimeout(() => console.log("a"), 10); 0')).toBe('Output:\na\nb\nValue: 0');
    expect(await text('new Promise(() => {})')).toContain('Error: the program still awaits');
  });

  it('names the error, its place and what there is instead', async () => {
    expect(await text('console.log(1);\nnull.x')).toBe("Output:\n1\nError: TypeError: cannot read property 'x' of null (code.js:2:5)");
    expect(await text('throw { a: 1 }')).toBe('Error: thrown: {"a":1}');
    expect(await text('require("fs")')).toContain('readText(name) gives the text of a file of this task');
    expect(await text('const = 1')).toContain('Error: SyntaxError');
    expect(await text(' ')).toBe('The program is empty.');
  });

  it('gives the same clock and the same random numbers each time', async () => {
    const code = (n: number) => `/* ${n} */ [new Date().toISOString(), Math.random(), Math.random(), new Date().getTimezoneOffset()]`;
    const first = await text(code(1));
    expect(first).toContain("'2026-01-01T00:00:00.000Z'");
    expect(await text(code(2))).toBe(first);
  });

  it('parts a long result', async () => {
    expect(await text('"y".repeat(9_000)', { part: 2 })).toContain('[part 2 of 2: characters');
  });
});

describe('a hostile JavaScript program', () => {
  const pools: CodePool[] = [];
  afterEach(() => {
    for (const pool of pools.splice(0)) pool.close();
  });
  /** One after the other, and then a harmless program in the same pool. */
  async function attack(programs: readonly string[], timeMs = 60_000): Promise<CodeOutcome[]> {
    const pool = await openJavaScriptPool({ timeMs, memoryBytes: 32_000_000, stackBytes: 256_000, outputCharacters: 1_000 });
    pools.push(pool);
    const outcomes: CodeOutcome[] = [];
    for (const code of programs) outcomes.push(await pool.run({ code, files: [] }));
    expect(await pool.run({ code: '1 + 1', files: [] })).toEqual({ output: '', value: '2' });
    return outcomes;
  }

  it.each([
    ['an endless loop', 'for (;;) {}'],
    ['one that catches everything', 'for (;;) try { for (;;) {} } catch {}'],
    ['promises without end', 'const again = () => { Promise.resolve().then(again); }; again()'],
    ['timers without end', 'setInterval(() => {}, 1)'],
    ['a regular expression that never ends', '/(a+)+b/.test("a".repeat(60))'],
  ])('is stopped for its time: %s', async (_, code) => {
    const [outcome] = await attack([code], 700);
    expect(outcome?.stopped).toBe('time');
  });

  it('gets no more memory than its limit', async () => {
    const [arrays, buffers, texts, chain] = await attack([
      'const all = []; for (;;) all.push(new Array(1_000).fill(7))',
      'const all = []; for (;;) all.push(new Uint8Array(1_000_000))',
      'let n = 0; const all = []; try { for (;;) { all.push("x".repeat(1_000_000) + n); n++; } } catch {} n',
      'const again = () => Promise.resolve().then(again); again()',
    ]);
    for (const outcome of [arrays, buffers, chain]) expect(outcome?.stopped).toBe('memory');
    expect(Number(texts?.value)).toBeLessThan(32);
  });

  it('survives a stack without bottom and JSON without end', async () => {
    const [stack, json] = await attack(['const f = () => f() + 1; f()', 'JSON.parse("[".repeat(1e6))']);
    expect(stack?.error).toContain('stack overflow');
    expect(json?.stopped ?? json?.error).toBeDefined();
  });

  it('is stopped once it printed too much', async () => {
    const [many, one] = await attack(['for (let i = 0; ; i++) console.log("line " + i)', 'console.log("x".repeat(5_000))']);
    expect(many).toMatchObject({ stopped: 'output' });
    expect(many?.output.length).toBeLessThan(1_100);
    expect(one).toMatchObject({ stopped: 'output' });
  });

  it('finds no host: no process, no module, no constructor that leads out', async () => {
    const outcomes = await attack([
      'typeof process + typeof global + typeof WebAssembly + typeof Deno',
      'this.constructor.constructor("return typeof process")()',
      'console.log.constructor("return typeof process")() + readText.constructor("return typeof require")()',
      'import("node:fs").then(() => "in", () => "refused")',
    ]);
    expect(outcomes.map(({ value }) => value)).toEqual(['undefinedundefinedundefinedundefined', 'undefined', 'undefinedfunction', 'refused']);
  });

  it('reaches no server of this machine', async () => {
    let connections = 0;
    const server = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const [fetched] = await attack([`fetch("http://127.0.0.1:${port}/")`]);
    expect(fetched?.error).toContain('programs reach no network');
    server.close();
    expect(connections).toBe(0);
  });

  it('leaves nothing behind for the next one', async () => {
    const [, next] = await attack(['globalThis.left = 1; Array.prototype.map = null; Math.random = () => 4', 'typeof left + [1].map((x) => x + 1)']);
    expect(next?.value).toBe('undefined2');
  });
});

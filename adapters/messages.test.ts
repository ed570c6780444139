import { describe, expect, test } from 'vitest';
import { startMessage, trialStart } from './fixtures/worker-driver.ts';
import { decodeHostMessage, decodeWorkerMessage, describeProblem, encodeMessage, type FrameProblem, frameReader } from './messages.ts';
import type { HostMessage, WorkerMessage } from './protocol.ts';

const tool = {
  name: 'look_up',
  description: 'Looks up.',
  parameters: { type: 'object', properties: { key: { type: 'string', description: 'Which.' } }, required: ['key'], additionalProperties: false },
} as const;

const hostMessages: readonly HostMessage[] = [
  startMessage({ adapterModule: '/a/b.js', exportName: 'b', packages: ['zod'] }),
  trialStart({ tools: [tool], capLiteral: 3, systemText: '' }),
  { type: 'trial-cancel', trialId: 1, reason: 'deadline' },
  { type: 'clock-probe', probe: 0 },
  { type: 'stop' },
];

const workerMessages: readonly WorkerMessage[] = [
  { type: 'worker-ready', protocolVersion: 1, versions: { zod: '4.6.7' }, runtime: 'node v24', importMs: 1.5, rssAfterImportBytes: 1 },
  {
    type: 'trial-end',
    trialId: 1,
    output: 'line\nline\u2028 🚪',
    setupMs: 0,
    startMs: 1,
    endMs: 2,
    cpuMs: 1,
    stubWallMs: 0,
    peakRssBytes: 5,
    rssMethod: 'vm-hwm',
  },
  { type: 'trial-end', trialId: 1, setupMs: 0, error: { name: 'Error', message: 'm', phase: 'run', code: 'C' } },
  { type: 'clock-reading', probe: 3, atMs: 0.25 },
  { type: 'worker-failed', code: 'MISSING_PACKAGE', message: 'm', package: 'p' },
  { type: 'worker-stopped' },
];

describe('a message', () => {
  test.each(hostMessages.map((message) => [message.type, message] as const))('of the host comes back as it was sent: %s', (_, message) => {
    expect(decodeHostMessage(encodeMessage(message).trimEnd())).toEqual({ kind: 'message', message });
  });

  test.each(workerMessages.map((message) => [message.type, message] as const))('of a worker comes back as it was sent: %s', (_, message) => {
    expect(decodeWorkerMessage(encodeMessage(message).trimEnd())).toEqual({ kind: 'message', message });
  });

  test.each(hostMessages.flatMap((message) => Object.keys(message).map((field) => [message.type, field, message] as const)))(
    'is refused without its field: %s, %s',
    (_, field, message) => {
      const { [field as keyof typeof message]: gone, ...rest } = message;
      if (field === 'capLiteral') return expect(decodeHostMessage(JSON.stringify(rest)).kind).toBe('message');
      return expect(decodeHostMessage(JSON.stringify(rest))).toMatchObject({ kind: 'problem', problem: { field, found: 'nothing' } });
    },
  );

  test('of a type that we do not know is foreign, not wrong', () => {
    expect(decodeWorkerMessage('{"type":"span-start","id":1}')).toEqual({ kind: 'foreign', type: 'span-start' });
    expect(decodeWorkerMessage('{"type":"constructor"}')).toEqual({ kind: 'foreign', type: 'constructor' });
  });
});

describe('a problem', () => {
  const problemOf = (line: string) => {
    const decoded = decodeHostMessage(line);
    if (decoded.kind !== 'problem') throw new Error(`no problem but ${decoded.kind}`);
    return decoded.problem;
  };
  const broken = (path: readonly string[], value: unknown) => {
    type Members = Record<string, unknown>;
    const message = structuredClone(trialStart({ tools: [tool] })) as unknown as Members;
    const place = path.slice(0, -1).reduce((at, key) => at[key] as Members, message);
    place[path.at(-1) as string] = value;
    return describeProblem(problemOf(JSON.stringify(message)));
  };

  test('names the place, what was expected and what was found', () => {
    expect(broken(['tools', '0', 'parameters', 'properties', 'key', 'type'], 'array')).toMatchInlineSnapshot(
      `"trial-start: field tools[0].parameters.properties.key.type should be 'string' or 'number' or 'integer' or 'boolean', found "array""`,
    );
    expect(broken(['model', 'temperature'], null)).toMatchInlineSnapshot(`"trial-start: field model.temperature should be a finite number, found null"`);
    expect(broken(['trialId'], -1)).toMatchInlineSnapshot(`"trial-start: field trialId should be a whole number from 0, found -1"`);
    expect(describeProblem(problemOf('{"type":'))).toMatchInlineSnapshot(`"frame should be a JSON object on one line, found {"type":"`);
    expect(describeProblem(problemOf('[1]'))).toMatchInlineSnapshot(`"frame should be a JSON object, found [1]"`);
    expect(describeProblem(problemOf('{"kind":"stop"}'))).toMatchInlineSnapshot(`"field type should be a string, found nothing"`);
  });

  test('keeps the trial that it belongs to', () => {
    expect(problemOf(JSON.stringify({ ...trialStart({ trialId: 9 }), userText: 7 }))).toMatchObject({ type: 'trial-start', trialId: 9, field: 'userText' });
  });

  test('shows no more than the head of a long value', () => {
    expect(problemOf(JSON.stringify({ ...trialStart(), agentCap: 'x'.repeat(5_000) })).found).toHaveLength(80 + '… (5002 characters)'.length);
  });
});

describe('the frame reader', () => {
  const read = (chunks: readonly Buffer[], maxBytes?: number) => {
    const lines: string[] = [];
    const problems: FrameProblem[] = [];
    const feed = frameReader(
      (line) => lines.push(line),
      (problem) => problems.push(problem),
      maxBytes,
    );
    for (const chunk of chunks) feed(chunk);
    return { lines, problems };
  };

  test('cuts lines wherever the chunks were cut, also inside a character', () => {
    const bytes = Buffer.from('{"a":"門🚪"}\n\n{"b":2}\n{"c":');
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
      expect(read(chunks).lines).toEqual(['{"a":"門🚪"}', '{"b":2}']);
    }
  });

  test('reports a line beyond the limit once, forgets it, and reads on', () => {
    const { lines, problems } = read([Buffer.from('x'.repeat(8)), Buffer.from(`${'x'.repeat(8)}\nshort\n`)], 10);
    expect(problems).toEqual([{ field: '', expected: 'at most 10 bytes', found: 'more' }]);
    expect(lines).toEqual(['short']);
  });
});

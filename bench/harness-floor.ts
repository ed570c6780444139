// Entry of a process for the bench `harness`: the least that does the same work. A bare fetch loop over the scripted server, at most so many at once, one JSON line
// a sample. Prints one JSON line. Arguments: base URL, concurrency, samples.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';

export interface FloorCost {
  readonly busyMs: number;
  readonly cpuMs: number;
}

const [baseUrl = '', concurrency, samples] = process.argv.slice(2);
const out = mkdtempSync(join(tmpdir(), 'agentgauge-bench-'));
const file = join(out, 'samples.jsonl');
const parameters = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] };
const tools = [{ type: 'function', function: { name: 'add', description: 'Adds two numbers.', parameters } }];

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

let left = Number(samples);
const before = process.cpuUsage();
const startMs = systemClock.nowMs();
const lane = async () => {
  while (left-- > 0) await sample();
};
await Promise.all(Array.from({ length: Number(concurrency) }, lane));
const { user, system } = process.cpuUsage(before);
const cost: FloorCost = { busyMs: systemClock.nowMs() - startMs, cpuMs: (user + system) / 1000 };
rmSync(out, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify(cost)}\n`);

async function sample(): Promise<void> {
  const messages: Message[] = [{ role: 'user', content: 'How many nails are 1000 and 300 nails together?' }];
  for (;;) {
    const body = JSON.stringify({ model: 'tools-1', messages, tools });
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { choices } = (await response.json()) as { readonly choices: readonly [{ readonly message: Message }] };
    const { message } = choices[0];
    messages.push(message);
    if (message.tool_calls === undefined) break;
    for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: '1300' });
  }
  appendFileSync(file, `${JSON.stringify(messages)}\n`);
}

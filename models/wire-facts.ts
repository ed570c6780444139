// What a row's first request carried besides the task: sampling, tools, added system text, where the instruction stood (method M1.1).
// Nothing that changes from task to task, so that equal wires have equal hashes.
import { remembering } from '../base/remembering.ts';
import type { WireFacts } from '../base/traffic.ts';
import type { ModelRequest } from './read-request.ts';

const SAMPLING = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'n',
  'stop',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'truncation',
];
const ELSEWHERE = new Set(['model', 'messages', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', ...SAMPLING]);

/** @param ours texts that the terms put into the system slot, the longest first */
export function wireFacts(request: ModelRequest, instruction: string, ours: readonly string[]): WireFacts {
  const { body } = request;
  const sampling = Object.fromEntries(SAMPLING.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
  const wanted = squeeze(instruction);
  const places = request.messages.filter((message) => wanted !== '' && squeeze(message.text).includes(wanted));
  const instructionIn = (['system', 'user'] as const).filter((role) => places.some((message) => (message.role === 'system') === (role === 'system')));
  const system = request.messages.filter((message) => message.role === 'system').map((message) => squeeze(message.text));
  const added = squeeze(ours.reduce((text, known) => (known === '' ? text : text.replaceAll(squeeze(known), ' ')), system.join('\n')));
  const otherKeys = Object.keys(body)
    .filter((key) => !ELSEWHERE.has(key))
    .sort();
  return {
    endpoint: request.endpoint,
    streamed: request.streamed,
    sampling,
    tools: Array.isArray(body.tools) ? body.tools : [],
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    ...(body.parallel_tool_calls === undefined ? {} : { parallelToolCalls: body.parallel_tool_calls }),
    ...(added === '' ? {} : { addedSystemText: added }),
    instructionIn,
    otherKeys,
  };
}

/** Whether the instruction stands anywhere in a request, however its blanks were laid out. An empty one stands everywhere. */
export function holdsInstruction(request: ModelRequest, instruction: string): boolean {
  // Most rows hand it on as it is.
  if (request.messages.some(({ text }) => text.includes(instruction))) return true;
  const wanted = squeeze(instruction);
  return request.messages.some(({ text }) => squeeze(text).includes(wanted) || squeeze(unescaped(text)).includes(wanted));
}

const squeeze = remembering((text) => text.replace(/\s{2,}|[^\S ]/g, ' ').trim(), 200);

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\n/g, '\n').replace(/\\(["'\\])/g, '$1') : text;
}

// What goes wrong on the way: refusals, broken connections, silence, and bodies that are not what they should be.
import type { ScriptedReply } from '../../base/script.ts';
import { ANSWER, always, CALL, type Fault, faultsOf } from './fault.ts';

const busy: ScriptedReply = { kind: 'error', status: 429, message: 'Rate limit reached. Please try again later.' };
const broken: ScriptedReply = { kind: 'error', status: 500, message: 'The server had an error while processing your request.' };
const html = '<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Please sign in to the network</h1></body></html>';
const then = (reply: ScriptedReply) => ({ replies: [reply, CALL, ANSWER] });

export const TRANSPORT_FAULTS: readonly Fault[] = faultsOf('transport', {
  '429-once': { sentence: 'answers 429 once', script: then(busy) },
  '429-once-retry-after': { sentence: 'answers 429 once, with Retry-After: 1', script: then({ ...busy, headers: { 'retry-after': '1' } }) },
  '429-always': { sentence: 'answers 429 for ever', script: always(busy) },
  'quota-always': {
    sentence: 'answers 429 insufficient_quota for ever',
    script: always({
      kind: 'error',
      status: 429,
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    }),
  },
  '500-once': { sentence: 'answers 500 once', script: then(broken) },
  '500-always': { sentence: 'answers 500 for ever', script: always(broken) },
  '502-html-once': { sentence: 'answers 502 with HTML once', script: then({ kind: 'raw', status: 502, contentType: 'text/html', body: html }) },
  'reset-once': { sentence: 'breaks the connection once', script: then({ kind: 'reset' }) },
  'reset-second': { sentence: 'breaks the kept connection at the second request', script: { replies: [CALL, { kind: 'reset' }, ANSWER] } },
  'reset-always': { sentence: 'breaks the connection for ever', script: always({ kind: 'reset' }) },
  hang: { sentence: 'takes a request and never answers', script: always({ kind: 'hang' }) },
  '400-always': { sentence: 'answers 400 for ever', script: always({ kind: 'error', status: 400, message: 'The request cannot be served.' }) },
  '401-always': { sentence: 'answers 401 for ever', script: always({ kind: 'error', status: 401, message: 'Incorrect API key provided.' }) },
  'html-always': { sentence: 'answers 200 with HTML for ever', script: always({ kind: 'raw', status: 200, contentType: 'text/html', body: html }) },
  'cut-json-always': {
    sentence: 'answers 200 with half a body (half a stream, whole to HTTP) for ever',
    script: always({ ...ANSWER, broken: 'cut' } as ScriptedReply),
  },
  'stops-once': { sentence: 'breaks the connection half-way through a reply, once', script: then({ ...ANSWER, broken: 'stops' } as ScriptedReply) },
  'stops-always': { sentence: 'breaks the connection half-way through a reply, for ever', script: always({ ...ANSWER, broken: 'stops' } as ScriptedReply) },
  'error-in-200': {
    sentence: 'answers 200 with an error inside, for ever',
    script: always({
      kind: 'raw',
      status: 200,
      contentType: 'application/json',
      body: '{"error": {"message": "boom", "type": "server_error"}}',
      streamed: { contentType: 'text/event-stream', body: 'data: {"error": {"message": "boom", "type": "server_error"}}\n\ndata: [DONE]\n\n' },
    }),
  },
  'refuses-null-text': { sentence: 'refuses a turn of calls whose text is null (400)', script: { replies: [CALL, ANSWER], refuses: 'null-text' } },
  'refuses-empty-text': { sentence: 'refuses a turn of calls whose text is empty (400)', script: { replies: [CALL, ANSWER], refuses: 'empty-text' } },
});

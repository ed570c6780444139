// A thread that reads files for the broker: it may run out of time or memory, and is ended then (reader-pool.ts). One request at a time.
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../base/error.ts';
import { type ReadRequest, readWith } from './readers.ts';
import { Finding, ToolError } from './tool-error.ts';

export type ReadReply =
  | { readonly value: unknown }
  | { readonly finding: string }
  | { readonly failure: { readonly code: string; readonly message: string; readonly remedy?: string } };

parentPort?.on('message', (request: ReadRequest) => {
  readWith(request).then(
    (value) => reply({ value }),
    (thrown: unknown) => reply(thrown instanceof Finding ? { finding: thrown.message } : { failure: failureOf(thrown) }),
  );
});

function reply(outcome: ReadReply): void {
  parentPort?.postMessage(outcome);
}

function failureOf(thrown: unknown): { code: string; message: string; remedy?: string } {
  if (!(thrown instanceof ToolError)) return { code: 'READER_FAILED', message: messageOf(thrown) };
  return { code: thrown.code, message: thrown.message, ...(thrown.remedy === undefined ? {} : { remedy: thrown.remedy }) };
}

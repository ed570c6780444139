// The bytes of a reply of the web, up to a limit: counted as they come, since no header need tell the truth.
import type { IncomingMessage } from 'node:http';
import { Finding } from './tool-error.ts';

export interface BoundedBody {
  readonly url: URL;
  readonly response: IncomingMessage;
  /** The response itself, or what unpacks it. */
  readonly body: NodeJS.ReadableStream;
  readonly maxBytes: number;
  /** Lets go of the connection. */
  readonly stop: () => void;
  /** What is thrown when the body breaks off. */
  readonly brokenBy: (cause: Error) => Finding;
}

/** @throws Finding when there is more, or when it breaks off */
export function boundedBody({ url, response, body, maxBytes, stop, brokenBy }: BoundedBody): Promise<{ response: IncomingMessage; bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const broken = (cause: Error) => reject(brokenBy(cause));
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        stop();
        return reject(new Finding(`${url.href} is larger than ${maxBytes / 1e6} MB and is not read.`));
      }
      chunks.push(chunk);
    });
    body.on('error', broken);
    response.on('error', broken);
    body.on('end', () => resolve({ response, bytes: Buffer.concat(chunks) }));
  });
}

// The bytes of another server on their way to a client: piece by piece as they come, and no faster than the client takes them.
import { IncomingMessage, type ServerResponse } from 'node:http';

/**
 * @param noted told of each piece before the client has it
 * @returns when the client was handed all, or has left: the last piece where it is known to be the last, still to be sent. Rejects when the body breaks off.
 */
export async function handOn(body: AsyncIterable<Uint8Array>, response: ServerResponse, noted: (piece: Uint8Array) => void): Promise<Uint8Array | undefined> {
  if (body instanceof IncomingMessage) return handOnReply(body, response, noted);
  for await (const piece of body) {
    noted(piece);
    if (!response.write(piece)) await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve));
    if (response.destroyed) break;
  }
  return undefined;
}

/** By its events: an iterator over them would be much of what a small reply costs. */
function handOnReply(body: IncomingMessage, response: ServerResponse, noted: (piece: Uint8Array) => void): Promise<Uint8Array | undefined> {
  let left = Number(body.headers['content-length']);
  return new Promise((resolve, reject) => {
    body.on('data', (piece: Buffer) => {
      noted(piece);
      left -= piece.length;
      if (left === 0) return resolve(piece);
      if (response.write(piece)) return;
      body.pause();
      response.once('drain', () => body.resume());
    });
    body.once('end', () => resolve(undefined));
    // Also when the client leaves: its request is then dropped.
    body.once('error', reject);
  });
}

/** How long the client may be told that the body is: known where it is handed on unchanged. */
export function lengthOf(body: AsyncIterable<Uint8Array>): { readonly 'content-length'?: string } {
  const length = body instanceof IncomingMessage ? body.headers['content-length'] : undefined;
  return length === undefined ? {} : { 'content-length': length };
}

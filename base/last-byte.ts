// When was the last byte handed to the system? Asked by the servers whose times are what a trial is measured against.
import type { ServerResponse } from 'node:http';
import type { Clock } from './clock.ts';

/**
 * Ends a response with its last bytes and calls `done` once: with the time just before, where the system takes all of them at once (a small reply on loopback), else when it has
 * taken them, or when the client left. Just before, since whoever reads them may run before this process does again: on a busy machine the time after is that of a later turn, and
 * the reply would seem to end after what it caused.
 */
export function endResponse(
  response: ServerResponse,
  last: string | Uint8Array | undefined,
  clock: Clock,
  done: (accepted: boolean, atMs: number) => void,
): void {
  const beforeMs = clock.nowMs();
  if (response.destroyed) return done(false, beforeMs);
  if (last === undefined) response.end();
  else response.end(last);
  if (response.socket?.writableLength === 0) return done(true, beforeMs);
  const onFinish = () => {
    response.off('close', onClose);
    done(true, clock.nowMs());
  };
  const onClose = () => {
    response.off('finish', onFinish);
    done(false, clock.nowMs());
  };
  response.once('finish', onFinish);
  response.once('close', onClose);
}

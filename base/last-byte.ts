// When was the last byte handed to the system? Asked by the servers whose times are what a trial is measured against.
import type { ServerResponse } from 'node:http';

/**
 * Calls `done` once: at once if `end` has already handed everything to the system (a small reply on loopback), else when it has, or when the client left.
 * Waiting for `finish` would stamp the time of a later turn of the event loop, which on a busy machine is milliseconds late and would count as model or tool time.
 * Call it right after `response.end(…)`.
 */
export function onLastByte(response: ServerResponse, done: (accepted: boolean) => void): void {
  if (response.destroyed) return done(false);
  if (response.writableEnded && response.socket?.writableLength === 0) return done(true);
  const onFinish = () => {
    response.off('close', onClose);
    done(true);
  };
  const onClose = () => {
    response.off('finish', onFinish);
    done(false);
  };
  response.once('finish', onFinish);
  response.once('close', onClose);
}

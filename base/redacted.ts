// Text that may not leave a machine, as a salted hash in its place: in the files of a run over protected questions, and in a cassette recorded there.
import { createHmac } from 'node:crypto';

/** @returns `redacted:HASH:LENGTH`; texts that are equal under one salt have equal hashes, and a short one cannot be guessed without it */
export function redactedText(salt: Uint8Array, text: string): string {
  return text === '' ? '' : `redacted:${createHmac('sha256', salt).update(text).digest('hex').slice(0, 16)}:${text.length}`;
}

/** Any structure: shapes, numbers and known names stay, every other text is hashed, keys that are no plain words too. */
export function redactedValue(salt: Uint8Array, value: unknown, key = ''): unknown {
  if (typeof value === 'string') return KEPT.has(key) ? value : redactedText(salt, value);
  if (Array.isArray(value)) return value.map((entry) => redactedValue(salt, entry, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [/^[\w-]{1,40}$/.test(name) ? name : redactedText(salt, name), redactedValue(salt, entry, name)]),
  );
}

/** Names of fields whose texts are ours or the protocol's, never the data's. */
const KEPT = new Set(
  'framework shape settings configuration taskId code kind type role name status model endpoint finishReason stoppedBy outcome signal rule method ranBy'.split(
    ' ',
  ),
);

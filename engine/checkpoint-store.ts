// The port to whatever keeps checkpoints: lists of lines under names. What the lines mean is checkpoint.ts's alone, so a store is thirty lines.
// Three come with the engine; those that need files or SQLite are loaded when they are first used.
import { messageOf, WorkflowError } from './workflow-error.ts';

export interface CheckpointStore {
  /** The lines of a run in the order in which they were appended; none for a run that is not known. */
  load(run: string): Promise<readonly string[]>;
  /**
   * Resolves when the lines are durable: all of them or none. No line holds a line break.
   * `at` is the number of lines before them; a store that holds another number rejects, since then somebody else writes the same run.
   */
  append(run: string, at: number, lines: readonly string[]): Promise<void>;
  /** Forgets a run. */
  delete(run: string): Promise<void>;
  /**
   * Takes a run for one execution, before it is loaded, and gives what lets it go. Rejects with `checkpoint-in-use` while another execution has it.
   * A store without it tells two writers of a run only when both have written.
   */
  claim?(run: string): Promise<() => Promise<void>>;
}

/** Keeps runs in this process: for tests, and for a run that waits without anything being written. */
export function memoryCheckpoints(): CheckpointStore {
  const runs = new Map<string, string[]>();
  const claimed = new Set<string>();
  return {
    claim: async (run) => {
      if (claimed.has(run)) throw new WorkflowError('checkpoint-in-use', `run "${run}" is being written by another execution in this process`);
      claimed.add(run);
      return async () => void claimed.delete(run);
    },
    load: async (run) => [...(runs.get(run) ?? [])],
    append: async (run, at, lines) => {
      const held = runs.get(run) ?? [];
      if (held.length !== at) throw anotherWriter(run, held.length, at);
      held.push(...lines);
      runs.set(run, held);
    },
    delete: async (run) => void runs.delete(run),
  };
}

export interface FileCheckpointOptions {
  /** Waits until the disk itself has the lines: a power cut loses nothing. Without it only the end of the process loses nothing. @default true */
  readonly sync?: boolean;
}

/** Keeps each run in a folder of its own below `folder`. One execution at a time may write a run; another is refused with `checkpoint-in-use`. */
export function fileCheckpoints(folder: string, options: FileCheckpointOptions = {}): CheckpointStore {
  return late(async () => (await import('./stores/file.ts')).openFileStore(folder, options.sync ?? true));
}

/** Keeps runs in a SQLite file through Node's own `node:sqlite` (Node 22.13 or newer). */
export function sqliteCheckpoints(file: string): CheckpointStore & { close(): Promise<void> } {
  let opened: Promise<ClaimingStore & { close(): Promise<void> }> | undefined;
  const open = () => {
    opened ??= import('./stores/sqlite.ts').then(({ openSqliteStore }) => openSqliteStore(file));
    return opened;
  };
  return { ...late(open), close: async () => (await opened)?.close() };
}

/** @internal */
export function anotherWriter(run: string, held: number, at: number): WorkflowError {
  return new WorkflowError('checkpoint-failed', `run "${run}" holds ${held} lines where ${at} were expected: somebody else writes it too`, {
    remedy: 'Let one execution at a time use a run, or give each its own name.',
  });
}

/** @internal */
export type ClaimingStore = CheckpointStore & Required<Pick<CheckpointStore, 'claim'>>;

function late(open: () => Promise<ClaimingStore>): ClaimingStore {
  let opened: Promise<ClaimingStore> | undefined;
  const store = () => {
    opened ??= open();
    return opened;
  };
  return {
    load: async (run) => (await store()).load(run),
    append: async (run, at, lines) => (await store()).append(run, at, lines),
    delete: async (run) => (await store()).delete(run),
    claim: async (run) => (await store()).claim(run),
  };
}

/** @internal Whatever a store threw, told as the store's failure. */
export function storeFailure(thrown: unknown, run: string, doing: string): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown;
  return new WorkflowError('checkpoint-failed', `cannot ${doing} the checkpoint of run "${run}": ${messageOf(thrown)}`, { cause: thrown });
}

// Whether a traced study kept to its place: no word beyond loopback, nothing changed outside each worker's own folder and the run, no worker that stays on when it
// was told to leave. Pure; which process is which is read off what it runs.
import { basename, posix } from 'node:path';
import { ADAPTERS } from '../../adapters/registry.ts';
import type { Reach, TracedProcess } from './traced-processes.ts';

export interface Places {
  /** Where the harness may write: its run, its folder for temporary files, its cache. */
  readonly ofHarness: readonly string[];
}

export interface IsolationRow {
  readonly row: string;
  readonly workers: number;
  readonly processes: number;
  /** Connections and datagrams to loopback. */
  readonly onLoopback: number;
  readonly outward: number;
  readonly writtenInside: number;
  readonly writtenOutside: number;
  /** From a worker's last word to its end; absent where none was seen to end by itself. */
  readonly worstExitMs: number | undefined;
  readonly lingered: number;
  /** Ended by the host before they were told to leave: in a trial at its deadline or cap. */
  readonly stopped: number;
}

export interface Isolation {
  readonly rows: readonly IsolationRow[];
  /** One sentence each, naming row, process, call and address or path. */
  readonly problems: readonly string[];
  /** Workers that stayed on. On a busy machine an innocent one may: what lingers does so each time. */
  readonly late: readonly { readonly row: string; readonly sentence: string }[];
}

/** The host ends a worker that is still there so long after it was told to leave (worker-process.ts). */
export const LONGEST_EXIT_MS = 500;

export function judgeTrace(processes: readonly TracedProcess[], places: Places): Isolation {
  const groups = Map.groupBy(processes, (process) => {
    const worker = workerOf(process);
    return worker === undefined ? HARNESS : rowOf(worker);
  });
  const names = [...groups.keys()].sort((a, b) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1));
  const problems: string[] = [];
  const late: { row: string; sentence: string }[] = [];
  const rows = names.map((row): IsolationRow => {
    const group = groups.get(row) ?? [];
    const outward = group.flatMap((process) => process.reached.filter(isOutward).map((reach) => `${told(row, process)}: ${reach.call} to ${spelt(reach)}`));
    const written = group.flatMap((process) =>
      process.written.map((change) => ({ process, change, inside: isInside(change.path, allowedFor(process, places)) })),
    );
    const outside = written.filter(({ inside }) => !inside).map(({ process, change }) => `${told(row, process)}: ${change.call} ${change.path}`);
    const exits = group.flatMap((process) => exitOf(process) ?? []);
    const stopped = group.filter((process) => workerOf(process) === process && process.by !== undefined && 'signal' in process.by && !hasTakenLeave(process));
    const lingered = exits
      .filter(({ isLate }) => isLate)
      .map(({ process, ms, how }) => `${told(row, process)}: ${how} ${Math.round(ms)} ms after its last word`);
    const unseen = group.filter((process) => hasTakenLeave(process) && process.by === undefined).map((process) => `${told(row, process)}: was not seen to end`);
    problems.push(...counted(outward), ...counted(outside), ...unseen);
    late.push(...lingered.map((sentence) => ({ row, sentence })));
    return {
      row,
      workers: group.filter((process) => workerOf(process) === process).length,
      processes: group.length,
      onLoopback: group.flatMap(({ reached }) => reached).filter((reach) => !isOutward(reach)).length,
      outward: outward.length,
      writtenInside: written.length - outside.length,
      writtenOutside: outside.length,
      worstExitMs: exits.length === 0 ? undefined : Math.max(...exits.map(({ ms }) => ms)),
      lingered: lingered.length,
      stopped: stopped.length,
    };
  });
  return { rows, problems, late };
}

export const HARNESS = 'harness';

/** The worker that this process is, or was started by, however far back. */
function workerOf(process: TracedProcess): TracedProcess | undefined {
  for (let at: TracedProcess | undefined = process; at !== undefined; at = at.parent) if (isWorker(at)) return at;
  return undefined;
}

/** What only forked bears its parent's words: the process is the one that they were given to. */
function isWorker({ argv, parent }: TracedProcess): boolean {
  return argv.some((word) => WORKER.test(word)) && argv !== parent?.argv;
}

const WORKER = /\/adapters\/(?:worker\.[jt]s|python\/worker\.py)$/;

/** Which adapter and shape a worker was told to load. */
function rowOf({ order = '', argv }: TracedProcess): string {
  const said = (field: string) => new RegExp(`"${field}":"([^"]*)"`).exec(order)?.[1] ?? '?';
  const module = basename(said('adapterModule')).replace(/\.\w+$/, '');
  const fits = ADAPTERS.filter((entry) => entry.module === module && entry.exportName === said('exportName'));
  const inFolder = ({ environment }: (typeof ADAPTERS)[number]) => environment === undefined || argv[0]?.includes(`/${environment}/`) === true;
  return `${fits.find(inFolder)?.id ?? said('exportName')}/${said('shape')}`;
}

function orderOf(row: string): number {
  return ADAPTERS.findIndex(({ id }) => id === row.split('/')[0]);
}

/** Every address of the machine itself; a port of name look-ups leaves it, whoever listens there. */
function isOutward({ address, port }: Reach): boolean {
  const isLocal = /^127\./.test(address) || address === '0.0.0.0' || address === '::1' || address === '::' || /^::ffff:127\./.test(address);
  return !isLocal || port === NAME_PORT;
}

const NAME_PORT = 53;

function spelt({ address, port }: Reach): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}${port === NAME_PORT ? ' (a name look-up)' : ''}`;
}

function allowedFor(process: TracedProcess, { ofHarness }: Places): readonly string[] {
  const worker = workerOf(process);
  return worker === undefined ? ofHarness : [worker.folder];
}

/** Devices that keep nothing, and the kernel's own files about a process. */
const NOWHERE = /^\/dev\/(?:null|tty|full|zero|random|urandom|ptmx|pts\/\d+)$|^\/proc\/(?:self|thread-self|\d+)\//;

function isInside(path: string, folders: readonly string[]): boolean {
  if (NOWHERE.test(path)) return true;
  return folders.some((folder) => path === folder || path.startsWith(`${posix.resolve(folder)}/`));
}

interface Exit {
  readonly process: TracedProcess;
  readonly ms: number;
  readonly how: string;
  readonly isLate: boolean;
}

/** From its answer to being told to leave to its end. One that the host ended in a trial gave no such answer. */
function exitOf(process: TracedProcess): Exit | undefined {
  const { said, endMs, by } = process;
  if (workerOf(process) !== process || said === undefined || endMs === undefined || by === undefined || !hasTakenLeave(process)) return undefined;
  const ms = endMs - said.atMs;
  const signal = 'signal' in by ? by.signal : undefined;
  return { process, ms, how: signal === undefined ? 'ended' : `was ended by ${signal}`, isLate: ms > LONGEST_EXIT_MS || signal !== undefined };
}

function hasTakenLeave({ said }: TracedProcess): boolean {
  return said?.text.includes('"type":"worker-stopped"') === true;
}

function told(row: string, { pid, argv }: TracedProcess): string {
  const [program = '', ...rest] = argv;
  const script = rest.find((word) => /\.(?:[cm]?[jt]s|py)$/.test(word));
  return `${row}, process ${pid} (${[program, script].flatMap((word) => (word === undefined ? [] : [basename(word)])).join(' ')})`;
}

/** The same sentence many times is one with its number. */
function counted(sentences: readonly string[]): string[] {
  const unnumbered = (sentence: string) => sentence.replace(/, process \d+ /, ', ');
  return [...Map.groupBy(sentences, unnumbered).values()].map((same) =>
    same.length === 1 ? (same[0] as string) : `${same[0]}, and ${same.length - 1} more like it`,
  );
}

export function isolationLines({ rows }: Pick<Isolation, 'rows'>): string[] {
  const head = ['row', 'workers', 'processes', 'loopback', 'outward', 'written inside', 'written outside', 'worst exit ms', 'lingered', 'stopped'];
  const cells = rows.map((row) => [
    row.row,
    row.workers,
    row.processes,
    row.onLoopback,
    row.outward,
    row.writtenInside,
    row.writtenOutside,
    row.worstExitMs === undefined ? '–' : row.worstExitMs.toFixed(1),
    row.lingered,
    row.stopped,
  ]);
  const table = [head, ...cells.map((line) => line.map(String))];
  const widths = head.map((_, column) => Math.max(...table.map((line) => (line[column] ?? '').length)));
  return table.map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '));
}

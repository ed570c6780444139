// Threads and calls of a trace, gathered by process: who started it with what, in which folder it stands, whom it turned to, what it changed on disk, what it said
// to its host last and how it ended. Pure.
import { posix } from 'node:path';
import { pathBehind, quoted, quotedList, type TraceLine } from './strace-lines.ts';

export interface TracedProcess {
  readonly pid: number;
  readonly parent: TracedProcess | undefined;
  /** Of its last `execve`; its parent's for one that only forked. */
  readonly argv: readonly string[];
  /** Where it stood when it was started. */
  readonly folder: string;
  readonly reached: readonly Reach[];
  readonly written: readonly Change[];
  /** The first message that its parent wrote after making it: to a worker it says which adapter to load. Its beginning, as much as was traced. */
  readonly order: string | undefined;
  /** What it wrote last to descriptor 3, on which a worker speaks to its host. */
  readonly said: { readonly atMs: number; readonly text: string } | undefined;
  readonly endMs: number | undefined;
  readonly by: { readonly code: number } | { readonly signal: string } | undefined;
}

/** An address that it connected or sent to, or tried to. */
export interface Reach {
  readonly call: string;
  readonly address: string;
  readonly port: number;
}

export interface Change {
  readonly call: string;
  readonly path: string;
}

type Call = Extract<TraceLine, { kind: 'call' }>;
type End = Extract<TraceLine, { kind: 'end' }>;

/** One thread, from its first line to its end: numbers are given again. */
interface Thread {
  readonly tid: number;
  readonly calls: Call[];
  end?: End;
  order?: string;
  /** Who made it, and whether as a thread of the same process. */
  origin?: { readonly maker: Thread; readonly isThread: boolean; readonly atMs: number };
}

const ORDER = '{"type":"start",';
const MAKERS = new Set(['clone', 'clone3', 'fork', 'vfork']);

/** @param folder where the traced program was started */
export function tracedProcesses(lines: Iterable<TraceLine>, folder: string): TracedProcess[] {
  return processesOf(threadsOf(lines), folder);
}

function threadsOf(lines: Iterable<TraceLine>): Thread[] {
  const all: Thread[] = [];
  const current = new Map<number, Thread>();
  /** The process that a thread made last: the host writes to each worker in the turn in which it makes it. */
  const newest = new Map<Thread, Thread>();
  const born = (tid: number): Thread => {
    const thread: Thread = { tid, calls: [] };
    all.push(thread);
    current.set(tid, thread);
    return thread;
  };
  for (const line of lines) {
    const known = current.get(line.tid);
    const thread = known === undefined || known.end !== undefined ? born(line.tid) : known;
    if (line.kind === 'end') {
      thread.end = line;
      continue;
    }
    thread.calls.push(line);
    if (line.name === 'write' && newest.has(thread) && quoted(line.args[1])?.startsWith(ORDER)) {
      (newest.get(thread) as Thread).order ??= quoted(line.args[1]) as string;
      continue;
    }
    const child = MAKERS.has(line.name) ? Number.parseInt(line.result, 10) : 0;
    if (!(child > 0)) continue;
    // What a child does may stand before the line that says it was made.
    const made = current.get(child);
    const isNew = made !== undefined && made.origin === undefined && made !== thread;
    const isThread = line.args.some((argument) => argument.includes('CLONE_THREAD'));
    const newcomer = isNew ? made : born(child);
    newcomer.origin = { maker: thread, isThread, atMs: line.atMs };
    if (!isThread) newest.set(thread, newcomer);
  }
  return all;
}

function processesOf(threads: readonly Thread[], folder: string): TracedProcess[] {
  const leaderOf = (thread: Thread): Thread => (thread.origin?.isThread ? leaderOf(thread.origin.maker) : thread);
  const callsOf = Map.groupBy(
    threads.flatMap((thread) => thread.calls.map((call) => ({ leader: leaderOf(thread), call }))),
    ({ leader }) => leader,
  );
  const made = new Map<Thread, TracedProcess & { readonly folderAt: (atMs: number) => string }>();
  const processOf = (leader: Thread): TracedProcess & { readonly folderAt: (atMs: number) => string } => {
    const known = made.get(leader);
    if (known !== undefined) return known;
    const parent = leader.origin === undefined ? undefined : processOf(leaderOf(leader.origin.maker));
    const start = parent === undefined || leader.origin === undefined ? folder : parent.folderAt(leader.origin.atMs);
    const calls = (callsOf.get(leader) ?? []).map(({ call }) => call).sort((a, b) => a.atMs - b.atMs);
    const process = { ...gather(leader, calls, parent, start), folderAt: folderFrom(start, calls) };
    made.set(leader, process);
    return process;
  };
  return [...new Set(threads.map(leaderOf))].map(processOf);
}

function folderFrom(start: string, calls: readonly Call[]): (atMs: number) => string {
  const moves = calls.filter(({ name, result }) => name === 'chdir' && result.startsWith('0'));
  return (atMs) => moves.filter((move) => move.atMs <= atMs).reduce((folder, move) => posix.resolve(folder, quoted(move.args[0]) ?? '.'), start);
}

function gather({ tid, end, order }: Thread, calls: readonly Call[], parent: TracedProcess | undefined, start: string): TracedProcess {
  const folderAt = folderFrom(start, calls);
  const started = calls.findLast(({ name, result }) => name === 'execve' && result.startsWith('0'));
  const written: Change[] = [];
  const reached: Reach[] = [];
  let said: TracedProcess['said'];
  for (const call of calls) {
    const { name, args, atMs } = call;
    if (SAYS.has(name) && /^3(?:<|$)/.test(args[0] ?? '')) said = { atMs, text: quoted(args[1]) ?? '' };
    for (const address of REACHES.has(name) ? addressesIn(args.join(', ')) : []) reached.push({ call: name, ...address });
    if (changes(call)) written.push(...pathsOf(call).map((path) => ({ call: name, path: posix.resolve(path.at ?? folderAt(atMs), path.name) })));
  }
  return {
    pid: tid,
    parent,
    argv: started === undefined ? (parent?.argv ?? []) : quotedList(started.args[1]),
    folder: started === undefined ? start : folderAt(started.atMs),
    reached,
    written,
    order,
    said,
    endMs: end?.atMs,
    by: end?.by,
  };
}

const SAYS = new Set(['write', 'writev', 'sendto', 'sendmsg']);
const REACHES = new Set(['connect', 'sendto', 'sendmsg', 'sendmmsg']);

/** Internet addresses alone: sockets of files and of the kernel do not leave the machine. */
function addressesIn(text: string): { readonly address: string; readonly port: number }[] {
  const four = [...text.matchAll(/sa_family=AF_INET, sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g)];
  const six = [...text.matchAll(/sa_family=AF_INET6, sin6_port=htons\((\d+)\),.*?inet_pton\(AF_INET6, "([^"]+)"/g)];
  return [...four, ...six].map((match) => ({ address: match[2] as string, port: Number(match[1]) }));
}

/** Where the paths of a call stand among its arguments, each with the descriptor that it is relative to. */
const PATHS: Readonly<Record<string, readonly (readonly [path: number, relativeTo?: number])[]>> = {
  open: [[0]],
  creat: [[0]],
  openat: [[1, 0]],
  openat2: [[1, 0]],
  mkdir: [[0]],
  mkdirat: [[1, 0]],
  rmdir: [[0]],
  unlink: [[0]],
  unlinkat: [[1, 0]],
  rename: [[0], [1]],
  renameat: [
    [1, 0],
    [3, 2],
  ],
  renameat2: [
    [1, 0],
    [3, 2],
  ],
  link: [[1]],
  linkat: [[3, 2]],
  symlink: [[1]],
  symlinkat: [[2, 1]],
  mknod: [[0]],
  mknodat: [[1, 0]],
  truncate: [[0]],
  chmod: [[0]],
  fchmodat: [[1, 0]],
};

/** What `strace` is asked to tell. */
export const TRACED_CALLS: readonly string[] = [...Object.keys(PATHS), ...MAKERS, ...SAYS, ...REACHES, 'chdir', 'execve'];

function pathsOf({ name, args }: Call): { readonly name: string; readonly at?: string | undefined }[] {
  return (PATHS[name] ?? []).flatMap(([path, relativeTo]) => {
    const text = quoted(args[path]);
    return text === undefined ? [] : [{ name: text, at: relativeTo === undefined ? undefined : pathBehind(args[relativeTo]) }];
  });
}

/** Something was made, changed or removed, or only forbidden: what is there already, or is not there, was left alone. */
function changes({ name, args, result }: Call): boolean {
  if (result.startsWith('-1') && !/\b(?:EACCES|EPERM|EROFS)\b/.test(result)) return false;
  if (!(name in PATHS)) return false;
  if (name === 'open' || name.startsWith('openat')) return /\bO_(?:WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b/.test(args.join(' '));
  return true;
}

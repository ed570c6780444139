// Files below one folder, for reading: neither a path nor a link leads out of it, and nothing is changed, so every request is safe.
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Held } from '../connector.ts';
import { messageOf, show, WorkflowError } from '../workflow-error.ts';
import type { CallPolicy } from './call-policy.ts';
import { connector, type ManagedConnector } from './make-connector.ts';
import { tooLarge } from './managed-call.ts';

export interface FileConnectorOptions extends CallPolicy {
  readonly root: string | URL;
  /** Longest file. @default 1 MiB */
  readonly maxBytes?: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export interface FileClient {
  /** A text file (UTF-8). */
  read(path: string): Promise<Held<string>>;
  /** All who ask for the same have the same bytes: not to be written to. */
  bytes(path: string): Promise<Held<Uint8Array>>;
  /** What a folder holds, by name. @default the root */
  list(path?: string): Promise<Held<readonly FolderEntry[]>>;
}

type FileRequest = { readonly read: string } | { readonly bytes: string } | { readonly list: string };
type FileValue = string | Uint8Array | readonly FolderEntry[];

/** What passes by itself: too many open files, an interrupted or busy system. */
const PASSING: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'EBUSY', 'timeout']);

/** @throws WorkflowError `INVALID_OPTIONS` without a root */
export function fileConnector(options: FileConnectorOptions): ManagedConnector<FileClient> {
  const { maxBytes = 2 ** 20 } = options;
  if (!(options.root instanceof URL) && (typeof options.root !== 'string' || options.root === ''))
    throw new WorkflowError('INVALID_OPTIONS', `a file connector needs a folder as \`root\`, found ${show(options.root)}`);
  const root = resolve(options.root instanceof URL ? fileURLToPath(options.root) : options.root);

  return connector<FileRequest, FileValue, FileClient>(
    options,
    {
      answer: async (request, signal) => {
        if ('list' in request) return list(request.list);
        const path = 'read' in request ? request.read : request.bytes;
        const bytes = await read(path, signal);
        return { value: 'read' in request ? decode(bytes, path) : bytes, bytes: bytes.length };
      },
      mayPass: (error) => PASSING.has((error as { readonly code?: unknown } | null)?.code),
      textOf: (value) => (typeof value === 'string' ? value : value instanceof Uint8Array ? `${value.length} bytes` : JSON.stringify(value)),
    },
    (call) => ({
      read: (path) => call({ read: path }, true) as Promise<Held<string>>,
      bytes: (path) => call({ bytes: path }, true) as Promise<Held<Uint8Array>>,
      list: (path = '.') => call({ list: path }, true) as Promise<Held<readonly FolderEntry[]>>,
    }),
  );

  async function read(path: string, signal: AbortSignal): Promise<Uint8Array> {
    const target = inside(path);
    // Without waiting for a writer, should it be a pipe.
    const handle = await open(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
      throw missing(error, path);
    });
    try {
      const facts = await handle.stat();
      await checkPlace(target, path, facts);
      if (!facts.isFile()) throw refused(`${show(path)} is no file`);
      return await readAtMost(handle, maxBytes, path, signal);
    } finally {
      await handle.close();
    }
  }

  async function list(path: string): Promise<{ value: readonly FolderEntry[]; bytes: number }> {
    const target = inside(path);
    try {
      await checkPlace(target, path);
      const found = await readdir(target, { withFileTypes: true });
      const value = found
        .map((one) => Object.freeze({ name: one.name, kind: one.isFile() ? ('file' as const) : one.isDirectory() ? ('folder' as const) : ('other' as const) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      return { value: Object.freeze(value), bytes: Buffer.byteLength(JSON.stringify(value)) };
    } catch (error) {
      throw missing(error, path);
    }
  }

  function inside(path: string): string {
    const target = typeof path === 'string' && !path.includes('\0') ? resolve(root, path) : undefined;
    if (target === undefined || !contains(root, target)) throw refused(`${show(path)} leads out of the folder`);
    return target;
  }

  /** Where links lead must lie in the folder as well, and be what was opened. */
  async function checkPlace(target: string, path: string, opened?: Stats): Promise<void> {
    const [real, realRoot] = await Promise.all([realpath(target), realpath(root)]);
    if (!contains(realRoot, real)) throw refused(`${show(path)} is a link that leads out of the folder`);
    if (opened === undefined) return;
    const there = await stat(real);
    if (there.ino !== opened.ino || there.dev !== opened.dev) throw refused(`${show(path)} was exchanged while it was opened`);
  }

  function refused(what: string): WorkflowError {
    return new WorkflowError('connector-refused', `connector "${options.name}": ${what}`, { remedy: 'Name a path below its root.' });
  }

  function missing(error: unknown, path: string): unknown {
    const { code } = error as { readonly code?: unknown };
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return error;
    return new WorkflowError('connector-failed', `connector "${options.name}": there is no ${show(path)} (${messageOf(code)})`, { cause: error });
  }

  function decode(bytes: Uint8Array, path: string): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      throw new WorkflowError('connector-failed', `connector "${options.name}": ${show(path)} is no text in UTF-8`, {
        cause: error,
        remedy: 'Read it with bytes(path).',
      });
    }
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A file may grow, or be of a kind that tells no size. */
async function readAtMost(handle: FileHandle, maxBytes: number, path: string, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(65_536));
    if (bytesRead === 0) return new Uint8Array(Buffer.concat(parts));
    size += bytesRead;
    if (size > maxBytes) throw tooLarge(`the file ${show(path)}`, maxBytes);
    parts.push(buffer.subarray(0, bytesRead));
  }
}

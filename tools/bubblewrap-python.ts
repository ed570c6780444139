// CPython in bubblewrap, for Linux: namespaces of its own for everything, no network, nothing of the host but the interpreter, no second process. The
// interpreter with numpy, pandas and openpyxl is one that `agentgauge setup python sandbox` made.
import { spawn } from 'node:child_process';
import { globSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { forkFilter } from './fork-filter.ts';
import type { Python } from './python.ts';
import { type ProgramFolder, type PythonLimits, runPythonProcess } from './python-process.ts';
import { PYTHON_RUNNER } from './python-runner.ts';

const CPU_SECONDS = 60;
const WORK_BYTES = 50_000_000;

/** Limits of the kernel come first: the program cannot raise them again. */
const MAIN = `
import os, platform, resource, sys
memory = int(sys.argv[1])
for limit, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, ${CPU_SECONDS}), (resource.RLIMIT_FSIZE, ${WORK_BYTES}), (resource.RLIMIT_NPROC, 1), (resource.RLIMIT_CORE, 0)):
    resource.setrlimit(limit, (most, most))
${PYTHON_RUNNER}
with open('/program.py', encoding='utf-8') as file:
    code = file.read()
os.write(3, json.dumps({'python': platform.python_version()}).encode() + b'\\n')
said = run(code, 'numpy, pandas, openpyxl and the standard library')
os.write(3, said.encode() + b'\\n')
sys.stdout.flush()
os._exit(0)
`;

/**
 * @param interpreter of a virtual environment
 * @returns `undefined` where bubblewrap is missing or may not make namespaces
 */
export async function openBubblewrap(interpreter: string, limits: PythonLimits): Promise<Python | undefined> {
  const environment = path.dirname(path.dirname(interpreter));
  const home = /^home\s*=\s*(.+)$/m.exec(await readFile(path.join(environment, 'pyvenv.cfg'), 'utf8').catch(() => ''))?.[1]?.trim();
  if (process.platform !== 'linux' || home === undefined) return undefined;
  const folders = [environment, path.dirname(home), path.dirname(path.dirname(realpathSync(interpreter)))];
  const python: Omit<Python, 'name'> = {
    key: `cpython-${realpathSync(interpreter)}`,
    describe: (version) => `Python ${version} (CPython: standard library, numpy, pandas, openpyxl)`,
    run: (request) => runPythonProcess(request, (program) => start(interpreter, folders, program, limits.memoryBytes), limits),
  };
  try {
    const { value, version } = await python.run({ code: '6 * 7', files: [] });
    return value === '42' ? { ...python, name: `CPython ${version} in bubblewrap (${packagesOf(environment).join(', ') || 'standard library'})` } : undefined;
  } catch {
    // No bubblewrap, or a kernel that lets nobody make namespaces.
    return undefined;
  }
}

/** `numpy 2.4.6`: those that a program may import, by what the environment says of itself. */
function packagesOf(environment: string): string[] {
  return globSync('lib/python*/site-packages/{numpy,openpyxl,pandas}-*.dist-info', { cwd: environment })
    .map((folder) => path.basename(folder, '.dist-info').replace('-', ' '))
    .sort();
}

function start(interpreter: string, folders: readonly string[], { folder, names }: ProgramFolder, memoryBytes: number) {
  const filter = forkFilter();
  const args = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534'],
    // First, since the interpreter may lie below one of them.
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(WORK_BYTES), '--tmpfs', '/tmp', '--size', String(WORK_BYTES), '--tmpfs', '/work'],
    ...['/usr', '/lib', '/lib64'].flatMap((each) => ['--ro-bind-try', each, each]),
    ...folders.flatMap((each) => ['--ro-bind', each, each]),
    ...['--ro-bind', path.join(folder, 'program.py'), '/program.py'],
    ...names.flatMap((name) => ['--ro-bind', path.join(folder, 'files', name), `/work/${name}`]),
    // Last: what lies between the mounts takes no bytes of the host's memory.
    ...['--remount-ro', '/', '--remount-ro', '/dev'],
    ...['--chdir', '/work', '--setenv', 'HOME', '/work', '--setenv', 'LANG', 'C.UTF-8', '--setenv', 'TZ', 'UTC'],
    ...['--setenv', 'PYTHONHASHSEED', '0', '--setenv', 'OPENBLAS_NUM_THREADS', '1'],
    ...(filter ? ['--seccomp', '4'] : []),
    ...[interpreter, '-P', '-s', '-B', '-c', MAIN, String(memoryBytes)],
  ];
  const child = spawn('bwrap', args, { env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
  const rules = child.stdio[4] as Writable | undefined;
  // A process that never started takes no rules; its own error says so.
  rules?.on('error', () => {});
  rules?.end(filter ?? Buffer.alloc(0));
  return child;
}

// The set-up of Python rows with a Python and a uv that are scripts of ours: what is made, what an interrupted set-up leaves, and what a study without it says.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findAdapter } from '../../adapters/registry.ts';
import { interpreterOf, lockHash, STAMP, whyAbsent } from '../../runners/python-environments.ts';
import { main } from '../cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'agentgauge-setup-'));
const inFolder = (...names: readonly string[]) => join(folder, ...names);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  for (const name of ['bin', 'calls', 'cache/python']) rmSync(inFolder(name), { recursive: true, force: true });
  mkdirSync(inFolder('bin'));
  script('python', 'echo 3 12 /some/python');
  uv();
  vi.stubEnv('AGENTGAUGE_CACHE', inFolder('cache'));
  vi.stubEnv('AGENTGAUGE_PYTHON', inFolder('bin', 'python'));
  vi.stubEnv('PATH', `${inFolder('bin')}${delimiter}${process.env['PATH']}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function script(name: string, text: string): void {
  writeFileSync(inFolder('bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(inFolder('bin', name), 0o755);
}

/** Notes how it is called, and makes an environment as far as `sync` lets it. */
function uv(sync = 'exit 0'): void {
  script(
    'uv',
    `echo "$@" >> ${inFolder('calls')}\nif [ "$1" = venv ]; then mkdir -p "$5/bin" && touch "$5/bin/python"; fi\nif [ "$2" = sync ]; then ${sync}; fi`,
  );
}

const uvCalls = () => (existsSync(inFolder('calls')) ? readFileSync(inFolder('calls'), 'utf8').split('\n') : []).filter((line) => /^(venv|pip)/.test(line));

async function called(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { stdin: Readable.from([]), terminal: false, columns: 100, signal: new AbortController().signal };
  const code = await main(argv, { ...io, out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out: out.join(''), err: err.join('') };
}

describe('agentgauge setup python', () => {
  test('makes the environment of a row from its lock, says before what it costs, and stamps it last', async () => {
    const { code, out, err } = await called('setup', 'python', 'crewai');
    expect(code).toBe(0);
    expect(err).toMatch(/^To make: crewai: about 988 MB on disk and up to \d+ MB to download, about 2 min on a fast line\.\nPlace: /);
    expect(out).toBe('Ready: crewai.\n');
    const [venv, sync] = uvCalls();
    expect(venv).toContain('--python /some/python');
    expect(sync).toMatch(
      /^pip sync --require-hashes --only-binary :all: --link-mode copy --compile-bytecode --python .*crewai\/bin\/python .*locks\/crewai\.txt$/,
    );
    expect(readFileSync(inFolder('cache', 'python', 'crewai', STAMP), 'utf8')).toBe(lockHash('crewai'));
    expect(whyAbsent(findAdapter('crewai'))).toBeUndefined();
    expect(whyAbsent(findAdapter('autogen'))).toBe('not set up; agentgauge setup python');
  });

  test('leaves alone what is ready, and makes anew what was made from another lock', async () => {
    await called('setup', 'python', 'autogen');
    expect(uvCalls()).toHaveLength(2);
    expect((await called('setup', 'python', 'autogen')).err).toBe('autogen: ready\n');
    expect(uvCalls()).toHaveLength(2);
    writeFileSync(inFolder('cache', 'python', 'autogen', STAMP), 'of yesterday');
    expect(interpreterOf('autogen')).toBeUndefined();
    await called('setup', 'python', 'autogen');
    expect(uvCalls()).toHaveLength(4);
    expect(interpreterOf('autogen')).toBeDefined();
  });

  test.each([
    [
      'a broken download',
      'echo "error: connection reset" >&2; exit 2',
      /connection reset[\s\S]*Check that the package registry can be reached, then call the same command again/,
    ],
    ['a full disk', 'echo "error: No space left on device (os error 28)" >&2; exit 2', /No space left[\s\S]*Free some space/],
    ['a kill', 'kill -9 $$', /could not be made[\s\S]*goes on where it stopped/],
  ])('%s leaves no environment, and the next call mends it', async (_, sync, words) => {
    uv(sync);
    const { code, err } = await called('setup', 'python', 'graphbit', 'pydantic-ai');
    expect(code).toBe(1);
    expect(err).toMatch(words);
    expect(interpreterOf('pydantic-ai')).toBeUndefined();
    uv();
    expect((await called('setup', 'python', 'graphbit', 'pydantic-ai')).out).toBe('Ready: pydantic-ai, graphbit.\n');
  });

  test('refuses beside another set-up at work, and not because of one that was killed', async () => {
    mkdirSync(inFolder('cache', 'python'), { recursive: true });
    writeFileSync(inFolder('cache', 'python', 'setup.lock'), String(process.ppid));
    expect((await called('setup', 'python', 'graphbit')).err).toContain(`process ${process.ppid} is setting up Python already`);
    writeFileSync(inFolder('cache', 'python', 'setup.lock'), '4194303');
    expect((await called('setup', 'python', 'graphbit')).code).toBe(0);
    expect(existsSync(inFolder('cache', 'python', 'setup.lock'))).toBe(false);
  });

  test('--prune drops downloads and half-made environments, and keeps what is ready', async () => {
    await called('setup', 'python', 'graphbit');
    for (const name of ['downloads', 'crewai', 'of-an-older-version']) mkdirSync(inFolder('cache', 'python', name));
    expect((await called('setup', 'python', '--prune')).out).toMatch(/^Dropped crewai, downloads, of-an-older-version from /);
    expect(interpreterOf('graphbit')).toBeDefined();
    expect((await called('setup', 'python', '--prune')).out).toBe('Nothing to drop.\n');
  });

  test('says what is missing where there is no Python that the locks are made for', async () => {
    script('python', 'echo 3 10 /some/python');
    const { code, err } = await called('setup', 'python');
    expect(code).toBe(1);
    expect(err).toMatch(/Python 3\.11 to 3\.13 is needed, and none was found \[NO_PYTHON\]\n {2}Install one/);
  });
});

describe('reproduce without a set-up', () => {
  test('names the Python rows in one sentence, and makes nothing without a terminal', async () => {
    const { code, out } = await called('reproduce', '--dry-run');
    expect(code).toBe(0);
    expect(out.replaceAll('\n  ', ' ')).toMatch(/^Not here: httpx, .*, crewai, .* \(not set up; agentgauge setup python\)\.$/m);
    expect(uvCalls()).toEqual([]);
  });

  test('with --yes tries the set-up, and runs the other rows when that fails', async () => {
    uv('echo "error: no route to host" >&2; exit 2');
    const { code, out, err } = await called(
      'reproduce',
      '--yes',
      '--frameworks',
      'fetch,graphbit',
      '--settings',
      'default',
      '--task-types',
      'zero-tool',
      '--out',
      inFolder('runs'),
    );
    expect(code).toBe(0);
    expect(err).toMatch(/Python rows are not set up yet: about 164 MB[\s\S]*no route to host[\s\S]*The study goes on without these rows\./);
    expect(out).toContain('Asked for and not here: graphbit (not set up; agentgauge setup python).');
  });
});

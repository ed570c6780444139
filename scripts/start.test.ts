import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TinyClone } from './fixtures/tiny-clone.ts';

let clone: TinyClone;
beforeEach(() => {
  clone = new TinyClone();
});
afterEach(() => clone.remove());

/** What differs from machine to machine. */
const masked = (text: string) =>
  text
    .replaceAll(clone.root, 'ROOT')
    .replace(/\d+\.\d s/g, 'N s')
    .replace(/process \d+/g, 'process PID')
    .replace(/since [\dT:.Z-]+/g, 'since TIME');

describe('a clone without node_modules', () => {
  test('is installed and built, says so on standard error, and the command runs with its arguments', async () => {
    const { code, out, err } = await clone.start(['list', 'a b', '--x']);
    expect({ code, out }).toEqual({ code: 0, out: 'cli list a b --x\n' });
    expect(masked(err)).toMatchInlineSnapshot(`
      "agentgauge: nothing is installed yet: npm ci brings 2 packages (300 MB to download unless npm has them in its cache, 780 MB on disk, 15 seconds to 3 minutes)
      agentgauge: installed in N s
      agentgauge: built 2 sources in N s
      "
    `);
  });

  test('gets every kind of dependency, judged by the Node of the lock, whatever the user has npm leave out', async () => {
    const { err } = await clone.start(['list'], { env: { NODE_ENV: 'production', npm_config_omit: 'dev optional' }, claims: '20.9.0' });
    const [call] = clone.npmCalls();
    expect(call?.args).toEqual(expect.arrayContaining(['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--engine-strict=false']));
    expect(call).toMatchObject({ judgesBy: 'v24.22.3' });
    expect(call?.nodeEnv).toBeUndefined();
    expect(err).toContain('NODE_ENV=production is set aside for this');
  });

  test('fails with the name of a package that npm left out without a word', async () => {
    const { code, err } = await clone.start(['list'], { env: { FAKE_NPM: 'omits=zod' } });
    expect(code).toBe(1);
    expect(err).toContain('npm ci failed (it ended well, yet zod is missing)');
  });

  test('is not taken for installed when npm ended well on a full disk, also not by the next command', async () => {
    const { code, err } = await clone.start(['list'], { env: { FAKE_NPM: 'warns=tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write' } });
    expect(code).toBe(1);
    expect(err).toContain('the disk is full');
    expect((await clone.start(['list'])).err).toContain('an earlier install did not finish');
  });
});

describe('a clone that is installed', () => {
  beforeEach(async () => {
    await clone.start(['list']);
  });

  test('starts without npm, without compiler and without a word', async () => {
    const { out, err } = await clone.start(['list']);
    expect({ out, err, installs: clone.npmCalls().length }).toEqual({ out: 'cli list\n', err: '', installs: 1 });
  });

  test('is built again when the content of a source changes, not when only its time does', async () => {
    const file = join(clone.root, 'scripts', 'cli.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text);
    expect((await clone.start(['list'])).err).toBe('');
    writeFileSync(file, text.replace("'cli'", "'changed'"));
    expect(await clone.start(['list'])).toMatchObject({ out: 'changed list\n', err: expect.stringContaining('built') });
  });

  test('loses the output of a source that is gone, and keeps copies of what modules find beside themselves', async () => {
    clone.write('base/old.ts', 'export const a = 1;');
    clone.write('base/words.txt', 'one');
    await clone.start(['list']);
    expect([clone.has('dist/base/old.js'), clone.has('dist/base/words.txt')]).toEqual([true, true]);
    rmSync(join(clone.root, 'base', 'old.ts'));
    await clone.start(['list']);
    expect([clone.has('dist/base/old.js'), clone.has('dist/base/words.txt')]).toEqual([false, true]);
  });

  test.each([
    ['a package folder is gone', 'node_modules/zod', 'the folder of zod is gone'],
    ["npm's own list is gone, as after a killed install", 'node_modules/.package-lock.json', 'an earlier install did not finish'],
  ])('is installed again when %s', async (_name, path, why) => {
    rmSync(join(clone.root, path), { recursive: true });
    const { code, err } = await clone.start(['list']);
    expect(code).toBe(0);
    expect(err).toContain(why);
    expect(clone.npmCalls()).toHaveLength(2);
  });

  test('is installed again when the lock names another version', async () => {
    clone.writeLock({ zod: '4.1.0' });
    expect((await clone.start(['list'])).err).toContain('zod is 4.0.0, the lock says 4.1.0');
  });

  test('refuses to install while a command works, and names its process', async () => {
    const study = clone.begin(['wait']);
    await study.said('cli wait');
    clone.writeLock({ zod: '4.1.0' });
    const { code, err } = await clone.start(['list']);
    expect(code).toBe(1);
    expect(masked(err)).toMatchInlineSnapshot(`
      "agentgauge: zod is 4.0.0, the lock says 4.1.0, but process PID (wait, since TIME) works with the packages that are installed now
        Wait until it ends, or end it, then run the same command again.
      "
    `);
    expect(err).toContain(`process ${readdirSync(join(clone.root, '.cache', 'running'))[0]?.replace('.json', '')} (wait`);
    study.child.kill('SIGINT');
    await study.ended;
    expect((await clone.start(['list'])).code).toBe(0);
  });

  test('waits for a short command before it changes what that one was built from', async () => {
    const short = clone.begin(['wait']);
    await short.said('cli wait');
    clone.write('base/fresh.ts', 'export const a = 1;');
    const second = clone.begin(['list']);
    await second.said('sources changed; waiting a moment for process');
    expect(clone.has('dist/base/fresh.js')).toBe(false);
    short.child.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 0, out: 'cli list\n' });
    expect(clone.has('dist/base/fresh.js')).toBe(true);
  });

  test('sources that do not compile stop a command and are passed over by the tests', async () => {
    clone.write('base/broken.ts', '// TYPE ERROR');
    const { code, out, err } = await clone.start(['list']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(masked(err)).toMatchInlineSnapshot(`
      "agentgauge: the sources do not compile:
        base/broken.ts(1,1): error TS2322: planted
        Mend these, or go back to sources that compile.
      "
    `);
    expect(await clone.start(['--test', 'base', '-t', 'a b'])).toMatchObject({
      code: 0,
      out: 'vitest run base -t a b\n',
      err: expect.stringContaining('do not compile'),
    });
  });

  test('hands on the exit code, and signals in both directions', async () => {
    expect((await clone.start(['exit', '7'])).code).toBe(7);
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const started = clone.begin(['wait']);
      await started.said('cli wait');
      started.child.kill(signal);
      expect((await started.ended).code).toBe(code);
    }
  });
});

test('of two commands at once one installs, and the other waits and says for whom', async () => {
  const first = clone.begin(['list'], { env: { FAKE_NPM: 'slow=600' } });
  await first.said('npm ci brings');
  const second = await clone.start(['list']);
  expect(second).toMatchObject({ code: 0, out: 'cli list\n' });
  expect(second.err).toContain(`process ${first.child.pid} is installing packages in this folder since`);
  expect((await first.ended).code).toBe(0);
  expect(clone.npmCalls()).toHaveLength(1);
});

test('an install that was killed is repaired by the next command', async () => {
  const { code } = await clone.start(['list'], { env: { FAKE_NPM: 'dies' } });
  expect(code).toBeNull();
  expect(clone.has('.cache/start.lock')).toBe(true);
  expect(await clone.start(['list'])).toMatchObject({ code: 0, out: 'cli list\n', err: expect.stringContaining('an earlier install did not finish') });
});

test.each([
  [
    'code ENOTFOUND\nnpm error request to https://registry.example/zod failed, reason: getaddrinfo ENOTFOUND registry.example',
    'registry https://registry.example: it is out of reach (ENOTFOUND)',
    'Check the connection',
  ],
  [
    'code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.example/zod failed',
    'registry https://registry.example: its certificate is not trusted',
    'NODE_EXTRA_CA_CERTS',
  ],
  ['code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write', 'the disk is full', 'Free about 1 GB'],
  ['code EACCES\nnpm error path /root/.npm/_cacache', 'a folder cannot be written', 'chown'],
  ['code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.', 'do not agree', 'npm install'],
  ['code E403\nnpm error 403 Forbidden - GET https://registry.example/zod', 'registry https://registry.example: it refused access', 'npm login'],
  ['something new\nnpm error     at ClientRequest.emit (node:events:518:28)', 'npm ci failed (exit code 1)', 'Mend what npm says'],
])('npm that fails with %s is put into plain words, with a remedy and npm’s own last lines', async (text, cause, remedy) => {
  const { code, out, err } = await clone.start(['list'], { env: { FAKE_NPM: `fails=${text}` } });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(cause);
  expect(err).toContain(remedy);
  expect(err).toContain(`  | npm error ${text.split('\n')[0]}`);
  expect(err).not.toContain('    at ');
});

test('Node below 20 is one line and exit code 1, whoever started it', async () => {
  for (const npm_config_user_agent of ['npm/6.14.0 node/v12.22.0', 'pnpm/9.0.0', 'yarn/1.22.22', 'bun/1.1.0']) {
    const { code, out, err } = await clone.start(['list'], { claims: '12.22.0', env: { npm_config_user_agent } });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      'agentgauge: Node 20 or newer is needed, this is Node 12.22.0: install a newer one (from your system or with a version manager), then run the same command again\n',
    );
  }
});

test('an option that npm kept for itself is a usage error that shows the right line', async () => {
  const { code, err } = await clone.start(['reproduce'], { env: { npm_config_quick: 'true', npm_lifecycle_event: 'reproduce' } });
  expect(code).toBe(2);
  expect(err).toContain('npm run reproduce -- --quick');
});

test('every file of the step is written in the syntax of Node 12', () => {
  const files = ['start.mjs', 'launch.mjs', ...readdirSync(join(import.meta.dirname, 'start')).map((name) => `start/${name}`)];
  expect(files.length).toBeGreaterThan(8);
  const younger = files.flatMap((file) => youngerSyntax(readFileSync(join(import.meta.dirname, file), 'utf8')).map((what) => `${file}: ${what}`));
  expect(younger).toEqual([]);
  expect(youngerSyntax('a?.b; a ?? b; a ||= b; await c; class A { #d = 1 }; 1_000; import x from "node:fs";')).toHaveLength(8);
});

/** Syntax that came after Node 12 (ES2020 and later), each by its own name. */
function youngerSyntax(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, inFunction: boolean): void => {
    if (Array.isArray(value)) for (const entry of value) visit(entry, inFunction);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as { type: string; [key: string]: unknown };
    const raw = String(node['raw'] ?? '');
    const operator = String(node['operator'] ?? '');
    if (['ChainExpression', 'PropertyDefinition', 'PrivateIdentifier', 'StaticBlock', 'ExportAllDeclaration'].includes(node.type)) found.push(node.type);
    if (['??', '??=', '||=', '&&='].includes(operator)) found.push(operator);
    if (node.type === 'AwaitExpression' && !inFunction) found.push('top-level await');
    if (node.type === 'Literal' && /^[\d.]+_|n$/.test(raw) && !/^['"]/.test(raw)) found.push(raw);
    if (node.type === 'ImportDeclaration' && String((node['source'] as { value: string }).value).startsWith('node:')) found.push('node: specifier');
    const inside = inFunction || /Function/.test(node.type);
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) visit(child, inside);
  };
  visit(parseSync('a.mjs', text).program, false);
  return found;
}

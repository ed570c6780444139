import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { toolSchemas } from './schemas.ts';
import { openTestSet, type TestSet } from './testing.ts';
import { TextCache } from './text-cache.ts';
import { GivenUp, loadPackage, ToolError } from './tool-error.ts';
import { createToolbox } from './toolbox.ts';
import { toolsForTaskType } from './toolset.ts';

let set: TestSet | undefined;
afterEach(async () => {
  await set?.close();
  set = undefined;
});

describe('the border of attachments', () => {
  it.each([
    '../attachment-1.txt',
    './attachment-1.txt',
    'files/f0',
    '/etc/passwd',
    'attachment-1.txt\0',
    '..\\attachment-1.txt',
    'ATTACHMENT-1.TXT',
    '',
    'file:///etc/passwd',
    '%2e%2e/f0',
  ])('knows files by neutral name only: %j is none', async (file) => {
    set = await openTestSet({ 'attachment-1.txt': 'text' });
    const { status, text } = await set.run('read_text', { file });
    expect(status).toBe(200);
    expect(text).toContain('The files of this task are attachment-1.txt.');
  });

  it('says so when a task has no attachments', async () => {
    set = await openTestSet({});
    expect(await set.run('read_pdf', { file: 'a.pdf' })).toEqual({ status: 200, text: 'There is no file "a.pdf": this task has no attachments.' });
  });

  it('never leaves the directory of the set, neither by a path nor through a link', async () => {
    set = await openTestSet({ 'attachment-1.txt': 'text' });
    const outside = path.join(os.tmpdir(), `outside-${process.pid}.txt`);
    await writeFile(outside, 'secret');
    await symlink(outside, path.join(set.directory, 'files', 'link'));
    for (const hostile of ['files/link', `../${path.basename(outside)}`, outside, '.', 'files']) {
      const { status, text } = await set.toolbox.run('read_text', { file: 'x.txt' }, { attachments: [{ name: 'x.txt', path: hostile }] });
      expect(status, hostile).toBe(500);
      expect(text).not.toContain('secret');
    }
    await rm(outside);
  });

  it('is a dead back end when a file that the set promises is gone', async () => {
    set = await openTestSet({ 'attachment-1.txt': 'text' });
    await rm(path.join(set.directory, 'files', 'f0'));
    expect(await set.run('read_text', { file: 'attachment-1.txt' })).toEqual({
      status: 500,
      text: 'read_text: ATTACHMENT_MISSING: attachment-1.txt is missing in the task set; build the task set again',
    });
  });
});

describe('the toolbox', () => {
  it('refuses unknown tools and wrong arguments', async () => {
    set = await openTestSet({});
    expect(await set.run('read_mind', {})).toMatchObject({ status: 404, text: expect.stringContaining('The tools are read_pdf, read_spreadsheet,') });
    expect(await set.run('read_pdf', { file: 1 })).toEqual({ status: 422, text: 'read_pdf: parameter "file" must be a string, found the number 1' });
  });

  it('runs with what it got at the lenient border, and still throws nothing', async () => {
    set = await openTestSet({ 'attachment-1.txt': 'one\ntwo' }, [], { arguments: 'lenient' });
    expect(await set.run('read_text', { file: 'attachment-1.txt', start_line: '2' })).toEqual({ status: 200, text: 'two' });
    for (const schema of set.toolbox.schemas) {
      for (const nonsense of [{}, null, [], 'x', { file: {}, url: [], query: true, expression: null, part: 'x' }]) {
        const { status } = await set.run(schema.name, nonsense);
        expect([200, 500]).toContain(status);
      }
    }
  });

  it('says that a set has no web, or that there is no set', async () => {
    set = await openTestSet({});
    expect(await set.run('web_search', { query: 'a' })).toMatchObject({ status: 500, text: expect.stringContaining('NO_WEB') });
    const bare = await createToolbox({ cacheDirectory: path.join(set.directory, 'cache') });
    expect(await bare.run('web_fetch', { url: 'https://a.example/' }, { attachments: [] })).toMatchObject({
      status: 500,
      text: expect.stringContaining('NO_TASK_SET'),
    });
    await bare.close();
  });

  it('does not open over damaged pages: the line is named', async () => {
    const opening = openTestSet({}, [{ url: 'https://www.a.example/' }, { url: 'no address' }]);
    await expect(opening).rejects.toMatchObject({ code: 'WEB_UNREADABLE', message: expect.stringMatching(/^line 2 of .*pages\.jsonl is no page$/) });
  });

  it('M2.5: has read pages and attachments before the first call, whose answer comes from what was kept', async () => {
    const page = { url: 'https://www.a.example/', body: '<main><p>Some text that is read and kept.</p></main>' };
    set = await openTestSet({ 'attachment-1.csv': 'a,b\n1,2\n' }, [page]);
    const texts = path.join(set.directory, 'cache', 'texts');
    const before = await readdir(texts);
    expect(before.length).toBe(2);
    await rm(path.join(set.directory, 'web'), { recursive: true });
    expect((await set.run('web_fetch', { url: page.url })).text).toContain('Some text that is read and kept.');
    expect((await set.run('read_spreadsheet', { file: 'attachment-1.csv' })).text).toContain('Row 2: 1 | 2');
    expect(await readdir(texts)).toEqual(before);
  });

  it('gives the same text from a warm cache as from a cold one, and a damaged cache is made anew', async () => {
    const page = { url: 'https://www.a.example/', body: '<title>T</title><main><p>Some text that is read and kept.</p></main>' };
    set = await openTestSet({ 'attachment-1.csv': 'a,b\n1,2\n', 'attachment-2.pdf': 'no pdf' }, [page]);
    const { attachments, directory } = set;
    const ask = async (toolbox: TestSet['toolbox']) => [
      await toolbox.run('read_spreadsheet', { file: 'attachment-1.csv' }, { attachments }),
      await toolbox.run('read_pdf', { file: 'attachment-2.pdf' }, { attachments }),
      await toolbox.run('web_fetch', { url: page.url }, { attachments }),
    ];
    const cold = await ask(set.toolbox);
    const cacheDirectory = path.join(directory, 'cache');
    const texts = path.join(cacheDirectory, 'texts');
    const kept = await readdir(texts);
    expect(kept.length).toBe(3);
    for (const damage of [false, true]) {
      if (damage) for (const file of kept) await writeFile(path.join(texts, file), '{"val');
      const again = await createToolbox({ taskSetDirectory: directory, cacheDirectory });
      expect(await ask(again)).toEqual(cold);
      await again.close();
    }
    expect(await readdir(texts)).toEqual(kept);
  });

  it('reads anew at every call where the cache is off, gives the same texts and keeps none; what another model said of a picture it keeps all the same', async () => {
    const page = { url: 'https://www.a.example/', body: '<title>T</title><main><p>Some text that is read and kept.</p></main>' };
    set = await openTestSet({ 'attachment-1.csv': 'a,b\n1,2\n' }, [page]);
    const { attachments, directory } = set;
    const cacheDirectory = path.join(directory, 'other');
    const off = await createToolbox({ taskSetDirectory: directory, cacheDirectory, cache: 'off' });
    for (const [tool, given] of [
      ['read_spreadsheet', { file: 'attachment-1.csv' }],
      ['run_javascript', { code: '6 * 7' }],
      ['web_fetch', { url: page.url }],
      ['web_search', { query: 'text' }],
    ] as const) {
      const told = await set.run(tool, given);
      for (let call = 0; call < 2; call++) expect(await off.run(tool, given, { attachments })).toEqual(told);
    }
    await off.close();
    await expect(readdir(path.join(cacheDirectory, 'texts'))).rejects.toMatchObject({ code: 'ENOENT' });

    const cache = new TextCache(cacheDirectory, { isOff: true });
    let reads = 0;
    const recipe = (reader: string, more: { readonly always?: true } = {}) => ({
      reader,
      source: 's',
      bytes: async () => Buffer.from('x'),
      read: () => ++reads,
      onDisk: true as const,
      ...more,
    });
    expect([await cache.get(recipe('a')), await cache.get(recipe('a'))]).toEqual([1, 2]);
    expect([await cache.get(recipe('b', { always: true })), await cache.get(recipe('b', { always: true }))]).toEqual([3, 3]);
  });

  it('tries again in the next run what was given up in this one for want of time, and gives every row of this one the same', async () => {
    set = await openTestSet({});
    const folder = path.join(set.directory, 'passing');
    const cache = new TextCache(folder);
    let reads = 0;
    const recipe = (read: () => string) => ({ reader: 'r', source: 's', bytes: async () => Buffer.from('x'), read, onDisk: true as const });
    const tooSlow = recipe(() => {
      reads += 1;
      throw new GivenUp('a.pdf takes more than 15 s to read and was given up.');
    });
    for (let row = 0; row < 2; row++) await expect(cache.get(tooSlow)).rejects.toThrow('was given up');
    expect(reads).toBe(1);
    expect(await new TextCache(folder).get(recipe(() => 'read'))).toBe('read');
  });

  it('works with a cache directory that cannot be written', async () => {
    set = await openTestSet({ 'attachment-1.csv': 'a,b\n' }, [], { cacheDirectory: fileURLToPath(import.meta.url) });
    expect((await set.run('read_spreadsheet', { file: 'attachment-1.csv' })).text).toContain('Row 1: a | b');
  });

  it('names a missing package and the command that brings it', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    const load = loadPackage('unpdf', () => Promise.reject(missing));
    await expect(load).rejects.toThrow(ToolError);
    await expect(load).rejects.toMatchObject({
      code: 'MISSING_PACKAGE',
      message: 'the optional package unpdf is not installed',
      remedy: expect.stringMatching(/^npm install unpdf@\d+\.\d+\.\d+$/),
    });
  });
});

describe('the tools of a task', () => {
  it('M1.3: depend on its type alone', () => {
    expect(toolsForTaskType('zero-tool')).toEqual([]);
    expect(toolsForTaskType('document')).toEqual([
      'read_pdf',
      'read_spreadsheet',
      'read_document',
      'read_text',
      'list_archive',
      'describe_image',
      'transcribe_audio',
      'run_python',
      'run_javascript',
      'calculator',
    ]);
    expect(toolsForTaskType('web')).toEqual(['web_search', 'web_fetch', 'calculator']);
  });

  it('have schemas in the order asked for, and an unknown one is an error that names those that exist', () => {
    expect(toolSchemas(['calculator', 'read_pdf']).map((schema) => schema.name)).toEqual(['calculator', 'read_pdf']);
    expect(() => toolSchemas(['read_mind'])).toThrow('there is no tool "read_mind"');
  });
});

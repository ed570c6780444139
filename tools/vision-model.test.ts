import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Picture } from '../tasks/gaia/documents/picture.ts';
import { pngBytes } from '../tasks/gaia/documents/picture-files.ts';
import { openTestSet, type TestSet } from './testing.ts';
import type { ToolboxOptions } from './toolbox.ts';
import { visionEnvironment, visionModel } from './vision-model.ts';

const PNG = pngBytes(new Picture(40, 20));

interface Asked {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly [{ readonly content: readonly [unknown, { readonly image_url: { readonly url: string } }] }];
  };
}

let server: Server;
let asked: Asked[];
let answer: { status: number; body: string };
let set: TestSet | undefined;

beforeEach(async () => {
  asked = [];
  answer = { status: 200, body: JSON.stringify({ choices: [{ message: { content: ' A sign that says "48". ' } }] }) };
  server = createServer(async (request, response) => {
    asked.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(await textOf(request)) });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AGENTGAUGE_VISION_URL', `http://127.0.0.1:${portOf(server)}/v1/`);
  vi.stubEnv('AGENTGAUGE_VISION_MODEL', 'sees-well');
  vi.stubEnv('AGENTGAUGE_VISION_KEY', 'a-secret-key');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await set?.close();
  set = undefined;
  server.closeAllConnections();
  server.close();
});

const portOf = (of: Server) => (of.address() as AddressInfo).port;

async function look(content: Uint8Array | string = PNG, options: Partial<ToolboxOptions> = {}) {
  set = await openTestSet({ 'attachment-1.png': content }, [], options);
  return await set.run('describe_image', { file: 'attachment-1.png' });
}

describe('describe_image with a vision model', () => {
  test('sends the picture as it is, with model and key, and gives what is said of it', async () => {
    expect(await look()).toEqual({
      status: 200,
      text: 'Image: attachment-1.png, PNG, 40 x 20 pixels\nDescribed by sees-well:\nA sign that says "48".',
    });
    expect(asked).toMatchObject([{ path: '/v1/chat/completions', authorization: 'Bearer a-secret-key', body: { model: 'sees-well' } }]);
    expect(asked[0]?.body.messages[0].content[1].image_url.url).toBe(`data:image/png;base64,${Buffer.from(PNG).toString('base64')}`);
  });

  test.each(['on', 'off'] as const)(
    'asks once for a picture, read ahead and kept, so that no row waits longer or hears another description: cache %s',
    async (cache) => {
      await look(PNG, { cache });
      await set?.run('describe_image', { file: 'attachment-1.png' });
      expect(asked).toHaveLength(1);
    },
  );

  test.each([
    ['refuses', { status: 401, body: 'no such key: a-secret-key' }, 'answered 401'],
    ['says no JSON', { status: 200, body: '<html>' }, 'did not answer with JSON'],
    ['says nothing', { status: 200, body: '{"choices":[{"message":{"content":null}}]}' }, 'said nothing'],
  ])('is a dead back end when the server %s, and neither address nor key is told', async (_, given, what) => {
    answer = given;
    const { status, text } = await look();
    expect(status).toBe(500);
    expect(text).toBe(`describe_image: VISION_FAILED: the vision model sees-well ${what}; check its address, its name and its key`);
  });

  test('tells no address of a server that is not there', async () => {
    vi.stubEnv('AGENTGAUGE_VISION_URL', 'http://127.0.0.1:1/v1');
    expect((await look()).text).not.toMatch(/127\.0\.0\.1|ECONN/);
  });

  test('does not send what is no picture', async () => {
    expect(await look('no picture')).toEqual({ status: 200, text: 'attachment-1.png is no picture that can be read.' });
    expect(asked).toEqual([]);
  });
});

describe('the environment of a vision model', () => {
  test('is three variables and nothing else', () => {
    expect(visionEnvironment({ AGENTGAUGE_VISION_URL: 'http://a/v1', AGENTGAUGE_VISION_MODEL: 'm', AGENTGAUGE_VISION_KEY: '', HOME: '/root' })).toEqual({
      AGENTGAUGE_VISION_URL: 'http://a/v1',
      AGENTGAUGE_VISION_MODEL: 'm',
    });
    expect(visionModel({})).toBeUndefined();
  });

  test.each([{ AGENTGAUGE_VISION_URL: 'http://a/v1' }, { AGENTGAUGE_VISION_MODEL: 'm' }, { AGENTGAUGE_VISION_URL: 'a:b', AGENTGAUGE_VISION_MODEL: 'm' }])(
    'is refused when it is %j',
    (environment) => {
      expect(() => visionModel(environment)).toThrow(expect.objectContaining({ code: 'VISION_INCOMPLETE' }));
    },
  );
});

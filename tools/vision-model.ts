// A model that sees, for `describe_image`: any server that takes pictures in Chat Completions. Address, name and key come from the environment; only the name
// stands in what a tool says. The simulated model has none: it reads the words of OCR.
import { createHash } from 'node:crypto';
import { UsageError } from '../base/error.ts';
import { ToolError } from './tool-error.ts';

export interface VisionModel {
  readonly name: string;
  /** Of server and model: what one says is not kept for another. */
  readonly key: string;
  /** @param mediaType such as `image/png`. @throws ToolError VISION_FAILED, without the server's address */
  describe(mediaType: string, bytes: Uint8Array): Promise<string>;
}

const VARIABLES = ['AGENTGAUGE_VISION_URL', 'AGENTGAUGE_VISION_MODEL', 'AGENTGAUGE_VISION_KEY'] as const;
const TIMEOUT_MS = 60_000;
const PROMPT =
  'Describe this picture for somebody who cannot see it and must answer questions about it. Give every text and number in it word for word, in reading order; then objects, their number, colours and places; of a chart the value of each mark.';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that the tool broker needs of the host's environment for a vision model, and no others. */
export function visionEnvironment(environment: Environment): Record<string, string> {
  return Object.fromEntries(VARIABLES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

/** @returns `undefined` when none is set. @throws UsageError `VISION_INCOMPLETE` when only one of address and name is, or the address is none */
export function visionModel({
  AGENTGAUGE_VISION_URL: url,
  AGENTGAUGE_VISION_MODEL: name,
  AGENTGAUGE_VISION_KEY: secret,
}: Environment): VisionModel | undefined {
  if (!url && !name) return undefined;
  if (!url || !name || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError('VISION_INCOMPLETE', 'a vision model needs the address of its server and its name', {
      remedy: 'Set AGENTGAUGE_VISION_URL up to and with /v1, and AGENTGAUGE_VISION_MODEL; or neither.',
    });
  const address = `${url.replace(/\/+$/, '')}/chat/completions`;
  const key = createHash('sha256').update(`${address} ${name}`).digest('hex').slice(0, 16);
  return { name, key, describe: (mediaType, bytes) => ask({ address, name, secret }, mediaType, bytes) };
}

interface Server {
  readonly address: string;
  readonly name: string;
  readonly secret: string | undefined;
}

async function ask({ address, name, secret }: Server, mediaType: string, bytes: Uint8Array): Promise<string> {
  const picture = { type: 'image_url', image_url: { url: `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}` } };
  let status: number;
  let body: unknown;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(secret ? { authorization: `Bearer ${secret}` } : {}) },
      body: JSON.stringify({ model: name, messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT }, picture] }] }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    body = response.ok ? await response.json() : await response.body?.cancel();
  } catch {
    // What was thrown names the server, which is nobody's business in a record.
    throw failed(name, 'did not answer with JSON');
  }
  if (status < 200 || status > 299) throw failed(name, `answered ${status}`);
  const { choices } = body as { readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[] };
  const text = choices?.[0]?.message?.content;
  if (typeof text !== 'string' || text.trim() === '') throw failed(name, 'said nothing');
  return text.trim();
}

function failed(name: string, what: string): ToolError {
  return new ToolError('VISION_FAILED', `the vision model ${name} ${what}`, { remedy: 'check its address, its name and its key' });
}

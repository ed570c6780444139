// Whisper's encoder and decoder as the two ONNX graphs that sherpa-onnx runs, from weights by the names that CTranslate2 gives them. Weights stay half-precision
// and are widened when the file is opened, so arithmetic is in single precision and differs least between processors.
import { GaugeError } from '../../base/error.ts';
import { FLOAT, Graph, INT64, type Port, type Tensor } from './onnx-file.ts';

type Weights = ReadonlyMap<string, Tensor>;

/** What the decoder needs to know of the words of the model. */
export interface Vocabulary {
  readonly start: number;
  readonly end: number;
  readonly blank: number;
  readonly translate: number;
  readonly transcribe: number;
  readonly noTimestamps: number;
  readonly noSpeech: number;
  readonly startOfPrevious: number;
  readonly startOfModel: number;
}

/** Each head of attention is so wide in every Whisper. */
const HEAD = 64;

/** One graph with the layers of a transformer. */
class Layers extends Graph {
  readonly weights: Weights;
  readonly width: number;

  constructor(weights: Weights) {
    super();
    this.weights = weights;
    this.width = dimsOf(weights, 'decoder/embeddings/weight')[1] as number;
  }

  /** The weight as single-precision numbers; of a fused one only the given third or half. */
  weight(name: string, part?: number): string {
    const tensor = found(this.weights, name);
    return this.node('Cast', [this.tensor(part === undefined ? tensor : rowsOf(tensor, part * this.width, this.width))], { to: FLOAT });
  }

  linear(input: string, name: string, part?: number): string {
    const turned = this.node('Transpose', [this.weight(`${name}/weight`, part)], { perm: [1, 0] });
    return this.node('Add', [this.node('MatMul', [input, turned]), this.weight(`${name}/bias`, part)]);
  }

  norm(input: string, name: string): string {
    return this.node('LayerNormalization', [input, this.weight(`${name}/gamma`), this.weight(`${name}/beta`)], { axis: -1, epsilon: { float: 1e-5 } });
  }

  attention(query: string, key: string, value: string, mask?: string): string {
    const heads = (of: string, perm: readonly number[]) =>
      this.node('Transpose', [this.node('Reshape', [of, this.integers(0, 0, this.width / HEAD, HEAD)])], { perm });
    const scores = this.node('Mul', [this.node('MatMul', [heads(query, [0, 2, 1, 3]), heads(key, [0, 2, 3, 1])]), this.float(HEAD ** -0.5)]);
    const shares = this.node('Softmax', [mask === undefined ? scores : this.node('Add', [scores, mask])], { axis: -1 });
    const mixed = this.node('Transpose', [this.node('MatMul', [shares, heads(value, [0, 2, 1, 3])])], { perm: [0, 2, 1, 3] });
    return this.node('Reshape', [mixed, this.integers(0, 0, this.width)]);
  }

  add(one: string, other: string): string {
    return this.node('Add', [one, other]);
  }

  forward(input: string, name: string): string {
    const inner = this.node('Gelu', [this.linear(this.norm(input, `${name}/layer_norm`), `${name}/linear_0`)]);
    return this.add(input, this.linear(inner, `${name}/linear_1`));
  }

  stacked(parts: readonly string[], name: string): void {
    const raised = parts.map((part) => this.node('Unsqueeze', [part, this.integers(0)]));
    this.node('Concat', raised, { axis: 0 }, name);
  }

  slice(of: string, from: string, to: string, axis: number): string {
    return this.node('Slice', [of, from, to, this.integers(axis)]);
  }

  lengthOf(value: string, axis: number): string {
    return this.node('Gather', [this.node('Shape', [value]), this.integers(axis)]);
  }
}

export function encoderGraph(weights: Weights, words: Vocabulary): Uint8Array {
  const graph = new Layers(weights);
  let x = 'mel';
  for (const [name, stride] of [
    ['conv1', 1],
    ['conv2', 2],
  ] as const) {
    const inputs = [x, graph.weight(`encoder/${name}/weight`), graph.weight(`encoder/${name}/bias`)];
    x = graph.node('Gelu', [graph.node('Conv', inputs, { pads: [1, 1], strides: [stride] })]);
  }
  x = graph.node('Transpose', [x], { perm: [0, 2, 1] });
  x = graph.add(x, graph.slice(graph.weight('encoder/position_encodings/encodings'), graph.integers(0), graph.lengthOf(x, 1), 0));
  for (let i = 0; i < layersOf(weights, 'encoder'); i++) {
    const name = `encoder/layer_${i}/self_attention`;
    const normed = graph.norm(x, `${name}/layer_norm`);
    const [query, key, value] = [0, 1, 2].map((part) => graph.linear(normed, `${name}/linear_0`, part)) as [string, string, string];
    x = graph.add(x, graph.linear(graph.attention(query, key, value), `${name}/linear_1`));
    x = graph.forward(x, `encoder/layer_${i}/ffn`);
  }
  x = graph.norm(x, 'encoder/layer_norm');
  for (const [part, name] of ['n_layer_cross_k', 'n_layer_cross_v'].entries())
    graph.stacked(
      range(layersOf(weights, 'decoder')).map((i) => graph.linear(x, `decoder/layer_${i}/attention/linear_1`, part)),
      name,
    );
  const facts = factsOf(weights, words);
  return graph.encode([{ name: 'mel', type: FLOAT, dims: ['N', facts.n_mels, 'T'] }], crossPorts(weights), facts);
}

export function decoderGraph(weights: Weights): Uint8Array {
  const graph = new Layers(weights);
  const [context = 0] = dimsOf(weights, 'decoder/position_encodings/encodings');
  const embeddings = graph.weight('decoder/embeddings/weight');
  const end = graph.add('offset', graph.lengthOf('tokens', 1));
  const zero = graph.integers(0);
  let x = graph.add(graph.node('Gather', [embeddings, 'tokens']), graph.slice(graph.weight('decoder/position_encodings/encodings'), 'offset', end, 0));
  const mask = graph.slice(graph.slice(graph.tensor(futureMask(context)), 'offset', end, 0), zero, end, 1);
  const kept: Record<'k' | 'v', string[]> = { k: [], v: [] };
  for (let i = 0; i < layersOf(weights, 'decoder'); i++) {
    const own = `decoder/layer_${i}/self_attention`;
    const normed = graph.norm(x, `${own}/layer_norm`);
    // What earlier words left behind, then the new ones; the rest of the memory stays as it is.
    const seen = (side: 'k' | 'v', part: number) => {
      const memory = graph.node('Gather', [`in_n_layer_self_${side}_cache`, graph.integer(i)], { axis: 0 });
      const known = graph.node('Concat', [graph.slice(memory, zero, 'offset', 1), graph.linear(normed, `${own}/linear_0`, part)], { axis: 1 });
      kept[side].push(graph.node('Concat', [known, graph.slice(memory, end, graph.integers(context), 1)], { axis: 1 }));
      return known;
    };
    x = graph.add(x, graph.linear(graph.attention(graph.linear(normed, `${own}/linear_0`, 0), seen('k', 1), seen('v', 2), mask), `${own}/linear_1`));
    const heard = `decoder/layer_${i}/attention`;
    const cross = (side: 'k' | 'v') => graph.node('Gather', [`n_layer_cross_${side}`, graph.integer(i)], { axis: 0 });
    const query = graph.linear(graph.norm(x, `${heard}/layer_norm`), `${heard}/linear_0`);
    x = graph.add(x, graph.linear(graph.attention(query, cross('k'), cross('v')), `${heard}/linear_2`));
    x = graph.forward(x, `decoder/layer_${i}/ffn`);
  }
  // Words times states, so that the largest matrix is not kept a second time on its side.
  const states = graph.node('Transpose', [graph.norm(x, 'decoder/layer_norm')], { perm: [0, 2, 1] });
  graph.node('Transpose', [graph.node('MatMul', [embeddings, states])], { perm: [0, 2, 1] }, 'logits');
  for (const side of ['k', 'v'] as const) graph.stacked(kept[side], `out_n_layer_self_${side}_cache`);
  const [vocabulary = 0] = dimsOf(weights, 'decoder/embeddings/weight');
  const caches = (way: 'in' | 'out') =>
    ['k', 'v'].map(
      (side): Port => ({ name: `${way}_n_layer_self_${side}_cache`, type: FLOAT, dims: [layersOf(weights, 'decoder'), 'N', context, graph.width] }),
    );
  return graph.encode(
    [{ name: 'tokens', type: INT64, dims: ['N', 'L'] }, ...caches('in'), ...crossPorts(weights), { name: 'offset', type: INT64, dims: [1] }],
    [{ name: 'logits', type: FLOAT, dims: ['N', 'L', vocabulary] }, ...caches('out')],
  );
}

/** By the names that sherpa-onnx asks for. English models only: they take no mark of a language. */
function factsOf(weights: Weights, words: Vocabulary) {
  const [, width = 0] = dimsOf(weights, 'decoder/embeddings/weight');
  const [vocabulary = 0] = dimsOf(weights, 'decoder/embeddings/weight');
  return {
    model_type: 'whisper',
    version: '1',
    maintainer: 'agentgauge',
    n_mels: dimsOf(weights, 'encoder/conv1/weight')[1] as number,
    n_audio_ctx: dimsOf(weights, 'encoder/position_encodings/encodings')[0] as number,
    n_audio_state: width,
    n_audio_head: width / HEAD,
    n_audio_layer: layersOf(weights, 'encoder'),
    n_vocab: vocabulary,
    n_text_ctx: dimsOf(weights, 'decoder/position_encodings/encodings')[0] as number,
    n_text_state: width,
    n_text_head: width / HEAD,
    n_text_layer: layersOf(weights, 'decoder'),
    sot: words.start,
    eot: words.end,
    blank_id: words.blank,
    translate: words.translate,
    transcribe: words.transcribe,
    is_multilingual: 0,
    no_timestamps: words.noTimestamps,
    no_speech: words.noSpeech,
    sot_prev: words.startOfPrevious,
    sot_lm: words.startOfModel,
    sot_index: 0,
    sot_sequence: String(words.start),
    all_language_tokens: '',
    all_language_codes: '',
  };
}

function crossPorts(weights: Weights): Port[] {
  const [, width = 0] = dimsOf(weights, 'decoder/embeddings/weight');
  return ['k', 'v'].map((side) => ({ name: `n_layer_cross_${side}`, type: FLOAT, dims: [layersOf(weights, 'decoder'), 'N', 'T', width] }));
}

/** Minus infinity where a word would look at a later one. */
function futureMask(size: number): Tensor {
  const mask = new Float32Array(size * size);
  for (let row = 0; row < size; row++) mask.fill(Number.NEGATIVE_INFINITY, row * size + row + 1, (row + 1) * size);
  return { dims: [size, size], type: FLOAT, bytes: new Uint8Array(mask.buffer) };
}

function rowsOf({ dims: [rows = 0, ...rest], type, bytes }: Tensor, from: number, count: number): Tensor {
  const size = bytes.length / rows;
  return { dims: [count, ...rest], type, bytes: bytes.subarray(from * size, (from + count) * size) };
}

function layersOf(weights: Weights, side: 'encoder' | 'decoder'): number {
  return new Set([...weights.keys()].flatMap((name) => new RegExp(`^${side}/(layer_\\d+)/`).exec(name)?.[1] ?? [])).size;
}

function dimsOf(weights: Weights, name: string): readonly number[] {
  return found(weights, name).dims;
}

function found(weights: Weights, name: string): Tensor {
  const tensor = weights.get(name);
  if (!tensor) throw new GaugeError('WEIGHTS_BROKEN', `the file of weights has no ${name}`);
  return tensor;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

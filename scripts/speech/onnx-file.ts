// Writes an ONNX file: a graph is collected node by node and encoded as the protocol buffer that the format is (field numbers of onnx.proto).
// Knows nothing of any model.

export const FLOAT = 1;
export const INT64 = 7;
export const FLOAT16 = 10;

export interface Tensor {
  readonly dims: readonly number[];
  readonly type: typeof FLOAT | typeof INT64 | typeof FLOAT16;
  readonly bytes: Uint8Array;
}

/** An input or output: a dimension that is not fixed has a name. */
export interface Port {
  readonly name: string;
  readonly type: typeof FLOAT | typeof INT64;
  readonly dims: readonly (number | string)[];
}

type Facts = Readonly<Record<string, string | number>>;

type Attribute = number | readonly number[] | { readonly float: number };

export class Graph {
  readonly #nodes: Uint8Array[] = [];
  readonly #tensors: Uint8Array[] = [];
  #values = 0;

  /** @returns the name of the result, by default a new one */
  node(kind: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}, name = `v${this.#values++}`): string {
    const parts = [...inputs.map((input) => text(1, input)), text(2, name), text(4, kind)];
    for (const [key, value] of Object.entries(attributes)) parts.push(field(5, attribute(key, value)));
    this.#nodes.push(joined(parts));
    return name;
  }

  tensor({ dims, type, bytes }: Tensor): string {
    const name = `c${this.#tensors.length}`;
    this.#tensors.push(joined([...dims.map((dim) => integer(1, dim)), integer(2, type), text(8, name), field(9, bytes)]));
    return name;
  }

  integers(...values: readonly number[]): string {
    return this.tensor({ dims: [values.length], type: INT64, bytes: new Uint8Array(BigInt64Array.from(values, BigInt).buffer) });
  }

  /** A number without dimensions. */
  integer(value: number): string {
    return this.tensor({ dims: [], type: INT64, bytes: new Uint8Array(BigInt64Array.of(BigInt(value)).buffer) });
  }

  float(value: number): string {
    return this.tensor({ dims: [], type: FLOAT, bytes: new Uint8Array(Float32Array.of(value).buffer) });
  }

  encode(inputs: readonly Port[], outputs: readonly Port[], facts: Facts = {}): Uint8Array {
    const graph = joined([
      ...this.#nodes.map((node) => field(1, node)),
      text(2, 'graph'),
      ...this.#tensors.map((tensor) => field(5, tensor)),
      ...inputs.map((port) => field(11, encodedPort(port))),
      ...outputs.map((port) => field(12, encodedPort(port))),
    ]);
    return joined([integer(1, FORMAT_VERSION), field(7, graph), field(8, integer(2, OPERATORS_VERSION)), encodedFacts(facts)]);
  }
}

/** A model with facts about itself. Fields of a protocol buffer may follow in any order, so these stand behind what was there. */
export function withFacts(model: Uint8Array, facts: Facts): Uint8Array {
  return joined([model, encodedFacts(facts)]);
}

function encodedFacts(facts: Facts): Uint8Array {
  return joined(Object.entries(facts).map(([key, value]) => field(14, joined([text(1, key), text(2, String(value))]))));
}

/** Operator set 20 is the first with Gelu. */
const OPERATORS_VERSION = 20;
const FORMAT_VERSION = 9;

function attribute(name: string, value: Attribute): Uint8Array {
  const [FLOAT_KIND, INTEGER_KIND, INTEGERS_KIND] = [1, 2, 7];
  if (typeof value === 'number') return joined([text(1, name), integer(3, value), integer(20, INTEGER_KIND)]);
  if ('float' in value) {
    const bytes = new Uint8Array(5);
    bytes[0] = (2 << 3) | 5;
    new DataView(bytes.buffer).setFloat32(1, value.float, true);
    return joined([text(1, name), bytes, integer(20, FLOAT_KIND)]);
  }
  return joined([text(1, name), ...value.map((one) => integer(8, one)), integer(20, INTEGERS_KIND)]);
}

function encodedPort({ name, type, dims }: Port): Uint8Array {
  const shape = joined(dims.map((dim) => field(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim))));
  return joined([text(1, name), field(2, field(1, joined([integer(1, type), field(2, shape)])))]);
}

function varint(value: number): number[] {
  const bytes = [];
  // Negative ones are written as 64 bits.
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

function integer(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(number << 3), ...varint(value)]);
}

function field(number: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([...varint((number << 3) | 2), ...varint(content.length)]), content]);
}

function text(number: number, value: string): Uint8Array {
  return field(number, new TextEncoder().encode(value));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

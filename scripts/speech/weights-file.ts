// Reads the weights of a CTranslate2 folder (`model.bin`): named tensors, kept as the half-precision bytes that they are.
import { GaugeError } from '../../base/error.ts';
import { FLOAT, FLOAT16, type Tensor } from './onnx-file.ts';

const TYPES: Readonly<Record<number, Tensor['type']>> = { 0: FLOAT, 4: FLOAT16 };

/** @throws GaugeError WEIGHTS_BROKEN */
export function readWeights(file: Uint8Array): Map<string, Tensor> {
  try {
    return tensorsOf(file);
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new GaugeError('WEIGHTS_BROKEN', `the file of weights is cut short or no CTranslate2 file: ${cause.message}`, { cause });
    throw cause;
  }
}

function tensorsOf(file: Uint8Array): Map<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 0;
  const byte = () => view.getUint8(at++);
  const word = () => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const name = () => {
    const length = view.getUint16(at, true);
    at += 2 + length;
    // Ends with a zero, which counts.
    return new TextDecoder().decode(file.subarray(at - length, at - 1));
  };
  const version = word();
  name();
  word();
  const tensors = new Map<string, Tensor>();
  for (let left = word(); left > 0; left--) {
    const key = name();
    const dims = Array.from({ length: byte() }, word);
    const type = TYPES[byte()];
    const size = word();
    if (at + size > file.length) throw new RangeError(`${key} ends behind the file`);
    // Scalars of settings have other types; no layer is among them.
    if (type !== undefined) tensors.set(key, { dims, type, bytes: file.subarray(at, at + size) });
    at += size;
  }
  if (version >= 3) {
    for (let left = word(); left > 0; left--) {
      const [alias, original] = [name(), name()];
      const tensor = tensors.get(original);
      if (tensor) tensors.set(alias, tensor);
    }
  }
  return tensors;
}

// Values as JSON text and back, the same value after as before. JSON alone would lose `undefined`, NaN, dates and their like in silence,
// so these stand in tagged objects, and what has no such form (functions, class instances, cycles) is refused with its place.
import { WorkflowError } from './workflow-error.ts';

const TAG = '$';

/** @throws WorkflowError `not-storable` naming what stands where. */
export function encodeValue(value: unknown, what: string): string {
  const path: (string | number)[] = [];
  try {
    return JSON.stringify(pack(value, path));
  } catch (error) {
    if (error instanceof WorkflowError) throw error;
    // The stack ran out: a cycle, or nesting of thousands of levels.
    throw notStorable(what, 'a cycle, or nesting too deep', path.slice(0, 8));
  }

  /** The value itself where nothing in it needs a tag. */
  function pack(given: unknown, path: (string | number)[]): unknown {
    switch (typeof given) {
      case 'string':
      case 'boolean':
        return given;
      case 'number':
        if (Number.isFinite(given) && !Object.is(given, -0)) return given;
        return { [TAG]: Object.is(given, -0) ? '-0' : String(given) };
      case 'undefined':
        return { [TAG]: 'undefined' };
      case 'bigint':
        return { [TAG]: 'bigint', of: String(given) };
      case 'object':
        return given === null ? null : Array.isArray(given) ? packList(given, path) : packObject(given, path);
      default:
        throw notStorable(what, `a ${typeof given}`, path);
    }
  }

  function packList(given: readonly unknown[], path: (string | number)[]): unknown {
    let packed: unknown[] | undefined;
    for (let i = 0; i < given.length; i++) {
      path.push(i);
      const one = pack(given[i], path);
      path.pop();
      if (packed === undefined && one !== given[i]) packed = given.slice(0, i);
      packed?.push(one);
    }
    return packed ?? given;
  }

  function packObject(given: object, path: (string | number)[]): unknown {
    if (given instanceof Date) return { [TAG]: 'date', of: Number.isNaN(given.getTime()) ? null : given.getTime() };
    if (given instanceof Map) return { [TAG]: 'map', of: packList([...given], path) };
    if (given instanceof Set) return { [TAG]: 'set', of: packList([...given], path) };
    if (given instanceof Uint8Array) return { [TAG]: 'bytes', of: Buffer.from(given).toString('base64') };
    const prototype: unknown = Object.getPrototypeOf(given);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw notStorable(what, `an instance of ${nameOf(given)}`, path);
    let packed: [string, unknown][] | undefined;
    const entries = Object.entries(given);
    for (const [i, [key, member]] of entries.entries()) {
      path.push(key);
      const one = pack(member, path);
      path.pop();
      if (packed === undefined && one !== member) packed = entries.slice(0, i);
      packed?.push([key, one]);
    }
    // `fromEntries` defines, so that a key `__proto__` stays a key.
    const object = packed === undefined ? given : Object.fromEntries(packed);
    return Object.hasOwn(given, TAG) ? { [TAG]: 'object', of: object } : object;
  }
}

/** The value of an encoded text that has been parsed already. Changes what it is given. @throws Error for a tag that it does not know */
export function unpack(given: unknown): unknown {
  if (given === null || typeof given !== 'object') return given;
  if (Array.isArray(given)) {
    for (let i = 0; i < given.length; i++) given[i] = unpack(given[i]);
    return given;
  }
  if (Object.hasOwn(given, TAG)) return untag(given as { readonly $: unknown; readonly of?: unknown });
  return unpackMembers(given);
}

function unpackMembers(given: object): object {
  for (const [key, member] of Object.entries(given)) {
    if (member === null || typeof member !== 'object') continue;
    Object.defineProperty(given, key, { value: unpack(member), writable: true, enumerable: true, configurable: true });
  }
  return given;
}

function untag({ $: tag, of }: { readonly $: unknown; readonly of?: unknown }): unknown {
  switch (tag) {
    case 'undefined':
      return undefined;
    case 'NaN':
    case 'Infinity':
    case '-Infinity':
    case '-0':
      return Number(tag);
    case 'bigint':
      return BigInt(of as string);
    case 'date':
      return new Date((of as number | null) ?? Number.NaN);
    case 'map':
      return new Map(unpack(of) as [unknown, unknown][]);
    case 'set':
      return new Set(unpack(of) as unknown[]);
    case 'bytes':
      return new Uint8Array(Buffer.from(of as string, 'base64'));
    case 'object':
      return unpackMembers(of as object);
    default:
      throw new Error(`unknown tag ${JSON.stringify(tag)}`);
  }
}

function nameOf(given: object): string {
  const made: unknown = (given as { readonly constructor?: unknown }).constructor;
  return typeof made === 'function' && made.name !== '' ? made.name : 'a class';
}

function notStorable(what: string, found: string, path: readonly (string | number)[]): WorkflowError {
  const place = path.length === 0 ? '' : ` at ${path.join('.')}`;
  return new WorkflowError('not-storable', `${what} holds ${found}${place}, which a checkpoint cannot keep`, {
    remedy: 'Keep plain objects, lists, text, numbers, dates, maps, sets and bytes in outputs and state.',
  });
}

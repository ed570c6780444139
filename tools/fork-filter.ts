// A seccomp filter, as bubblewrap takes it, that refuses every second process and thread: a limit of the kernel on their number does not bind root.
// The numbers are those of the kernel's system call tables (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h).

const CALLS: Readonly<Partial<Record<NodeJS.Architecture, { readonly audit: number; readonly refused: readonly number[] }>>> = {
  // clone, fork, vfork, clone3
  x64: { audit: 0xc000003e, refused: [56, 57, 58, 435] },
  // clone, clone3
  arm64: { audit: 0xc00000b7, refused: [220, 435] },
};

const [LOAD, EQUAL, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [ALLOW, REFUSE_EAGAIN, KILL] = [0x7fff0000, 0x0005000b, 0x80000000];
/** The second table of calls that x86-64 has. */
const X32 = 0x40000000;

/** @returns `undefined` where no table is known: only the kernel's limit holds there */
export function forkFilter(arch: NodeJS.Architecture = process.arch): Buffer | undefined {
  const calls = CALLS[arch];
  if (!calls) return undefined;
  const tests = [[AT_LEAST, X32] as const, ...calls.refused.map((number) => [EQUAL, number] as const)];
  return Buffer.concat([
    step(LOAD, 4),
    step(EQUAL, calls.audit, 1),
    step(RETURN, KILL),
    step(LOAD, 0),
    ...tests.map(([test, number], i) => step(test, number, tests.length - i)),
    step(RETURN, ALLOW),
    step(RETURN, REFUSE_EAGAIN),
  ]);
}

/** @param then steps to pass over where the test holds */
function step(code: number, operand: number, then = 0): Buffer {
  const bytes = Buffer.alloc(8);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  view.setUint16(0, code, little);
  view.setUint8(2, then);
  view.setUint32(4, operand, little);
  return bytes;
}

// A bound on WebAssembly memory in this process. The engines that run programs count their own memory wrongly (QuickJS) or not at all (Pyodide), and Node's
// limits do not reach it; but every page that they take goes through here.

const PAGE_BYTES = 65_536;
const grow = WebAssembly.Memory.prototype.grow;

/**
 * No memory grows beyond this from now on: the engine is told that there is none left.
 * @returns whether that has happened since
 */
export function boundMemory(bytes: number): () => boolean {
  let refused = false;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > bytes) {
      refused = true;
      throw new RangeError('memory limit');
    }
    return grow.call(this, pages);
  };
  return () => refused;
}

// Where a child process starts: the compiled file when we run compiled, the source when we run from source. The one place that knows.
import { fileURLToPath } from 'node:url';

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** @param module path from the root of the package without extension, such as `models/gateway` */
export function childEntry(module: string): string {
  return fileURLToPath(new URL(`../${module}${EXTENSION}`, import.meta.url));
}

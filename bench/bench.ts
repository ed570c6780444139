// `npm run bench -- NAME [--quick] [--format json]`: finds the bench by its name. Each is a file beside this one with a `main`, loaded only when it is asked for.
import { messageOf, UsageError } from '../base/error.ts';

interface Bench {
  main(args: readonly string[]): Promise<number>;
}

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  engine: () => import('./engine.ts'),
  gateway: () => import('./gateway.ts'),
  harness: () => import('./harness.ts'),
  overhead: () => import('./overhead.ts'),
  report: () => import('./report.ts'),
  tools: () => import('./tools.ts'),
};

const [name = '', ...rest] = process.argv.slice(2);
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load === undefined) {
  process.stderr.write(`There is no bench ${JSON.stringify(name)}; there are: ${Object.keys(BENCHES).join(', ')}. Example: npm run bench -- engine --quick\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await (await load()).main(rest);
  } catch (error) {
    process.stderr.write(`bench ${name}: ${messageOf(error)}\n`);
    if (error instanceof UsageError && error.remedy !== undefined) process.stderr.write(`${error.remedy}\n`);
    const isUsage = error instanceof UsageError || String((error as { readonly code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
    process.exitCode = isUsage ? 2 : 1;
  }
}

// `npm run bench -- NAME [--quick] [--format json]`: finds the bench by its name. Each is a file beside this one with a `main`.
import { messageOf } from '../base/error.ts';
import { main as engine } from './engine.ts';
import { main as overhead } from './overhead.ts';

const BENCHES: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { engine, overhead };

const [name = '', ...rest] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench === undefined) {
  process.stderr.write(`There is no bench ${JSON.stringify(name)}; there are: ${Object.keys(BENCHES).join(', ')}. Example: npm run bench -- engine --quick\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await bench(rest);
  } catch (error) {
    process.stderr.write(`bench ${name}: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

// How a floor runs one call of the model: the textbook's two lines in `default`, and in `hardened` what goes wrong is told to the model (method M1.6).
import type { Terms } from './adapter.ts';

/** @returns a function from a call's name and argument text to what goes back to the model. @throws in `default` whatever the textbook's loop throws */
export function floorCalls({ tools, settings }: Terms): (call: { readonly name: string; readonly arguments: string }) => Promise<string> {
  const functions = new Map(tools.map((tool) => [tool.name, tool.run]));
  // The cast is the textbook's: a name that nobody has is a TypeError here, and that is the point of these rows.
  if (settings === 'default') return async (call) => (functions.get(call.name) as (args: unknown) => Promise<string>)(JSON.parse(call.arguments));
  return async (call) => {
    const run = functions.get(call.name);
    if (run === undefined) return `Error: there is no tool ${call.name}; there are: ${[...functions.keys()].join(', ')}`;
    try {
      return await run(JSON.parse(call.arguments));
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

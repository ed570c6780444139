// A tool played from data, for conformance and faults: results in order, the last one again when they run out. `{{name}}` in a text echoes an argument.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedResult } from '../base/script.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { Arguments } from './tool.ts';
import type { ToolResult } from './toolbox.ts';

export interface ScriptedTool {
  readonly schema: ToolSchema;
  run(given: Arguments): Promise<ToolResult>;
}

export function scriptedTool(schema: ToolSchema, results: readonly ScriptedResult[]): ScriptedTool {
  let next = 0;
  return {
    schema,
    run: async (given) => {
      const result = results[Math.min(next++, results.length - 1)];
      if (!result) return { status: 200, text: '' };
      if (result.kind === 'failure') return { status: result.status, text: result.message };
      if (result.delayMs !== undefined) await sleep(result.delayMs);
      return { status: 200, text: result.text.replace(/\{\{([^}]+)\}\}/g, (whole, name: string) => (name in given ? String(given[name]) : whole)) };
    },
  };
}

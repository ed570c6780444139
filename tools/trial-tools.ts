// The tools of one open trial: those of the set that the host named, those that only this trial has, and what is done to their results.
import { GaugeError } from '../base/error.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import { checkArguments, coerceArguments } from './check-arguments.ts';
import type { BrokerRequest } from './control.ts';
import { findTool } from './registry.ts';
import { scriptedTool } from './scripted-tool.ts';
import { type Toolbox, type ToolResult, unknownTool } from './toolbox.ts';

type TrialOpen = Extract<BrokerRequest, { type: 'trial-open' }>;

export interface TrialTools {
  readonly schemas: readonly ToolSchema[];
  readonly keepResults: boolean;
  /** Never rejects. */
  run(name: string, received: unknown): Promise<ToolResult>;
}

/** @throws GaugeError `UNKNOWN_TOOL` when the host names a tool that is neither built in nor scripted */
export function openTrialTools(request: TrialOpen, toolbox: Toolbox, border: 'strict' | 'lenient'): TrialTools {
  const scripted = new Map((request.scripted ?? []).map(({ schema, results }) => [schema.name, scriptedTool(schema, results)]));
  const builtIn = new Map<string, ToolSchema>();
  for (const name of request.tools) {
    if (scripted.has(name)) continue;
    const tool = findTool(name);
    if (!tool) throw new GaugeError('UNKNOWN_TOOL', `trial ${request.trialId} names the tool "${name}", which does not exist`);
    builtIn.set(name, tool.schema);
  }
  const schemas = [...builtIn.values(), ...[...scripted.values()].map((tool) => tool.schema)];
  const existing = schemas.map((schema) => ({ schema }));
  const run = async (name: string, received: unknown): Promise<ToolResult> => {
    const tool = scripted.get(name);
    if (tool) {
      const checked = border === 'lenient' ? coerceArguments(tool.schema, received) : checkArguments(tool.schema, received);
      return checked.ok ? tool.run(checked.given) : { status: 422, text: checked.message };
    }
    if (builtIn.has(name)) return toolbox.run(name, received, { attachments: request.attachments });
    return {
      status: 404,
      text: unknownTool(name, existing),
    };
  };
  return {
    schemas,
    keepResults: request.keepResults,
    run: async (name, received) => {
      const result = await run(name, received);
      return { ...result, text: (request.replace ?? []).reduce((text, { from, to }) => text.replaceAll(from, to), result.text) };
    },
  };
}

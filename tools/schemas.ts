// The schemas of tools for whoever shows them to a framework or a model. Loads no library that reads documents.
import { UsageError } from '../base/error.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import { findTool, TOOLS } from './registry.ts';

/** @throws UsageError `UNKNOWN_TOOL` naming the tools that exist */
export function toolSchemas(names: readonly string[]): ToolSchema[] {
  return names.map((name) => {
    const tool = findTool(name);
    if (tool) return tool.schema;
    throw new UsageError('UNKNOWN_TOOL', `there is no tool "${name}"`, { remedy: `tools are ${TOOLS.map((known) => known.schema.name).join(', ')}` });
  });
}

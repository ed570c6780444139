// The `tools` field of Chat Completions for the two floors. Absent without tools: the endpoint refuses an empty list.
import type { ToolSchema } from '../base/tool-schema.ts';

export interface FunctionTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Record<string, unknown> };
}

export function functionTools(schemas: readonly ToolSchema[]): { readonly tools?: FunctionTool[] } {
  if (schemas.length === 0) return {};
  return {
    tools: schemas.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters: { ...parameters } } })),
  };
}

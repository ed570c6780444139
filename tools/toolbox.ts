// The tools of one task set in this process: what the broker serves, and what `tasks check` walks plans with.
import { messageOf } from '../base/error.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { Attachment } from '../tasks/task.ts';
import { AttachmentShelf } from './attachment-shelf.ts';
import { checkArguments, coerceArguments } from './check-arguments.ts';
import { findTool, TOOLS } from './registry.ts';
import { TextCache } from './text-cache.ts';
import type { Tool, ToolContext } from './tool.ts';
import { Finding, ToolError } from './tool-error.ts';
import type { Web } from './web.ts';

export interface ToolboxOptions {
  /** Directory of a built task set. Left out, tools that need one say so. */
  readonly taskSetDirectory?: string;
  /** Where texts read once are kept by content. */
  readonly cacheDirectory: string;
  /** @default 'strict' */
  readonly arguments?: 'strict' | 'lenient';
}

export interface ToolResult {
  /** 200 text, 404 unknown tool, 422 refused arguments, 500 dead back end. */
  readonly status: number;
  readonly text: string;
}

export interface Toolbox {
  readonly schemas: readonly ToolSchema[];
  /** Never rejects: whatever goes wrong is a status. */
  run(name: string, received: unknown, trial: { readonly attachments: readonly Attachment[] }): Promise<ToolResult>;
  close(): Promise<void>;
}

export async function createToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const cache = new TextCache(options.cacheDirectory);
  const web: () => Promise<Web> = () => Promise.reject(new ToolError('NO_WEB', 'this task set has no web'));

  return {
    schemas: TOOLS.map((tool) => tool.schema),
    run: async (name, received, { attachments }) => {
      const tool = findTool(name);
      if (!tool)
        return {
          status: 404,
          text: unknownTool(
            name,
            TOOLS.map((known) => known.schema.name),
          ),
        };
      const checked =
        options.arguments === 'lenient' ? { ok: true as const, given: coerceArguments(tool.schema, received) } : checkArguments(tool.schema, received);
      if (!checked.ok) return { status: 422, text: checked.message };
      return runTool(tool, checked.given, { cache, web, shelf: new AttachmentShelf(options.taskSetDirectory, attachments) });
    },
    close: async () => {},
  };
}

export function unknownTool(name: string, existing: readonly string[]): string {
  return `There is no tool "${name}". ${existing.length === 0 ? 'This task has no tools.' : `The tools are ${existing.join(', ')}.`}`;
}

async function runTool(tool: Tool, given: Parameters<Tool['run']>[0], context: ToolContext): Promise<ToolResult> {
  try {
    return { status: 200, text: await tool.run(given, context) };
  } catch (thrown) {
    if (thrown instanceof Finding) return { status: 200, text: thrown.message };
    return { status: 500, text: `${tool.schema.name}: ${failureText(thrown)}` };
  }
}

function failureText(thrown: unknown): string {
  if (!(thrown instanceof ToolError)) return messageOf(thrown);
  return `${thrown.code}: ${thrown.message}${thrown.remedy === undefined ? '' : `; ${thrown.remedy}`}`;
}

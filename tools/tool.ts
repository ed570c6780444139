// What every tool is: a schema and a function from checked arguments to text. Tool files import nothing heavy at their top,
// so that schemas can be listed by a process that never runs a tool.
import type { ToolParameter, ToolSchema } from '../base/tool-schema.ts';
import type { AttachmentShelf } from './attachment-shelf.ts';
import type { Python } from './python.ts';
import type { TextCache } from './text-cache.ts';
import type { VisionModel } from './vision-model.ts';
import type { Web } from './web.ts';

export type Arguments = Readonly<Record<string, string | number | boolean>>;

export interface ToolContext {
  readonly shelf: AttachmentShelf;
  readonly cache: TextCache;
  /** Describes pictures in place of OCR. */
  readonly vision?: VisionModel | undefined;
  /** To be told each address of the live web that a tool asks for. */
  readonly visited?: (url: string) => void;
  /** To be told what ran a program. */
  readonly ranBy?: (name: string) => void;
  /** Where `agentgauge setup speech` puts the recogniser of speech. */
  readonly speechFolder: string;
  /** @throws ToolError when this set has no offline web */
  web(): Promise<Web>;
  /** The same for the whole run. @throws ToolError when this machine has none */
  python(): Promise<Python>;
}

export interface Tool {
  readonly schema: ToolSchema;
  run(given: Arguments, context: ToolContext): string | Promise<string>;
}

export function toolSchema(name: string, description: string, properties: Readonly<Record<string, ToolParameter>>, required: readonly string[]): ToolSchema {
  return { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } };
}

export function stringOf(given: Arguments, name: string): string {
  const value = given[name];
  return typeof value === 'string' ? value : '';
}

/** @returns `undefined` when the argument was not given */
export function integerOf(given: Arguments, name: string): number | undefined {
  const value = given[name];
  return typeof value === 'number' ? Math.trunc(value) : undefined;
}

// All tools by name. Importing this loads none of the libraries that tools read documents with.
import { calculator } from './calculator.ts';
import { listArchive } from './list-archive.ts';
import { readText } from './read-text.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [readText, listArchive, calculator];

export function findTool(name: string): Tool | undefined {
  return TOOLS.find((tool) => tool.schema.name === name);
}

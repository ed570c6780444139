// A tool that a framework adds beside the task's own, such as one that reads a long result which it put away (method M4.3): used when a result names
// something by an id, and the tool takes one.
import type { PlannedCall } from '../tasks/plan.ts';
import type { Conversation } from './conversation.ts';
import type { OfferedTool } from './read-request.ts';

const READS = /\b(?:read|retrieve|load|fetch|get|open|view|recall|access|inspect)\b/i;
const ID_NAME = /(?:^|_)(?:id|ref|reference|key|handle|artifact|uri|path|name)$/i;
const ID =
  /\b[\w ]{0,20}(?:id|ref|reference|key|handle|artifact|uri)["'`]?\s*[:=]?\s*["'`<]([\w./:-]{4,120})["'`>]|\b(?:artifact|ref|handle|id)[ _]?(?:id)?\s*[:=]\s*([\w./:-]{4,120})/i;

/** @param foreign tools that are neither the task's nor a way to hand it on. @param tried calls that were made already, by name and id */
export function readerCall(conversation: Conversation, foreign: readonly OfferedTool[]): PlannedCall | undefined {
  const reader = foreign.map((tool) => ({ tool, parameter: idParameter(tool) })).find(({ parameter }) => parameter !== undefined);
  if (reader?.parameter === undefined) return undefined;
  for (const passage of [...conversation.passages].reverse()) {
    if (passage.kind !== 'result') continue;
    const found = ID.exec(passage.forms[0] ?? '');
    const id = (found?.[1] ?? found?.[2])?.replace(/[.,;:]+$/, '');
    if (id !== undefined) return { tool: reader.tool.name, arguments: { [reader.parameter]: id } };
  }
  return undefined;
}

/** The one parameter that it cannot do without, if that takes an id. */
function idParameter({ name, description, schema }: OfferedTool): string | undefined {
  if (!READS.test(`${name.replaceAll('_', ' ')} ${description}`)) return undefined;
  const optional = new Set(Object.keys(schema.properties ?? {}).filter((key) => !schema.required?.includes(key)));
  const wanted = Object.keys(schema.properties ?? {}).filter((key) => !optional.has(key));
  const [only, ...others] = wanted;
  return only !== undefined && others.length === 0 && ID_NAME.test(only) ? only : undefined;
}

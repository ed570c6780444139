// Finds what a plan calls among what a framework offers: some put a name space before a tool's name, some add a tool that ends the conversation.
import type { ModelRequest, OfferedTool } from './read-request.ts';

/** `tools__web_search` and `browser.web_search` are `web_search`. @returns the name without what stands before it, when that is one of `known` */
export function bareToolName(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  return known.find((wanted) => name.endsWith(wanted) && /[._:/-]/.test(name.charAt(name.length - wanted.length - 1))) ?? name;
}

/** The offered tool that is this tool of the plan. */
export function offeredAs(tool: string, offered: readonly OfferedTool[]): OfferedTool | undefined {
  return offered.find((candidate) => candidate.name === tool) ?? offered.find((candidate) => bareToolName(candidate.name, [tool]) === tool);
}

const ANSWER_NAME =
  /^(?:final[_-]?(?:answer|result|response|output)|(?:submit|give|provide|return|report)[_-]?(?:final[_-]?)?(?:answer|result)|submit|finish|answer)$/i;
const ONLY_WAY = /\b(?:must|only|always|required|have to|final answer|ends? (?:the|this)|final response)\b/i;

/** The tool through which alone an answer counts: its name says that it gives the answer, and a call is required or its description says that this is the way. */
export function answerTool(request: ModelRequest): OfferedTool | undefined {
  if (request.toolChoice.kind === 'none') return undefined;
  const named = request.tools.filter((tool) => ANSWER_NAME.test(tool.name));
  return named.find((tool) => request.toolChoice.kind === 'required' || request.toolChoice.kind === 'named' || ONLY_WAY.test(tool.description));
}

export function isAnswerTool(tool: OfferedTool): boolean {
  return ANSWER_NAME.test(tool.name);
}

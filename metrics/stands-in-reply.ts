// Whether what a framework returned is the model's word: it stands in a reply, or in the arguments of a call (an answer given through a tool), maybe wrapped,
// stripped of thoughts, or put together from several replies.
import { withoutThoughts } from '../base/thoughts.ts';
import { answeredCalls, type TrialEvidence } from './evidence.ts';
import { parseArguments } from './tool-arguments.ts';

export function standsInReply(output: string, evidence: TrialEvidence): boolean {
  const pieces = answeredCalls(evidence)
    .flatMap(({ reply }) => [reply.text, ...(reply.kind === 'calls' ? reply.calls.flatMap((call) => textsIn(parseArguments(call.arguments))) : [])])
    .flatMap((text) => [plain(text), plain(withoutThoughts(text))])
    .filter((piece) => piece !== '');
  const parts = structured(output) ?? [output];
  return parts.map(plain).every((part) => part === '' || pieces.some((piece) => piece.includes(part) || (piece.length >= SHORTEST && part.includes(piece))));
}

/** A reply shorter than this stands by chance in many a notice. */
const SHORTEST = 8;

/** The texts of a JSON output: a framework may serialise a typed answer. */
function structured(output: string): string[] | undefined {
  if (!/^\s*[[{]/.test(output)) return undefined;
  try {
    return textsIn(JSON.parse(output));
  } catch {
    return undefined; // Text that only looks like JSON is taken as text.
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Letters and digits alone: blanks, escapes, marks and quotes change on the way. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

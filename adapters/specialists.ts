// Who there is where a framework's documentation would have several agents of a kind each: one for files, one for the web, one that computes. By the tools' names,
// as whoever builds such a system knows their own tools; a task set's type decides which tools there are, and with them which of the three.
import type { ToolStub } from './adapter.ts';

export interface Specialist {
  /** One word, for names of agents and tools. */
  readonly name: string;
  /** What whoever chooses among them is told. */
  readonly about: string;
  readonly tools: readonly ToolStub[];
}

export const KINDS: readonly { readonly name: string; readonly about: string; readonly has: RegExp }[] = [
  { name: 'web', about: 'Searches the web and reads its pages.', has: /^web_/ },
  { name: 'calculation', about: 'Has a calculator and runs programs.', has: /^(?:calculator|run_)/ },
  { name: 'files', about: 'Opens attachments: text, tables, documents, archives, images, sound.', has: /^/ },
];

/** Each with the tools of its kind; a kind without tools is absent, and what fits no other kind is a matter of files. */
export function specialistsFor(tools: readonly ToolStub[]): Specialist[] {
  const kindOf = (tool: ToolStub) => KINDS.find(({ has }) => has.test(tool.name));
  return KINDS.map((kind) => ({ name: kind.name, about: kind.about, tools: tools.filter((tool) => kindOf(tool) === kind) })).filter(
    ({ tools: own }) => own.length > 0,
  );
}

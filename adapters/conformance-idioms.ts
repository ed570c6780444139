// The way that a question takes in shape `idiomatic` of each row whose agents do not divide it as `dag` does: what a model would say from request to request, and
// how many tools each request offers. Conformance plays it; the two tools are `look_up`, or with documents `read_text`, and `calculator`, two kinds of tools.
import type { ScriptedReply } from '../base/script.ts';
import type { ToolSchema } from '../base/tool-schema.ts';

export interface Way {
  /** What is promised, as a sentence about the adapter. */
  readonly sentence: string;
  readonly replies: readonly ScriptedReply[];
  readonly offers: readonly number[];
  /** What a request must show besides, such as a text to whoever is asked about it. */
  readonly shows?: { readonly request: number; readonly texts: readonly string[] };
}

export const ANSWER = 'Both say so.\nFINAL ANSWER: 48';

export const text = (said: string): ScriptedReply => ({ kind: 'text', text: said });
const calls = (name: string, args: Readonly<Record<string, unknown>>): ScriptedReply => ({ kind: 'calls', calls: [{ name, arguments: JSON.stringify(args) }] });
const REPORT = 'number on the seventh door: 48';
export const lookUp = calls('look_up', { door: 'seventh' });
const compute = calls('calculator', { expression: '40 + 8' });

export const CALCULATOR: ToolSchema = {
  name: 'calculator',
  description: 'Works out an expression.',
  parameters: {
    type: 'object',
    properties: { expression: { type: 'string', description: 'The expression.' } },
    required: ['expression'],
    additionalProperties: false,
  },
};

export const READ_TEXT: ToolSchema = {
  name: 'read_text',
  description: 'Reads a text file.',
  parameters: { type: 'object', properties: { file: { type: 'string', description: 'Its name.' } }, required: ['file'], additionalProperties: false },
};
export const DOCUMENT = 'Doors of the house.\nThe seventh says "48".';
const QUERY = 'Which number is on the seventh door?';

const WAYS = {
  langchain: {
    sentence: 'runs its agents one after the other, each with its own tools, and each goes on where the last one ended',
    replies: [lookUp, text('It says 48.'), compute, text(ANSWER)],
    offers: [1, 1, 1, 1],
  },
  langgraph: {
    sentence: 'goes from the model to the tools for as long as it calls some, then to an evaluator without tools, and ends when that accepts',
    replies: [lookUp, text(ANSWER), text(JSON.stringify({ grade: 'accepted', feedback: '' }))],
    offers: [2, 2, 0],
  },
  llamaindex: {
    sentence: 'begins with the specialist who looks up, who can hand off, and goes on with whoever got the conversation',
    replies: [lookUp, calls('handOff', { toAgent: 'calculation', reason: 'It needs a sum.' }), compute, text(ANSWER)],
    offers: [2, 2, 2, 2],
  },
  crewai: {
    sentence: 'begins with a manager who has the two tools of delegation alone, and comes back to them with what a specialist reported',
    replies: [
      calls('delegate_work_to_coworker', { task: 'Read the door.', context: 'None.', coworker: 'Files specialist' }),
      lookUp,
      text(REPORT),
      text(ANSWER),
    ],
    offers: [2, 2, 2, 2],
  },
  autogen: {
    sentence: 'goes from an agent with all tools to a critic without any, and ends when that approves',
    replies: [lookUp, text(ANSWER), text('APPROVE')],
    offers: [2, 2, 0],
  },
  smolagents: {
    sentence: 'begins with a manager who calls specialists like tools, and comes back to it with what one reported',
    replies: [
      calls('files_specialist', { task: 'Read the door.' }),
      lookUp,
      calls('final_answer', { answer: REPORT }),
      calls('final_answer', { answer: ANSWER }),
    ],
    offers: [3, 3, 3, 3],
  },
  graphbit: {
    sentence: 'plans without tools, works with all tools, and joins without tools, once before the tools of its worker have run',
    replies: [text('1. Read the door.'), lookUp, text(''), text(REPORT), text(ANSWER)],
    offers: [0, 2, 0, 2, 0],
  },
  'pydantic-ai': {
    sentence: 'begins with a parent who has a tool for each specialist, and comes back to it with the typed report of one',
    replies: [calls('ask_files_specialist', { task: 'Read the door.' }), lookUp, calls('final_result', { findings: [REPORT], complete: true }), text(ANSWER)],
    offers: [2, 3, 3, 2],
  },
  'llamaindex-py': {
    sentence: 'begins with the agent who looks up, hands off to the one who computes, and each has its own tools and the way to the other',
    replies: [lookUp, calls('handoff', { to_agent: 'calculation', reason: 'It computes.' }), compute, text(ANSWER)],
    offers: [2, 2, 2, 2],
  },
  'openai-agents': {
    sentence: 'begins with a triage that has hand-offs alone, and goes on with the specialist that it names, who has its tools and the way back',
    replies: [calls('transfer_to_files_agent', {}), lookUp, text(ANSWER)],
    offers: [2, 2, 2],
  },
} as const satisfies Readonly<Record<string, Way>>;

const QUERY_ENGINES: Way = {
  sentence: 'asks a query engine over what a reading tool brings back, which is shown the text and the query, and goes on with what that says',
  replies: [calls('read_text', { file: 'doors.txt', query: QUERY }), text(REPORT), compute, text(ANSWER)],
  offers: [2, 0, 2, 2],
  shows: { request: 1, texts: [DOCUMENT, QUERY] },
};

/** Of rows that go another way where there are documents. */
export const DOCUMENT_IDIOMS: Readonly<Record<string, Way>> = { llamaindex: QUERY_ENGINES, 'llamaindex-py': QUERY_ENGINES };

/** By row; a row in Python goes the way of its namesake in Node. */
export const IDIOMS: Readonly<Record<string, Way>> = {
  ...WAYS,
  'langchain-py': WAYS.langchain,
  'langgraph-py': WAYS.langgraph,
  'openai-agents-py': WAYS['openai-agents'],
};

// How long a row waits for a model that does not answer, and how often it asks again, by what its client documents or its source says (November 2026; settings
// `default`). For people who read a cell that was still waiting: nothing is computed from it.

const NODE_CLIENT = '10 minutes a try and 2 retries by its documentation; the fetch of Node gives a try up after 300 s';
const PYTHON_CLIENT = '600 s a try and 2 retries, those of the OpenAI client';

export const WAITING_LIMITS: Readonly<Record<string, string>> = {
  fetch: '300 s for the head of a reply, that of the fetch of Node',
  openai: NODE_CLIENT,
  langchain: 'no time-out of its own; 6 retries with exponential back-off',
  langgraph: 'no time-out of its own; 6 retries with exponential back-off',
  llamaindex: '60 s a try and 10 retries',
  'openai-agents': NODE_CLIENT,
  engine: 'none of its own; 300 s for the head of a reply, that of the fetch of Node',
  httpx: '5 s without a byte',
  'openai-py': PYTHON_CLIENT,
  'langchain-py': PYTHON_CLIENT,
  'langgraph-py': PYTHON_CLIENT,
  'openai-agents-py': PYTHON_CLIENT,
  smolagents: `${PYTHON_CLIENT}; after a 429 it waits by itself and asks again`,
  'pydantic-ai': PYTHON_CLIENT,
  crewai: `${PYTHON_CLIENT}; its agent tries three times`,
  autogen: PYTHON_CLIENT,
  'llamaindex-py': '60 s a try and 3 retries',
  graphbit: '60 s',
  'graphbit-0.6.7': '60 s',
};

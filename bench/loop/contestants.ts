// Who runs the agent loop, by the name in the output. Each is loaded only in the process that runs it.
import type { LoopContestant } from './contestant.ts';
import { framework } from './framework.ts';

export const LOOP_CONTESTANTS = {
  'bare fetch': async () => (await import('./bare-fetch.ts')).bareFetch,
  engine: async () => (await import('./engine.ts')).engineLoop,
  'openai client': async () => framework(async () => (await import('../../adapters/openai.ts')).openaiLoop),
  LangChain: async () => framework(async () => (await import('../../adapters/langchain.ts')).langchain),
  LangGraph: async () => framework(async () => (await import('../../adapters/langgraph.ts')).langgraph),
  LlamaIndex: async () => framework(async () => (await import('../../adapters/llamaindex.ts')).llamaindex),
  'OpenAI Agents SDK': async () => framework(async () => (await import('../../adapters/openai-agents.ts')).openaiAgents),
} satisfies Record<string, () => Promise<LoopContestant>>;

export type LoopContestantName = keyof typeof LOOP_CONTESTANTS;

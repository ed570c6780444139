// Rows as data: ids, packages, shapes. Nothing here imports a framework; only a worker imports an adapter file, and times that import.
import { fileURLToPath } from 'node:url';
import { UsageError } from '../base/error.ts';
import { installCommandOf } from '../base/install-command.ts';
import type { SettingsName, ShapeName } from './adapter.ts';
import { installedVersion } from './installed-packages.ts';

export interface AdapterEntry {
  readonly id: string;
  readonly title: string;
  readonly language: 'node' | 'python';
  /** File beside this one, without extension; its export has the name `exportName`. */
  readonly module: string;
  readonly exportName: string;
  /** Packages of the language's registry that must be there; the first is the one named in the manifest. */
  readonly packages: readonly string[];
  /** Of a Python row: the virtual environment that it runs in, named as its lock in `python/locks/`. */
  readonly environment?: string;
  readonly shapes: readonly ShapeName[];
  readonly settings: readonly SettingsName[];
  /** A bare loop: the floor of its language. */
  readonly floor: boolean;
  /** Name in the paper's tables, where the paper measured this very system; published figures stand only beside these (method M9.3). */
  readonly publishedAs?: string;
  /** The published figure is a claim about an engine that was not measured here. */
  readonly publishedIsClaim?: true;
  readonly documentation: string;
}

/** The rows in the order in which they are listed. The paper measured the Python packages, so no Node row but the claim carries a published figure. */
export const ADAPTERS: readonly AdapterEntry[] = [
  {
    id: 'fetch',
    title: 'bare loop over fetch',
    language: 'node',
    module: 'fetch',
    exportName: 'fetchLoop',
    packages: [],
    shapes: ['single', 'dag'],
    settings: ['default', 'hardened'],
    floor: true,
    documentation: 'https://platform.openai.com/docs/guides/function-calling',
  },
  {
    id: 'openai',
    title: 'OpenAI client',
    language: 'node',
    module: 'openai',
    exportName: 'openaiLoop',
    packages: ['openai'],
    shapes: ['single'],
    settings: ['default', 'hardened'],
    floor: true,
    documentation: 'https://platform.openai.com/docs/guides/function-calling',
  },
  {
    id: 'langchain',
    title: 'LangChain',
    language: 'node',
    module: 'langchain',
    exportName: 'langchain',
    packages: ['langchain', '@langchain/core', '@langchain/openai', '@langchain/langgraph'],
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://docs.langchain.com/oss/javascript/langchain/agents',
  },
  {
    id: 'langgraph',
    title: 'LangGraph',
    language: 'node',
    module: 'langgraph',
    exportName: 'langgraph',
    packages: ['@langchain/langgraph', '@langchain/core', '@langchain/openai'],
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://langchain-ai.github.io/langgraphjs/how-tos/create-react-agent',
  },
  {
    id: 'llamaindex',
    title: 'LlamaIndex',
    language: 'node',
    module: 'llamaindex',
    exportName: 'llamaindex',
    packages: ['llamaindex', '@llamaindex/workflow', '@llamaindex/openai'],
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://developers.llamaindex.ai/typescript/framework/tutorials/agents/1_setup/',
  },
  {
    id: 'openai-agents',
    title: 'OpenAI Agents SDK',
    language: 'node',
    module: 'openai-agents',
    exportName: 'openaiAgents',
    packages: ['@openai/agents', 'openai'],
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://openai.github.io/openai-agents-js/guides/running-agents/',
  },
  {
    id: 'engine',
    title: 'AgentGauge engine',
    language: 'node',
    module: 'engine',
    exportName: 'engine',
    packages: [],
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'GraphBit',
    publishedIsClaim: true,
    documentation: 'engine/README.md',
  },
  {
    id: 'httpx',
    title: 'bare loop over httpx',
    language: 'python',
    module: 'httpx',
    exportName: 'adapter',
    packages: ['httpx'],
    environment: 'shared',
    shapes: ['single'],
    settings: ['default', 'hardened'],
    floor: true,
    documentation: 'https://platform.openai.com/docs/guides/function-calling',
  },
  {
    id: 'openai-py',
    title: 'OpenAI client (Python)',
    language: 'python',
    module: 'openai',
    exportName: 'adapter',
    packages: ['openai'],
    environment: 'shared',
    shapes: ['single'],
    settings: ['default', 'hardened'],
    floor: true,
    documentation: 'https://platform.openai.com/docs/guides/function-calling',
  },
  {
    id: 'langchain-py',
    title: 'LangChain (Python)',
    language: 'python',
    module: 'langchain',
    exportName: 'adapter',
    packages: ['langchain', 'langchain-core', 'langchain-openai', 'langgraph'],
    environment: 'shared',
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'LangChain',
    documentation: 'https://docs.langchain.com/oss/python/langchain/agents',
  },
  {
    id: 'langgraph-py',
    title: 'LangGraph (Python)',
    language: 'python',
    module: 'langgraph',
    exportName: 'adapter',
    packages: ['langgraph', 'langgraph-prebuilt', 'langchain-core', 'langchain-openai'],
    environment: 'shared',
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'LangGraph',
    documentation: 'https://langchain-ai.github.io/langgraph/agents/agents/',
  },
  {
    id: 'openai-agents-py',
    title: 'OpenAI Agents SDK (Python)',
    language: 'python',
    module: 'openai_agents',
    exportName: 'adapter',
    packages: ['openai-agents', 'openai'],
    environment: 'shared',
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://openai.github.io/openai-agents-python/running_agents/',
  },
  {
    id: 'smolagents',
    title: 'smolagents',
    language: 'python',
    module: 'smolagents',
    exportName: 'adapter',
    packages: ['smolagents', 'openai'],
    environment: 'shared',
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://huggingface.co/docs/smolagents/guided_tour',
  },
  {
    id: 'pydantic-ai',
    title: 'Pydantic AI',
    language: 'python',
    module: 'pydantic_ai',
    exportName: 'adapter',
    packages: ['pydantic-ai-slim', 'openai'],
    environment: 'pydantic-ai',
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'Pydantic AI',
    documentation: 'https://ai.pydantic.dev/agents/',
  },
  {
    id: 'crewai',
    title: 'CrewAI',
    language: 'python',
    module: 'crewai',
    exportName: 'adapter',
    packages: ['crewai', 'openai'],
    environment: 'crewai',
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'CrewAI',
    documentation: 'https://docs.crewai.com/en/concepts/crews',
  },
  {
    id: 'autogen',
    title: 'AutoGen',
    language: 'python',
    module: 'autogen',
    exportName: 'adapter',
    packages: ['autogen-agentchat', 'autogen-ext', 'openai'],
    environment: 'autogen',
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'AutoGen',
    documentation: 'https://microsoft.github.io/autogen/stable/user-guide/agentchat-user-guide/tutorial/agents.html',
  },
  {
    id: 'llamaindex-py',
    title: 'LlamaIndex (Python)',
    language: 'python',
    module: 'llamaindex',
    exportName: 'adapter',
    packages: ['llama-index-core', 'llama-index-llms-openai-like', 'llama-index-workflows', 'openai'],
    environment: 'llamaindex',
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'LlamaIndex',
    documentation: 'https://developers.llamaindex.ai/python/framework/understanding/agent/',
  },
  {
    id: 'graphbit',
    title: 'GraphBit 0.6.8',
    language: 'python',
    module: 'graphbit',
    exportName: 'adapter',
    packages: ['graphbit'],
    environment: 'graphbit',
    shapes: ['single', 'idiomatic', 'dag'],
    settings: ['default', 'hardened'],
    floor: false,
    publishedAs: 'GraphBit',
    documentation: 'https://docs.graphbit.ai/user-guide/workflow-builder/',
  },
  {
    id: 'graphbit-0.6.7',
    title: 'GraphBit 0.6.7',
    language: 'python',
    module: 'graphbit',
    exportName: 'adapter',
    packages: ['graphbit'],
    environment: 'graphbit-0.6.7',
    // No `dag`: it refuses a prompt with a JSON schema in it.
    shapes: ['single', 'idiomatic'],
    settings: ['default', 'hardened'],
    floor: false,
    documentation: 'https://docs.graphbit.ai/user-guide/workflow-builder/',
  },
];

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** @throws UsageError UNKNOWN_ADAPTER that lists what there is */
export function findAdapter(id: string): AdapterEntry {
  const found = ADAPTERS.find((entry) => entry.id === id);
  if (found !== undefined) return found;
  throw new UsageError('UNKNOWN_ADAPTER', `there is no adapter ${JSON.stringify(id)}`, {
    remedy: `Choose from: ${ADAPTERS.map((entry) => entry.id).join(', ')}.`,
  });
}

/** Path of a file below `python/`; the build copies that folder as it stands. */
export function pythonFile(name: string): string {
  return fileURLToPath(new URL(`python/${name}`, import.meta.url));
}

/** Path of the file that a worker imports: the source when we run from source, else the built file. */
export function adapterModule(entry: AdapterEntry): string {
  if (entry.language === 'python') return pythonFile(`rows/${entry.module}.py`);
  return fileURLToPath(new URL(`${entry.module}${EXTENSION}`, import.meta.url));
}

/** A Node row's packages that are not installed. Reads package.json files alone. */
export function missingPackages(entry: AdapterEntry): readonly string[] {
  if (entry.language === 'python') return [];
  return entry.packages.filter((name) => installedVersion(name, import.meta.url) === undefined);
}

/** The command that brings a row's packages in the versions that we are tested with. */
export function installCommand(entry: AdapterEntry): string {
  return entry.environment === undefined ? installCommandOf(entry.packages) : `agentgauge setup python ${entry.environment}`;
}

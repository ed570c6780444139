// The tools of one task set in this process: what the broker serves, and what `tasks check` walks plans with.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../base/error.ts';
import { installCommandOf } from '../base/install-command.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { SearchDials } from '../tasks/search-index.ts';
import type { Attachment } from '../tasks/task.ts';
import { AttachmentShelf } from './attachment-shelf.ts';
import { checkArguments, coerceArguments } from './check-arguments.ts';
import { openLiveWeb } from './live-web.ts';
import { OCR_PACKAGES } from './ocr.ts';
import { openWeb, PAGES_FILE } from './open-web.ts';
import { openPython, type Python } from './python.ts';
import { findTool, TOOLS } from './registry.ts';
import { ROBOTS_VARIABLE } from './robots.ts';
import { searchProvider } from './search-providers.ts';
import { SETUP_COMMAND } from './speech-recogniser.ts';
import { TextCache } from './text-cache.ts';
import type { Arguments, Tool, ToolContext } from './tool.ts';
import { Finding, ToolError } from './tool-error.ts';
import { visionModel } from './vision-model.ts';
import { type Unread, warmAttachments } from './warm-attachments.ts';
import { warmPrograms } from './warm-programs.ts';
import type { Web } from './web.ts';

export interface ToolboxOptions {
  /** Directory of a built task set. Left out, tools that need one say so. */
  readonly taskSetDirectory?: string;
  /** Where texts read once are kept by content. */
  readonly cacheDirectory: string;
  /** Where `agentgauge setup speech` puts the recogniser of speech. @default `speech` in the cache directory */
  readonly speechFolder?: string;
  /** How good the offline search is. @default all pages, no noise */
  readonly search?: SearchDials;
  /** Off: every call reads and runs anew. @default 'on' */
  readonly cache?: 'on' | 'off';
  /** @default 'strict' */
  readonly arguments?: 'strict' | 'lenient';
  /** Python of the environment that `agentgauge setup python sandbox` makes, for `run_python`. Left out, Pyodide runs its programs. */
  readonly pythonInterpreter?: string;
}

export interface ToolResult {
  /** 200 text, 404 unknown tool, 422 refused arguments, 500 dead back end. */
  readonly status: number;
  readonly text: string;
  /** Addresses of the live web that were asked for. */
  readonly urls?: readonly string[];
  /** What ran the program of `run_python`. */
  readonly ranBy?: string;
}

export interface Toolbox {
  readonly schemas: readonly ToolSchema[];
  /** Never rejects: whatever goes wrong is a status. */
  run(name: string, received: unknown, trial: { readonly attachments: readonly Attachment[] }): Promise<ToolResult>;
  /** Which Python runs programs here; `undefined` when none does. */
  python(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Reads ahead what the first trial would wait for: all pages of the web and all attachments of the set (method M2.5).
 * A set without a web, or a missing package, is no error here but a 500 of each call that needs it.
 *
 * @throws ToolError `WEB_UNREADABLE` when the set's pages are damaged; `MISSING_PACKAGE` or `MISSING_RECOGNISER` when nothing here can read pictures or speech of a generated set
 */
export async function createToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const { taskSetDirectory, speechFolder = path.join(options.cacheDirectory, 'speech') } = options;
  const cache = new TextCache(options.cacheDirectory, { isOff: options.cache === 'off' });
  // Before it is configured a broker has no pictures.
  const vision = taskSetDirectory === undefined ? undefined : visionModel(process.env);
  if (taskSetDirectory !== undefined) refuseUnread(await warmAttachments(taskSetDirectory, { cache, speechFolder, vision }), taskSetDirectory);
  const opened = await openBackEnds(taskSetDirectory, cache, options.search);
  const web = async () => {
    if (opened instanceof Error) throw opened;
    return opened;
  };
  let opening: Promise<Python> | undefined;
  const python = () => {
    opening ??= openPython({ interpreter: options.pythonInterpreter, cacheDirectory: options.cacheDirectory });
    return opening;
  };
  const backEnds = { cache, web, python, speechFolder, vision };
  if (taskSetDirectory !== undefined) await warmPrograms(taskSetDirectory, backEnds);
  return {
    schemas: TOOLS.map((tool) => tool.schema),
    run: async (name, received, { attachments }) => {
      const tool = findTool(name);
      if (!tool) return { status: 404, text: unknownTool(name, TOOLS) };
      const checked = options.arguments === 'lenient' ? coerceArguments(tool.schema, received) : checkArguments(tool.schema, received);
      if (!checked.ok) return { status: 422, text: checked.message };
      return runTool(tool, checked.given, { ...backEnds, shelf: new AttachmentShelf(taskSetDirectory, attachments) });
    },
    python: () =>
      python().then(
        ({ name }) => name,
        () => undefined,
      ),
    close: async () => {
      if (!(opened instanceof Error)) await opened.close();
    },
  };
}

export function unknownTool(name: string, existing: readonly { readonly schema: ToolSchema }[]): string {
  const names = existing.map(({ schema }) => schema.name).join(', ');
  return `There is no tool "${name}". ${names === '' ? 'This task has no tools.' : `The tools are ${names}.`}`;
}

async function openBackEnds(taskSetDirectory: string | undefined, cache: TextCache, dials?: SearchDials): Promise<Web | Error> {
  if (taskSetDirectory === undefined) return new ToolError('NO_TASK_SET', 'there is no web: no task set was configured');
  if (!existsSync(path.join(taskSetDirectory, PAGES_FILE))) {
    // Questions about the real world: the live web, when whoever runs them has named a search provider.
    const provider = searchProvider(process.env);
    if (provider) return openLiveWeb({ provider, robots: process.env[ROBOTS_VARIABLE] === 'ignored' ? 'ignored' : 'obeyed' });
    return new ToolError('NO_WEB', `this task set has no web: ${PAGES_FILE} is missing`, {
      remedy: 'set AGENTGAUGE_SEARCH to tavily, brave or serper for the live web',
    });
  }
  try {
    return await openWeb(taskSetDirectory, cache, dials);
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.code === 'WEB_UNREADABLE') throw thrown;
    return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  }
}

/** A generated set has tasks whose evidence is a picture or speech: without a recogniser they would count as failures of the frameworks. Sets of one's own may do without. */
function refuseUnread({ pictures, recordings }: Unread, taskSetDirectory: string): void {
  if (!existsSync(path.join(taskSetDirectory, 'plans.json'))) return;
  if (pictures.length > 0)
    throw new ToolError(
      'MISSING_PACKAGE',
      `${pictures.length} pictures of this task set have no recorded reading (${pictures[0]}), and no recogniser is installed`,
      {
        remedy: installCommandOf(OCR_PACKAGES),
      },
    );
  if (recordings.length > 0)
    throw new ToolError(
      'MISSING_RECOGNISER',
      `${recordings.length} recordings of this task set have no recorded transcript (${recordings[0]}), and no recogniser is set up`,
      {
        remedy: SETUP_COMMAND,
      },
    );
}

async function runTool(tool: Tool, given: Arguments, context: ToolContext): Promise<ToolResult> {
  const urls: string[] = [];
  const told: { ranBy?: string } = {};
  const result = await resultOf(tool, given, {
    ...context,
    visited: (url) => urls.push(url),
    ranBy: (name) => {
      told.ranBy = name;
    },
  });
  return { ...result, ...(urls.length === 0 ? {} : { urls }), ...told };
}

async function resultOf(tool: Tool, given: Arguments, context: ToolContext): Promise<ToolResult> {
  try {
    return { status: 200, text: await tool.run(given, context) };
  } catch (thrown) {
    if (thrown instanceof Finding) return { status: 200, text: thrown.message };
    return { status: 500, text: `${tool.schema.name}: ${failureText(thrown)}` };
  }
}

function failureText(thrown: unknown): string {
  if (!(thrown instanceof ToolError)) return messageOf(thrown);
  return `${thrown.code}: ${thrown.message}${thrown.remedy === undefined ? '' : `; ${thrown.remedy}`}`;
}

// Answers a question about documents a second time: from its words and from what the reading tools say of its attachments, looked up by names of rows, columns
// and sheets. No plan, no formula, no code of the templates; `independence.test.ts` holds the imports against that.
import { type AskTool, Papers } from './papers.ts';
import { FILE_RECIPES } from './solve-files.ts';
import { TABLE_RECIPES } from './solve-tables.ts';
import { Wording } from './wording.ts';

const RECIPES = { ...TABLE_RECIPES, ...FILE_RECIPES };

/**
 * @param attachments neutral names, as the agent sees them
 * @returns every answer that fits; `undefined` when no recipe is known for questions of this kind
 * @throws Error when the question or a document says something else than is known of its kind
 */
export async function solveFromDocuments(kind: string, question: string, attachments: readonly string[], ask: AskTool): Promise<readonly string[] | undefined> {
  const recipe = RECIPES[kind];
  if (!recipe) return undefined;
  const answers = await recipe(new Wording(question), await Papers.read(attachments, ask));
  return [...new Set(answers.map(String))];
}

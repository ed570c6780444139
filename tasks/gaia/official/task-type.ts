// Which workflow type an official question belongs to. The data does not say, and the study's own assignment was never published, so the rule is stated here
// and used for every question: a file makes a document task; the web in the annotator's list of tools makes a web task; no tool makes a zero-tool task.
import type { TaskType } from '../../task.ts';

const WEB = /web|browser|search|google|wikipedia|internet|video|youtube|maps/i;

/** @param tools the annotator's list as it stands; absent where it is not public, and then a question without a file counts as `web` (75 % do where it is) */
export function typeOfOfficial({ hasFile, tools }: { readonly hasFile: boolean; readonly tools: string | undefined }): TaskType {
  if (hasFile) return 'document';
  if (tools === undefined || WEB.test(tools)) return 'web';
  return 'zero-tool';
}

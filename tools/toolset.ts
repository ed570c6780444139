// Which tools a task gets: by its type alone, the same for every row (method M1.3).
import type { TaskType } from '../tasks/task.ts';

const TOOLS: Readonly<Record<TaskType, readonly string[]>> = {
  'zero-tool': [],
  document: [
    'read_pdf',
    'read_spreadsheet',
    'read_document',
    'read_text',
    'list_archive',
    'describe_image',
    'transcribe_audio',
    'run_python',
    'run_javascript',
    'calculator',
  ],
  web: ['web_search', 'web_fetch', 'calculator'],
};

export function toolsForTaskType(type: TaskType): string[] {
  return [...TOOLS[type]];
}

// All tools by name. Importing this loads none of the libraries that tools read documents with.
import { calculator } from './calculator.ts';
import { describeImage } from './describe-image.ts';
import { listArchive } from './list-archive.ts';
import { readDocument } from './read-document.ts';
import { readPdf } from './read-pdf.ts';
import { readSpreadsheet } from './read-spreadsheet.ts';
import { readText } from './read-text.ts';
import { runJavaScript } from './run-javascript.ts';
import { runPython } from './run-python.ts';
import type { Tool } from './tool.ts';
import { transcribeAudio } from './transcribe-audio.ts';
import { webFetch } from './web-fetch.ts';
import { webSearch } from './web-search.ts';

export const TOOLS: readonly Tool[] = [
  readPdf,
  readSpreadsheet,
  readDocument,
  readText,
  listArchive,
  describeImage,
  transcribeAudio,
  runPython,
  runJavaScript,
  calculator,
  webSearch,
  webFetch,
];

export function findTool(name: string): Tool | undefined {
  return TOOLS.find((tool) => tool.schema.name === name);
}

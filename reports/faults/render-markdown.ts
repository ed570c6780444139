// The table of faults as Markdown: counts, one table a settings, what each fault is, and what each error said. Same records, same bytes.
import { FAULT_RESPONSES } from '../../metrics/fault-response.ts';
import { escapeText } from '../render/markdown.ts';
import { captionOf, commandOf, type FaultMatrix, type FaultRow, figures, MEANING, notesOf, SHORT } from './fault-matrix.ts';
import { faultsInWords } from './render-svg.ts';

/** @param picture where `renderFaultsSvg` lies, seen from the Markdown file; left out, none is shown */
export function renderFaultsMarkdown(matrix: FaultMatrix, picture?: string): string {
  const settings = [...new Set(matrix.rows.map((row) => row.settings))];
  const parts = [
    '# What each framework does with each fault',
    escapeText(captionOf(matrix)),
    `Made with agentgauge ${matrix.agentgauge}: \`${commandOf(matrix)} --format md\``,
    picture === undefined ? '' : `![${faultsInWords(matrix)}](${picture})`,
    FAULT_RESPONSES.map((response) => `- **${SHORT[response]}** ${response}: ${MEANING[response]}`).join('\n'),
    table(
      ['row', ...FAULT_RESPONSES.map((response) => SHORT[response]), 'of'],
      matrix.rows.map((row) => [
        row.id,
        ...FAULT_RESPONSES.map((response) => String(matrix.faults.filter(({ id }) => row.cells[id]?.response === response).length)),
        String(matrix.faults.filter(({ id }) => row.cells[id] !== undefined).length),
      ]),
    ),
    ...settings.flatMap((name) => {
      const rows = matrix.rows.filter((row) => row.settings === name);
      return [
        `## Settings ${name}`,
        table(
          ['fault', ...rows.map(({ framework }) => framework)],
          matrix.faults.map(({ id }) => [id, ...rows.map((row) => cell(row, id))]),
        ),
      ];
    }),
    notesOf(matrix)
      .map((note) => `- ${escapeText(note)}`)
      .join('\n'),
    '## The faults',
    matrix.faults.map(({ id, sentence }) => `- \`${id}\`: ${escapeText(sentence)}`).join('\n'),
    '## Versions',
    matrix.rows
      .filter((row, at) => matrix.rows.findIndex(({ framework }) => framework === row.framework) === at && Object.keys(row.versions).length > 0)
      .map(
        ({ framework, versions }) =>
          `- ${framework}: ${Object.entries(versions)
            .map((entry) => entry.join(' '))
            .join(', ')}`,
      )
      .join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function cell(row: FaultRow, fault: string): string {
  const found = row.cells[fault];
  return found === undefined ? '' : `${SHORT[found.response]} ${figures(found)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (texts: readonly string[]) => `| ${texts.map(escapeText).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

// The table of faults as one page that needs nothing else: colours of meaning, light and dark, the error of a cell behind it. Same records, same bytes.
import { escapeHtml } from '../../base/escape-html.ts';
import { FAULT_RESPONSES } from '../../metrics/fault-response.ts';
import { htmlPage, scrollBox } from '../render/html-page.ts';
import { captionOf, type FaultCell, type FaultMatrix, figures, MEANING, notesOf, SHORT } from './fault-matrix.ts';

export function renderFaultsHtml(matrix: FaultMatrix): string {
  const settings = [...new Set(matrix.rows.map((row) => row.settings))];
  return htmlPage(TITLE, STYLE, [
    `<h1>${TITLE}</h1>`,
    `<p>${escapeHtml(captionOf(matrix))}</p>`,
    `<ul class="legend">${FAULT_RESPONSES.map((response) => `<li><b class="${response}">${SHORT[response]}</b> ${MEANING[response]}</li>`).join('')}</ul>`,
    '<h2>Counts</h2>',
    counts(matrix),
    ...settings.map((name) => `<h2>Settings ${escapeHtml(name)}</h2>\n${cells(matrix, name)}`),
    `<ul>${notesOf(matrix)
      .map((note) => `<li>${escapeHtml(note)}</li>`)
      .join('')}</ul>`,
  ]);
}

const TITLE = 'What each framework does with each fault';

function counts({ rows, faults }: FaultMatrix): string {
  const head = headOf(['row', ...FAULT_RESPONSES.map((response) => SHORT[response]), 'of']);
  const body = rows.map((row) => {
    const tds = FAULT_RESPONSES.map((response) => {
      const n = faults.filter(({ id }) => row.cells[id]?.response === response).length;
      return n === 0 ? '<td class="none">·</td>' : `<td class="${response}">${n}</td>`;
    });
    return `<tr><th scope="row">${escapeHtml(row.id)}</th>${tds.join('')}<td>${faults.filter(({ id }) => row.cells[id] !== undefined).length}</td></tr>`;
  });
  return scrollBox('Counts', `<table class="counts"><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`);
}

function cells(matrix: FaultMatrix, settings: string): string {
  const rows = matrix.rows.filter((row) => row.settings === settings);
  const head = headOf(['fault', ...rows.map(({ framework }) => framework)]);
  let group: string | undefined;
  const body = matrix.faults.map((fault) => {
    const title = fault.group === group ? '' : `<tr><th class="group" scope="colgroup" colspan="${rows.length + 1}">${escapeHtml(fault.group)}</th></tr>\n`;
    group = fault.group;
    const tds = rows.map((row) => cell(row.cells[fault.id]));
    return `${title}<tr><th scope="row">${escapeHtml(fault.id)}<small>${escapeHtml(fault.sentence)}</small></th>${tds.join('')}</tr>`;
  });
  return scrollBox(`Settings ${settings}`, `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`);
}

function headOf([first = '', ...more]: readonly string[]): string {
  return `<th class="name" scope="col">${escapeHtml(first)}</th>${more.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('')}`;
}

function cell(found: FaultCell | undefined): string {
  if (found === undefined) return '<td class="none"></td>';
  const behind = found.says ?? (found.output === undefined ? undefined : found.output === '' ? 'It returned an empty text.' : `It returned: ${found.output}`);
  const tip = behind === undefined ? '' : ` title="${escapeHtml(behind.slice(0, LONGEST_TIP))}"`;
  return `<td class="${found.response}"${tip}>${SHORT[found.response]}<small>${figures(found)}</small></td>`;
}

const LONGEST_TIP = 300;

const STYLE = `
:root{--good:#d8f0dc;--told:#c4e8e0;--error:#fdf0c8;--bad:#f9cfcb;--wait:#d9e3f7}
@media(prefers-color-scheme:dark){:root{--good:#1d4228;--told:#174640;--error:#4d4113;--bad:#6a221d;--wait:#243556}}
th,td{border-right:1px solid var(--line);border-bottom:1px solid var(--line)}
tbody th small{display:block;color:var(--faint);font-weight:400;white-space:normal;max-width:22rem}
td small{margin-left:.4rem;opacity:.75}
td[title]{cursor:help;text-decoration:underline dotted;text-underline-offset:3px}
.counts td{text-align:right}
th.group{border-inline:0;padding-top:1rem;color:var(--faint);font-variant:small-caps;font-size:1.05rem}
.none{color:var(--faint)}
.recovered{background:var(--good)}.fed-back{background:var(--told)}.clear-error{background:var(--error)}
.silent-wrong,.crash,.hang,.stray-work{background:var(--bad);font-weight:600}.still-waiting{background:var(--wait)}
.legend{list-style:none;padding:0;max-width:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:.3rem}
.legend li{display:flex;gap:.6rem;align-items:baseline}
.legend b{flex:none;width:5rem;white-space:nowrap;padding:0 .4rem;border-radius:3px}
@media(max-width:44rem){tbody th[scope=row]{white-space:normal;overflow-wrap:anywhere;min-width:8.5rem;max-width:8.5rem}tbody th small{font-size:.7rem;line-height:1.3}}
@media print{td,.legend b{print-color-adjust:exact}}
`;

// The table of faults as one page that needs nothing else: colours of meaning, light and dark, the error of a cell behind it. Same records, same bytes.
import { escapeHtml } from '../../base/escape-html.ts';
import { FAULT_RESPONSES } from '../../metrics/fault-response.ts';
import { captionOf, type FaultCell, type FaultMatrix, figures, MEANING, notesOf, SHORT } from './fault-matrix.ts';

export function renderFaultsHtml(matrix: FaultMatrix): string {
  const settings = [...new Set(matrix.rows.map((row) => row.settings))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What each framework does with each fault</title>
<style>${STYLE}</style>
<h1>What each framework does with each fault</h1>
<p>${escapeHtml(captionOf(matrix))}</p>
<ul class="legend">${FAULT_RESPONSES.map((response) => `<li><b class="${response}">${SHORT[response]}</b> ${MEANING[response]}</li>`).join('')}</ul>
<h2>Counts</h2>
${counts(matrix)}
${settings.map((name) => `<h2>Settings ${escapeHtml(name)}</h2>\n${cells(matrix, name)}`).join('\n')}
<ul>${notesOf(matrix)
    .map((note) => `<li>${escapeHtml(note)}</li>`)
    .join('')}</ul>
</html>
`;
}

function counts({ rows, faults }: FaultMatrix): string {
  const head = ['row', ...FAULT_RESPONSES.map((response) => SHORT[response]), 'of'].map((text) => `<th>${text}</th>`).join('');
  const body = rows.map((row) => {
    const tds = FAULT_RESPONSES.map((response) => {
      const n = faults.filter(({ id }) => row.cells[id]?.response === response).length;
      return n === 0 ? '<td class="none">·</td>' : `<td class="${response}">${n}</td>`;
    });
    return `<tr><th>${escapeHtml(row.id)}</th>${tds.join('')}<td>${faults.filter(({ id }) => row.cells[id] !== undefined).length}</td></tr>`;
  });
  return `<div class="wide"><table class="counts"><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function cells(matrix: FaultMatrix, settings: string): string {
  const rows = matrix.rows.filter((row) => row.settings === settings);
  const head = ['fault', ...rows.map(({ framework }) => framework)].map((text) => `<th>${escapeHtml(text)}</th>`).join('');
  let group: string | undefined;
  const body = matrix.faults.map((fault) => {
    const title = fault.group === group ? '' : `<tr><th class="group" colspan="${rows.length + 1}">${escapeHtml(fault.group)}</th></tr>\n`;
    group = fault.group;
    const tds = rows.map((row) => cell(row.cells[fault.id]));
    return `${title}<tr><th>${escapeHtml(fault.id)}<small>${escapeHtml(fault.sentence)}</small></th>${tds.join('')}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function cell(found: FaultCell | undefined): string {
  if (found === undefined) return '<td class="none"></td>';
  const behind = found.says ?? (found.output === undefined ? undefined : found.output === '' ? 'It returned an empty text.' : `It returned: ${found.output}`);
  const tip = behind === undefined ? '' : ` title="${escapeHtml(behind.slice(0, LONGEST_TIP))}"`;
  return `<td class="${found.response}"${tip}>${SHORT[found.response]}<small>${figures(found)}</small></td>`;
}

const LONGEST_TIP = 300;

const STYLE = `
:root{color-scheme:light dark;--good:#d8f0dc;--told:#c4e8e0;--error:#fdf0c8;--bad:#f9cfcb;--wait:#d9e3f7;--line:#d5d5d0;--faint:#6b6b66;--page:#fff;--ink:#1c1c1a}
@media(prefers-color-scheme:dark){:root{--good:#1d4228;--told:#174640;--error:#4d4113;--bad:#6a221d;--wait:#243556;--line:#3c3c3a;--faint:#a3a39c;--page:#161615;--ink:#ececea}}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:90rem;background:var(--page);color:var(--ink)}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}p{max-width:60rem}
.wide{overflow:auto;max-height:94vh}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border:1px solid var(--line);padding:.25rem .55rem;text-align:left;white-space:nowrap}
thead th{position:sticky;top:0;z-index:2;background:var(--page)}
thead th:first-child{left:0;z-index:3}
tbody th{font-weight:500;position:sticky;left:0;z-index:1;background:var(--page)}
tbody th small{display:block;color:var(--faint);font-weight:400;white-space:normal;max-width:22rem;font-size:.8rem}
td small{margin-left:.4rem;opacity:.75}
td[title]{cursor:help;text-decoration:underline dotted;text-underline-offset:3px}
.counts td{text-align:right}
th.group{border-inline:0;padding-top:1rem;color:var(--faint);font-variant:small-caps;font-size:1.05rem}
.none{color:var(--faint)}
.recovered{background:var(--good)}.fed-back{background:var(--told)}.clear-error{background:var(--error)}
.silent-wrong,.crash,.hang,.stray-work{background:var(--bad);font-weight:600}.still-waiting{background:var(--wait)}
.legend{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:.3rem}
.legend li{display:flex;gap:.6rem;align-items:baseline}
.legend b{flex:none;width:5rem;white-space:nowrap;padding:0 .4rem;border-radius:3px}
@media(max-width:44rem){body{margin:1rem auto;padding:0 .6rem}th,td{padding:.2rem .4rem}tbody th{white-space:normal;overflow-wrap:anywhere;min-width:8.5rem;max-width:8.5rem}tbody th small{font-size:.7rem;line-height:1.3}}
`;

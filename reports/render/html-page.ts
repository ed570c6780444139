// The frame of our HTML pages: one file that needs nothing else and loads nothing, light and dark, for a wide screen, a phone and paper.
// A wide table scrolls in its own box with its head and the names of its rows in view. Holds no words of any report.
import { escapeHtml } from '../../base/escape-html.ts';

/** @param style what this page has beyond the common. @param body HTML as it is */
export function htmlPage(title: string, style: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
${body.filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}

/** A box that scrolls, by keyboard as well. @param label what stands in it, for those who hear it */
export function scrollBox(label: string, content: string): string {
  return `<div class="wide" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${content}</div>`;
}

const STYLE = `
:root{color-scheme:light dark;--line:#d5d5d0;--faint:#5f5f5a;--page:#fff;--soft:#f4f4f0;--ink:#1c1c1a;--mark:#0b5fa5}
@media(prefers-color-scheme:dark){:root{--line:#3c3c3a;--faint:#a8a8a2;--page:#161615;--soft:#22221f;--ink:#ececea;--mark:#6db3f2}}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:90rem;background:var(--page);color:var(--ink)}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem;scroll-margin-top:1rem}p,ul{max-width:60rem}a{color:var(--mark)}
.wide{overflow:auto;max-height:94vh;max-width:100%}
.wide:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
table{border-collapse:separate;border-spacing:0;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .55rem;text-align:left;white-space:nowrap}
thead th{position:sticky;top:0;z-index:2;background:var(--page);vertical-align:bottom}
tbody th[scope=row]{font-weight:500;position:sticky;left:0;z-index:1;background:var(--page)}
thead th.name{left:0;z-index:3}
small{font-size:.8rem}
@media(max-width:44rem){body{margin:1rem auto;padding:0 .6rem}th,td{padding:.2rem .4rem}}
@media print{@page{size:landscape;margin:10mm}html{font-size:10px}body{margin:0;max-width:none;font-size:1rem}.wide{overflow:visible;max-height:none}th,td{padding:.1rem .25rem}thead th,tbody th[scope=row]{position:static}tr,figure{break-inside:avoid}h2,.caption{break-after:avoid}}
`;

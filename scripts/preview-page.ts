// One self-contained HTML page of a task set, for people: every task with its question, files, plan and truth, and a filter over all of it. Opens from a file,
// loads nothing, and follows the reader's light or dark setting.
import { escapeHtml } from '../base/escape-html.ts';
import type { PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Task, TaskSetFacts } from '../tasks/task.ts';

export interface ShownTask {
  readonly task: Task;
  readonly plan?: SolutionPlan;
  readonly truth?: string;
}

export function previewPage(facts: TaskSetFacts, tasks: readonly ShownTask[]): string {
  const count = (of: (task: Task) => boolean) => tasks.filter(({ task }) => of(task)).length;
  const types = [...new Set(tasks.map(({ task }) => task.type))].map((type) => `${count((task) => task.type === type)} ${type}`);
  const levels = ([1, 2, 3] as const).map((level) => `${count((task) => task.level === level)} of level ${level}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(facts.name)}, seed ${facts.seed}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(facts.name)} <small>seed ${facts.seed}, hash ${escapeHtml(facts.hash)}</small></h1>
<p>${facts.tasks} tasks: ${types.join(', ')}; ${levels.join(', ')}. ${facts.pages} pages in the offline web. Truths stand on this page: show it to no agent.</p>
</header>
<p id="filter"><input type="search" placeholder="Filter by word, id, type, template or tool" aria-label="Filter the tasks"> <output>${tasks.length} shown</output></p>
<main>
${tasks.map(taskArticle).join('\n')}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function taskArticle({ task, plan, truth }: ShownTask): string {
  const files = task.attachments.map(({ name }) => `<li>${escapeHtml(name)}</li>`).join('');
  const chains = (plan?.chains ?? []).map(
    ({ sentence, steps }) => `<h3>${escapeHtml(sentence)}</h3><ol>${steps.map((id) => stepLine(plan, id)).join('')}</ol>`,
  );
  const misses = plan && plan.nearMisses.length > 0 ? `<p class="miss">Near misses: ${plan.nearMisses.map(escapeHtml).join(' / ')}</p>` : '';
  return `<article id="${escapeHtml(task.id)}">
<h2><a href="#${escapeHtml(task.id)}">${escapeHtml(task.id)}</a></h2>
<p class="marks"><span>${task.type}</span><span>level ${task.level}</span><span>${task.steps} steps</span><span>${task.width === 1 ? '1 chain' : `${task.width} chains`}</span><span>${escapeHtml(task.template)}</span></p>
<p class="question">${escapeHtml(task.question)}</p>
${files === '' ? '' : `<ul class="files">${files}</ul>`}
<p class="truth">${truth === undefined ? 'no truth known' : escapeHtml(truth)}</p>
<details><summary>Plan</summary>${chains.join('')}${misses}</details>
</article>`;
}

function stepLine(plan: SolutionPlan | undefined, id: string): string {
  const step = plan?.steps.find((candidate) => candidate.id === id);
  return step === undefined ? '' : `<li><code>${escapeHtml(callText(step))}</code>${readList(step)}</li>`;
}

/** `web_search query="Amber Tern Harbour Almanac"` */
export function callText({ call }: PlanStep): string {
  if (!call) return 'think';
  return [call.tool, ...Object.entries(call.arguments).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' ');
}

function readList({ id, reads }: PlanStep): string {
  return reads.length === 0
    ? ''
    : `<ul>${reads.map(({ name, label }) => `<li><b>${escapeHtml(`${id}.${name}`)}</b> ${escapeHtml(label.replace(/^\[|\]$/g, ''))}</li>`).join('')}</ul>`;
}

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8d8d2,#3a3d42);--soft:light-dark(#f5f5f1,#1d1f23);--ink:light-dark(#1c1d1f,#e6e6e1);--dim:light-dark(#5d6066,#a0a4ab);--mark:light-dark(#0b6b4f,#6fd3ae)}
body{margin:0 auto;max-width:52rem;padding:1.5rem;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:light-dark(#fff,#141518)}
h1{font-size:1.5rem;margin:0 0 .5rem}h1 small{font-size:.9rem;font-weight:400;color:var(--dim)}
header p{margin:.4rem 0;color:var(--dim)}
#filter{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:center;background:light-dark(#fff,#141518);border-bottom:1px solid var(--line);margin:0 0 1.5rem;padding:.6rem 0;color:var(--dim)}
input{font:inherit;flex:0 1 28rem;min-width:0;padding:.35rem .6rem;border:1px solid var(--line);border-radius:6px;background:var(--soft);color:inherit}
article{border:1px solid var(--line);border-radius:8px;padding:1rem 1.25rem;margin:0 0 1rem;scroll-margin-top:4.5rem}
h2{font-size:1rem;margin:0}h2 a{color:inherit;text-decoration:none}h3{font-size:.95rem;margin:.9rem 0 .2rem}
.marks{display:flex;flex-wrap:wrap;gap:.4rem;margin:.4rem 0}.marks span{font-size:.8rem;color:var(--dim);background:var(--soft);border-radius:4px;padding:.05rem .45rem}
.question{margin:.5rem 0}.files{margin:.3rem 0;color:var(--dim)}.truth{margin:.5rem 0;font-weight:600;color:var(--mark)}.miss{color:var(--dim)}
summary{cursor:pointer;color:var(--dim)}code{font:.85rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}li ul{font-size:.85rem;color:var(--dim);padding-left:1rem}[hidden]{display:none}
`;

const SCRIPT = `
const field=document.querySelector('#filter input'),out=document.querySelector('#filter output'),all=[...document.querySelectorAll('article')].map(a=>[a,a.textContent.toLowerCase()]);
field.addEventListener('input',()=>{const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;for(const[a,t]of all){a.hidden=!words.every(w=>t.includes(w));if(!a.hidden)n++}out.textContent=n+' shown'});
`;

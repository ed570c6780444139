// Draws the tasks of a set: each template writes its share, and a draft that gives its truth away, repeats another or leans on a wrong copy by chance is
// drawn again. Which templates, and how many tasks each: composition.ts.
import { seededRandom } from '../../base/random.ts';
import type { SolutionPlan } from '../plan.ts';
import type { Level, Task, TaskType } from '../task.ts';
import { scoreAnswer } from './score.ts';
import { similarity, trigramsOf } from './similarity.ts';
import type { AttachedFile, Setting, TaskDraft, Template } from './template.ts';
import { type FirstLook, firstLook } from './web/first-look.ts';
import type { FirstSearch } from './web/first-search.ts';

export interface Quota {
  readonly template: Template;
  readonly count: number;
  /** Of the same type and level: a large set lets them take turns with the template. */
  readonly instead?: readonly Template[];
}

export interface WrittenTask {
  readonly task: Task;
  readonly truth: string;
  readonly plan: SolutionPlan;
  /** Bytes by path within the set. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** Up to five steps, up to ten, and more (GAIA's own levels, by steps of the annotator). */
export function levelOf(steps: number): Level {
  return steps <= 5 ? 1 : steps <= 10 ? 2 : 3;
}

/** Above this two questions count as one. The check allows 0.8. */
const TOO_ALIKE = 0.78;
const ATTEMPTS = 200;
/** Tables full of small numbers stand around some truths; after so many attempts only the real search decides. */
const LOOKED_AHEAD = 60;

export interface DrawOptions {
  /** How often this turn was drawn before. @default 0 */
  readonly round?: number;
  /** Drafts of another level are drawn again. */
  readonly level?: Level;
  /** Puts a draft into other company. */
  readonly frame?: (draft: TaskDraft, attempt: number) => TaskDraft;
}

export interface DrawSetting extends Pick<Setting, 'world' | 'web' | 'speaker'> {
  readonly seed: number;
  /** What a draft is held against last. Left out, nothing is. */
  readonly search?: Pick<FirstSearch, 'shows'>;
}

/** Written tasks so far, and what the next one may not repeat. */
export class TaskDraw {
  readonly #setting: DrawSetting;
  readonly #trigrams: ReadonlySet<string>[] = [];
  readonly #labels = new Set<string>();
  readonly #sentences: string[] = [];
  readonly #look: FirstLook;

  constructor(setting: DrawSetting) {
    this.#setting = setting;
    this.#look = firstLook(setting.web);
  }

  /** @throws Error when no attempt is acceptable: the template asks for more than the world holds. */
  async draw(template: Template, turn: number, id: string, { round = 0, level, frame }: DrawOptions = {}): Promise<WrittenTask> {
    const { world, web, seed, speaker } = this.#setting;
    let reason = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const again = round === 0 ? [] : [round];
      const written = await template.write({ world, web, turn, speaker, random: seededRandom('task', seed, template.name, turn, attempt, ...again) });
      const draft = written && frame ? frame(written, attempt) : written;
      const strays = draft !== undefined && level !== undefined && levelOf(draft.plan.steps.length) !== level;
      const objection = strays ? `level ${level} is due` : draft ? this.#objection(draft, attempt, frame === undefined) : 'the template found nothing suitable';
      if (draft && objection === undefined) return this.#accept(draft, template, id);
      reason = objection ?? '';
    }
    throw new Error(`template ${template.name} wrote no acceptable task in ${ATTEMPTS} attempts; the last one: ${reason}`);
  }

  /** @param unique whether no label may repeat one of another task: so it is in open68, and no larger set has the words for it */
  #objection({ question, truth, plan, attachments = [] }: TaskDraft, attempt: number, unique: boolean): string | undefined {
    const asked = question.toLowerCase();
    if (attempt < LOOKED_AHEAD && this.#look.shows(plan, truth)) return `the truth ${truth} stands where the first search looks`;
    if (plan.nearMisses.length === 0 && plan.steps.some(({ call }) => call)) return 'no wrong copy or neighbour can mislead';
    if (givenAway(truth, asked)) return `the truth ${truth} stands in the question`;
    if (attachments.some((_, i) => truth === String(i + 1))) return `the truth ${truth} stands in the name of an attachment`;
    const trigrams = trigramsOf(question);
    const alike = this.#trigrams.find((other) => similarity(trigrams, other) > TOO_ALIKE);
    if (alike) return 'the question is too much like another';
    const labels = labelsOf(plan);
    if (new Set(labels).size < labels.length || (unique && labels.some((label) => this.#labels.has(label))))
      return `a label is not unique: ${labels.join('; ')}`;
    for (const { sentence } of plan.chains) {
      const own = sentence.toLowerCase();
      if (this.#sentences.some((other) => other.includes(own) || own.includes(other))) return `the sentence of a chain is not unique: ${sentence}`;
      if (givenAway(truth, own)) return 'the truth stands in a sentence';
    }
    if (this.#setting.search?.shows(plan, truth)) return `the truth ${truth} stands in what the first search shows`;
    return undefined;
  }

  #accept(draft: TaskDraft, template: Template, id: string): WrittenTask {
    const { question, truth, plan, attachments = [] } = draft;
    this.#trigrams.push(trigramsOf(question));
    for (const label of labelsOf(plan)) this.#labels.add(label);
    this.#sentences.push(...plan.chains.map(({ sentence }) => sentence.toLowerCase()));
    const named = attachments.map((file, i) => ({ name: attachmentName(file, i), bytes: file.bytes }));
    const folder = `files/${shortId(template.type, id)}`;
    const task: Task = {
      id,
      type: template.type,
      level: levelOf(plan.steps.length),
      question,
      attachments: named.map(({ name }) => ({ name, path: `${folder}/${name}` })),
      template: template.name,
      width: plan.chains.length,
      steps: plan.steps.length,
    };
    const nearMisses = plan.nearMisses.filter((miss) => !scoreAnswer(miss, truth).correct);
    return { task, truth, plan: { ...plan, nearMisses }, files: named.map(({ name, bytes }) => ({ path: `${folder}/${name}`, bytes })) };
  }
}

/** A whole list or one of its entries counts. */
function givenAway(truth: string, lowerText: string): boolean {
  return lowerText.includes(truth.toLowerCase()) || truth.split(/[,;]/).some((entry) => lowerText.includes(entry.trim().toLowerCase()));
}

function labelsOf(plan: SolutionPlan): string[] {
  return plan.steps.flatMap(({ reads }) => reads.map(({ label }) => label.toLowerCase()));
}

export function attachmentName(file: Pick<AttachedFile, 'extension'>, index: number): string {
  return `attachment-${index + 1}.${file.extension}`;
}

function shortId(type: TaskType, id: string): string {
  return id.slice(id.indexOf(type));
}

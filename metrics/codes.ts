// The codes of method M5.3 as data: whose doing each is. One is a trial's primary code; the rest are events beside it.
import type { CauseSource } from './record.ts';

/** What the framework did, or let happen. */
const FRAMEWORK = [
  'worker-exit',
  'out-of-memory',
  'hang',
  'unhandled-rejection',
  'framework-exception',
  'unknown-route',
  'lost-result',
  'instruction-lost',
  'altered-arguments',
  'invalid-arguments-executed',
  'notice-as-answer',
  'silent-empty',
  'empty-passed-on',
  'retries-exhausted',
  'loop',
  'iteration-cap',
  'forced-answer',
  'context-overflow',
  'stray-work',
] as const;

/** What the model did. The first four are faults that a framework meets; `invalid-arguments` and `empty-reply` are those that it caught. */
const MODEL = [
  'unknown-tool',
  'malformed-arguments',
  'invalid-arguments',
  'empty-reply',
  'malformed-plan',
  'truncated',
  'reasoning-only',
  'wrong-answer',
  'refusal',
  'no-marker',
] as const;

const INFRASTRUCTURE = ['provider-error', 'rate-limit', 'timeout', 'tool-backend-down', 'harness-error', 'host-signal'] as const;

export type Code = (typeof FRAMEWORK)[number] | (typeof MODEL)[number] | (typeof INFRASTRUCTURE)[number];

const SOURCES = new Map<Code, CauseSource>([
  ...FRAMEWORK.map((code) => [code, 'framework'] as const),
  ...MODEL.map((code) => [code, 'model'] as const),
  ...INFRASTRUCTURE.map((code) => [code, 'infrastructure'] as const),
]);

export function sourceOf(code: Code): CauseSource {
  return SOURCES.get(code) ?? 'framework';
}

/** Whoever stopped at the cap, or had to answer there (method M3.4): rates are given with and without these. */
export const CAP_CODES: ReadonlySet<string> = new Set(['iteration-cap', 'forced-answer'] satisfies Code[]);

/** An empty or cut last reply handed on as it came: counts as not repaired, never as caused (method M5.3). */
export const PASSED_ON_CODES: ReadonlySet<string> = new Set(['empty-passed-on', 'reasoning-only'] satisfies Code[]);

/** Codes of the framework that a fault of the model stands behind: the arguments it let through were the model's. */
export const LET_THROUGH_CODES: ReadonlySet<string> = new Set(['invalid-arguments-executed'] satisfies Code[]);

/** Judgements of an answer: no fault that a framework could have met. */
export const ANSWER_CODES: ReadonlySet<string> = new Set(['wrong-answer', 'refusal', 'no-marker'] satisfies Code[]);

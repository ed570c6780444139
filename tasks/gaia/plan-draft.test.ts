import { describe, expect, it } from 'vitest';
import { c, draftPlan, op, rounded, v } from './plan-draft.ts';

const number = (label: string, value: number, wrong?: number) => ({
  label,
  after: [label],
  kind: 'number' as const,
  value,
  ...(wrong === undefined ? {} : { wrong }),
});

function twoChains() {
  const plan = draftPlan();
  const first = plan.chain('Work out the first.');
  const at = first.step({ tool: 'read_text', arguments: { file: 'a.txt' } }, { page: number('page', 3), cost: number('cost', 40, 60) });
  const next = first.step({ tool: 'read_pdf', arguments: { file: 'b.pdf', first_page: `{{${at.page}}}` } }, { fee: number('fee', 2) });
  const sum = first.calculate('sum', op('multiply', op('add', v(at.cost), v(next.fee)), c(10)));
  const second = plan.chain('Find the second.');
  const other = second.step({ tool: 'web_search', arguments: { query: 'x' } }, { rate: number('rate', 7, 6) });
  return { plan, sum, other };
}

describe('drafting a plan', () => {
  it('numbers the steps, ties each to those whose values it needs, and parts them into chains', () => {
    const { plan, sum, other } = twoChains();
    const { steps, chains } = plan.finish('How much?', op('divide', v(sum), v(other.rate)), 60);
    expect(steps.map(({ id, needs }) => [id, needs])).toEqual([
      ['s1', []],
      ['s2', ['s1']],
      ['s3', ['s1', 's2']],
      ['s4', []],
    ]);
    expect(chains).toEqual([
      { sentence: 'Work out the first.', steps: ['s1', 's2', 's3'] },
      { sentence: 'Find the second.', steps: ['s4'] },
    ]);
  });

  it('gives the calculator an expression of values and reads what it equals', () => {
    const { plan, sum, other } = twoChains();
    const { steps } = plan.finish('How much?', op('divide', v(sum), v(other.rate)), 60);
    expect(steps[2]?.call).toEqual({ tool: 'calculator', arguments: { expression: '({{s1.cost}} + {{s2.fee}}) * 10' } });
    expect(steps[2]?.reads).toEqual([{ name: 'value', label: '[sum]', after: ['({{s1.cost}} + {{s2.fee}}) * 10', '='], kind: 'number' }]);
  });

  it('keeps the values out of the plan', () => {
    const { plan, sum, other } = twoChains();
    for (const { reads } of plan.finish('How much?', op('divide', v(sum), v(other.rate)), 60).steps)
      for (const read of reads) expect(Object.keys(read)).not.toContain('value');
  });

  it('works out what each misreading, and all together, would answer', () => {
    const { plan, sum, other } = twoChains();
    expect(plan.finish('How much?', rounded(op('divide', v(sum), v(other.rate)), 1), 60).nearMisses).toEqual(['88.6', '70', '103.3']);
  });

  it('refuses a plan that does not lead to the truth', () => {
    const { plan, sum, other } = twoChains();
    expect(() => plan.finish('How much?', op('divide', v(sum), v(other.rate)), 61)).toThrow('leads to "60", and the truth is "61"');
  });
});

import { describe, expect, it } from 'vitest';
import { calculator } from './calculator.ts';
import type { ToolContext } from './tool.ts';

const calculate = (expression: string) => calculator.run({ expression }, {} as ToolContext);

describe('calculator', () => {
  it.each([
    ['2^8', '256'],
    ['2**8', '256'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2^-2', '0.25'],
    ['0.1 + 0.2', '0.3'],
    ['1/3*3', '1'],
    ['1/3', '0.33333333333333333333'],
    ['2/3', '0.66666666666666666667'],
    ['-1/3', '-0.33333333333333333333'],
    ['1/7000000', '0.00000014285714285714285714'],
    ['(48,210 - 1,200) / 3', '15670'],
    ['1,234,567.5 * 2', '2469135'],
    ['17 % 5', '2'],
    ['-17 % 5', '3'],
    ['15% * 200', '30'],
    ['200 - 50%', '199.5'],
    ['5!', '120'],
    ['2(3+4)', '14'],
    ['12 × 3 ÷ 4 − 1', '8'],
    ['sqrt(16)', '4'],
    ['sqrt(2)', '1.4142135623730950488'],
    ['sqrt(0.25)', '0.5'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.5)', '-3'],
    ['round(1234, -2)', '1200'],
    ['floor(-1.5)', '-2'],
    ['ceil(1.2)', '2'],
    ['min(3, 1, 2)', '1'],
    ['max(12,7)', '12'],
    ['mean(1, 2, 4)', '2.3333333333333333333'],
    ['median(4, 1, 3, 2)', '2.5'],
    ['sum(1, 2, 3)', '6'],
    ['ln(e)', '1'],
    ['sin(0)', '0'],
    ['2 * pi', '6.2831853071795864769'],
    ['sqrt(2) * sqrt(2)', '2'],
    ['sqrt(2)^2', '2'],
    ['1.000000000000000000000001 + 0', '1.000000000000000000000001'],
    ['max(1,234,5)', '234'],
    ['1e3 + 1.5e-2', '1000.015'],
    ['0.1^20', '0.00000000000000000001'],
    ['9007199254740993 + 0', '9007199254740993'],
    ['0^0', '1'],
    ['(-1)^7', '-1'],
    ['4^0.5', '2'],
    ['1 + 1 =', '2'],
  ])('calculates %s as %s', (expression, value) => {
    expect(calculate(expression)).toBe(`${expression} = ${value}`);
  });

  it.each([
    ['1/0', 'division by zero'],
    ['0^-1', 'division by zero'],
    ['5 % 0', 'division by zero'],
    ['process.exit()', 'unknown name "process" at position 1'],
    ['import("fs")', 'unknown name "import"'],
    ['constructor(1)', 'unknown name "constructor"'],
    ['1 +', 'expected a number at position 4, found the end'],
    ['(1 + 2', 'expected ")" at position 7'],
    ['1 2', 'expected an operator at position 3, found "2"'],
    ['1;2', '";" at position 2'],
    ['', 'the expression is empty'],
    ['sqrt(-1)', 'the square root of a negative number'],
    ['sqrt(1, 2)', 'sqrt takes one number, found 2'],
    ['min()', 'min takes at least one number'],
    ['ln(0)', 'the result is not a finite number'],
    ['9^9^9', 'too large'],
    ['1e999999999', 'too large'],
    ['600!', 'from 0 to 500'],
    ['max(1,000, 2)', '"1,000" inside a function can be read as one number or several'],
    ['('.repeat(5_00), 'levels of nesting'],
    ['-'.repeat(1_000), 'levels of nesting'],
    ['1+'.repeat(1_001), 'longer than 2000 characters'],
  ])('answers %s with a text that says what is wrong', (expression, message) => {
    const text = calculate(expression);
    expect(text).toContain('cannot be calculated');
    expect(text).toContain(message);
  });
});

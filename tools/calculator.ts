// The tool `calculator`: exact arithmetic over numbers. What it cannot calculate it says as text, so that a model can mend the expression.
import { evaluateExpression } from './evaluate-expression.ts';
import { CalculationError, formatExact } from './exact-number.ts';
import { stringOf, type Tool, toolSchema } from './tool.ts';

export const calculator: Tool = {
  schema: toolSchema(
    'calculator',
    'Calculates an arithmetic expression exactly. Knows + - * / ^ % ! and parentheses, thousands commas, and functions such as sqrt, round(x, digits), min, max, sum, mean.',
    { expression: { type: 'string', description: 'The expression, for example (48210 - 1,200) / 3 or round(2/3, 2)' } },
    ['expression'],
  ),
  run: (given) => {
    const expression = stringOf(given, 'expression');
    try {
      return `${expression} = ${formatExact(evaluateExpression(expression))}`;
    } catch (thrown) {
      if (thrown instanceof CalculationError) return `"${expression.slice(0, 200)}" cannot be calculated: ${thrown.message}.`;
      throw thrown;
    }
  },
};

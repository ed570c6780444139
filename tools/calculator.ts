// The tool `calculator`: exact arithmetic over numbers, units and dates. What it cannot calculate it says as text, so that a model can mend the expression.
import { formatValue } from './calculator-value.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { CalculationError } from './exact-number.ts';
import { stringOf, type Tool, toolSchema } from './tool.ts';

export const calculator: Tool = {
  schema: toolSchema(
    'calculator',
    'Calculates an arithmetic expression exactly. Knows + - * / ^ % ! and parentheses, thousands commas, functions such as sqrt, round(x, digits), min, max, sum, mean, units (5 km + 300 m, 60 mph to km/h, 20 celsius to fahrenheit) and dates (2024-03-01 - 2024-02-01, 31 January 2024 + 3 weeks, weekday(2024-02-29), leapyear(2024)).',
    { expression: { type: 'string', description: 'The expression, for example (48210 - 1,200) / 3 or round(2/3, 2)' } },
    ['expression'],
  ),
  run: (given) => {
    const expression = stringOf(given, 'expression');
    try {
      return `${expression} = ${formatValue(evaluateExpression(expression))}`;
    } catch (thrown) {
      if (thrown instanceof CalculationError) return `"${expression.slice(0, 200)}" cannot be calculated: ${thrown.message}.`;
      throw thrown;
    }
  },
};

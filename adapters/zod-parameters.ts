// A tool's flat parameters as a zod object, the schema language of all frameworks' tutorials here.
// Optional ones are `.nullish()`: the broker takes null for absent (method M2.1), and OpenAI's strict schemas ask for required-but-nullable.
import { z } from 'zod';
import type { ToolParameter, ToolSchema } from '../base/tool-schema.ts';

export type Arguments = Record<string, unknown>;

export function zodParameters({ parameters }: ToolSchema): z.ZodObject<Record<string, z.ZodType>> {
  const fields = Object.entries(parameters.properties).map(([name, parameter]) => {
    const type = zodType(parameter.type);
    return [name, (parameters.required.includes(name) ? type : type.nullish()).describe(parameter.description)] as const;
  });
  return z.object(Object.fromEntries(fields));
}

function zodType(type: ToolParameter['type']): z.ZodType {
  switch (type) {
    case 'string':
      return z.string();
    case 'number':
      return z.number();
    case 'integer':
      return z.number().int();
    case 'boolean':
      return z.boolean();
    default:
      return type satisfies never;
  }
}

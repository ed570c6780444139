// The tool with which an agent reads on behind a handle that it was shown: a piece at a time, so that the model decides what comes into its context.
import { jsonSchema } from '../schema.ts';
import { tool } from '../tool.ts';

const DEFAULT_LENGTH = 2_000;

export const readHeld = tool({
  name: 'read_held',
  description: 'Reads a piece of a result that is known by its handle. Give the handle, and where to begin.',
  input: jsonSchema<{ handle: string; from?: number; length?: number }>({
    type: 'object',
    properties: {
      handle: { type: 'string' },
      from: { type: 'integer', minimum: 0, description: 'First character; 0 when left out.' },
      length: { type: 'integer', minimum: 1, description: `Characters; ${DEFAULT_LENGTH} when left out.` },
    },
    required: ['handle'],
    additionalProperties: false,
  }),
  run: ({ handle, from = 0, length = DEFAULT_LENGTH }, { held }) => {
    const { text } = held(handle);
    const piece = text.slice(from, from + length).toWellFormed();
    return from + length < text.length ? `${piece}\n[goes on at ${from + length} of ${text.length} characters]` : piece;
  },
});

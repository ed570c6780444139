// Which rewritings of a tool's schema lose something for the model, and which only say it otherwise.
import { expect, test } from 'vitest';
import { schemaLosses } from './wire-schemas.ts';

const FLOOR = {
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { file: { type: 'string', description: 'Its name.' }, page: { type: 'integer', description: 'From 1.' } },
    required: ['file'],
    additionalProperties: false,
  },
};
const { file, page } = FLOOR.parameters.properties;

function lossesOf(mine: object): string[] {
  return schemaLosses(new Map([['read', { ...FLOOR, ...mine }]]), new Map([['read', FLOOR]]));
}

const withParameters = (properties: object, required: readonly string[] = ['file']) => ({ parameters: { properties, required } });

test.each<[string, object]>([
  ['nothing else', {}],
  ['titles, defaults and strictness', { strict: true, ...withParameters({ file: { ...file, title: 'File' }, page: { ...page, default: null } }) }],
  ['null for absent, as strict schemas have it', withParameters({ file, page: { ...page, type: ['integer', 'null'] } }, ['file', 'page'])],
  ['null for absent, as pydantic has it', withParameters({ file, page: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'From 1.' } })],
  [
    'descriptions of parameters in that of the tool',
    {
      description: 'Reads a file.\n\nArgs:\n    file: Its  name.\n    page: From 1.',
      ...withParameters({ file: { type: 'string' }, page: { type: 'integer' } }),
    },
  ],
])('loses nothing by %s', (_, mine) => {
  expect(lossesOf(mine)).toEqual([]);
});

test.each<[string, object, string]>([
  ['the description of a tool', { description: 'read' }, 'read.description'],
  ['a parameter', withParameters({ file }), 'read.page is gone'],
  ['a type', withParameters({ file, page: { ...page, type: 'string' } }), 'read.type of page'],
  ['the one type among several', withParameters({ file, page: { ...page, type: ['integer', 'string'] } }), 'read.type of page'],
  ['a type that is not said', withParameters({ file: { description: 'Its name.' }, page }), 'read.type of file'],
  ['the description of a parameter', withParameters({ file, page: { type: 'integer' } }), 'read.description of page'],
  ['that a parameter is required', withParameters({ file, page }, []), 'read.file is required'],
  ['that a parameter is optional', withParameters({ file, page }, ['file', 'page']), 'read.page is optional'],
])('says when %s is lost', (_, mine, lost) => {
  expect(lossesOf(mine)).toEqual([lost]);
});

test('looks at no tool that only one of the two offers', () => {
  expect(schemaLosses(new Map([['final_answer', {}]]), new Map([['read', FLOOR]]))).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { createTranslate } from '@pos/web-ui/testing';
import type { Schema } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { describeType, listConstraints, listParts, type Schemas } from './schema-text.js';

const text = createTranslate(REFERENCE_MESSAGES, 'en');
const money: Schema = { type: 'object', properties: { value: { type: 'integer' } } };
const SCHEMAS: Schemas = {
  Money: money,
  Alias: { $ref: '#/components/schemas/Money' },
  Tree: { type: 'object', properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
  Status: { type: 'string', enum: ['Open', 'Paid'] },
};
const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

test.each<[string, Schema, string]>([
  ['a text', { type: 'string' }, 'string'],
  ['a named shape', refer('Money'), 'Money'],
  ['a shape without a name', money, 'object'],
  ['a list of shapes', { type: 'array', items: refer('Money') }, 'list of Money'],
  ['a value of a list', refer('Status'), 'string'],
  ['one of two', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  ['a constant', { const: 'Sale' }, 'string'],
  ['anything', {}, 'any value'],
  ['a shape that is missing', refer('Nothing'), 'any value'],
])('%s has a type in words', (_, schema, type) => {
  expect(describeType(schema, SCHEMAS, text)).toBe(type);
});

test.each<[string, Schema, readonly (readonly [string, string])[]]>([
  ['bounds of a text', { type: 'string', minLength: 1, maxLength: 60 }, [['', '1 to 60 characters']]],
  ['one bound', { type: 'string', maxLength: 4096 }, [['', 'at most 4,096 characters']]],
  ['bounds of a number', { type: 'integer', minimum: 1, maximum: 100 }, [['', '1 to 100']]],
  ['bounds that every number has', { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }, []],
  [
    'values and the standard',
    { enum: ['Auto', 'Manual'], default: 'Auto' },
    [
      ['One of', 'Auto, Manual'],
      ['Default', 'Auto'],
    ],
  ],
  ['a format in place of its pattern', { format: 'date', pattern: '^x$' }, [['Format', 'date']]],
  ['a false standard', { type: 'boolean', default: false }, [['Default', 'false']]],
  ['the values of a named shape', refer('Status'), [['One of', 'Open, Paid']]],
])('%s are constraints', (_, schema, constraints) => {
  expect(listConstraints(schema, SCHEMAS, text)).toEqual(constraints);
});

test.each<[string, Schema, readonly (string | null)[]]>([
  ['a plain value', { type: 'string' }, []],
  ['a named shape', refer('Money'), ['Money']],
  ['a name of a name', refer('Alias'), ['Alias']],
  ['elements of a list', { type: 'array', items: refer('Money') }, ['Money']],
  ['variants', { oneOf: [refer('Money'), refer('Tree'), { type: 'null' }] }, ['Money', 'Tree']],
  ['a shape that contains itself', refer('Tree'), ['Tree']],
  ['values of a map', { type: 'object', additionalProperties: refer('Money') }, ['Money']],
])('%s can be unfolded to their members', (_, schema, names) => {
  expect(listParts(schema, SCHEMAS).map(({ name }) => name)).toEqual(names);
});

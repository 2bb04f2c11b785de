import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CARD_SCHEMES, SCHEMES } from '@pos/core/cards';
import { CURRENCY_EXPONENTS } from '@pos/core/testing';
import { openApiDocument } from '@pos/rest-contracts/openapi';
import { API_OPERATIONS, API_TITLE } from '@pos/rest-contracts/operations';
import { HEALTH_OPERATIONS } from '@pos/rest-contracts/operators';
import { REPOSITORY } from '../repository/repository.js';
import { type ApiDocument, createContractModel } from './model/contract-model.js';
import { renderGoOperations, renderGoTypes } from './go/render-go.js';
import { renderJavaFacts, renderJavaOperations, renderJavaReasons } from './java/render-java.js';
import { renderJavaTypes } from './java/render-java-type.js';
import { nameIterator } from './model/names.js';
import { ObjectTypes } from './model/object-types.js';
import type { Schema } from './model/schema.js';
import { renderPhpOperations, renderPhpReasons, renderPhpTypes } from './php/render-php.js';
import { renderPythonOperations, renderPythonSchemas } from './python/render-python.js';
import {
  renderCurrencies,
  renderOperations,
  renderOperationTypes,
  renderPayerOperations,
  renderSchemas,
  renderSchemeNames,
} from './render-client.js';
import { renderType } from './render-type.js';

const OPERATIONS = [...HEALTH_OPERATIONS, ...API_OPERATIONS];
const document = openApiDocument(OPERATIONS, API_TITLE) as unknown as ApiDocument;
const model = createContractModel(document, OPERATIONS);

const types = new ObjectTypes(model);

test.each<[string, string]>([
  ['packages/sdk/src/gen/currencies.ts', renderCurrencies(CURRENCY_EXPONENTS)],
  [
    'packages/sdk/src/gen/card-schemes.ts',
    renderSchemeNames(CARD_SCHEMES.map((scheme) => [scheme, SCHEMES[scheme].name])),
  ],
  ['packages/sdk/src/gen/schemas.ts', renderSchemas(model)],
  ['packages/sdk/src/gen/operation-types.ts', renderOperationTypes(model)],
  ['packages/sdk/src/gen/payer-operations.ts', renderPayerOperations(model)],
  ['packages/sdk/src/gen/operations.ts', renderOperations(model)],
  ['sdks/python/pos_sdk/schemas.py', renderPythonSchemas(model, types)],
  ['sdks/python/pos_sdk/operations.py', renderPythonOperations(model, types)],
  ['sdks/java/pos/client/Types.java', renderJavaTypes(types)],
  ['sdks/java/pos/client/Operations.java', renderJavaFacts(model)],
  ['sdks/java/pos/client/PosOperations.java', renderJavaOperations(model, types)],
  ['sdks/java/pos/client/Reason.java', renderJavaReasons(model)],
  ['sdks/go/types.go', renderGoTypes(model, types)],
  ['sdks/go/operations.go', renderGoOperations(model, types)],
  ['sdks/php/src/Reason.php', renderPhpReasons(model)],
  ['sdks/php/src/Types.php', renderPhpTypes(types)],
  ['sdks/php/src/PosOperations.php', renderPhpOperations(model, types)],
])('%s is what the contract of the newest release says; UPDATE_GOLDEN=1 rewrites it', (name, wanted) => {
  const file = path.join(REPOSITORY, name);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, wanted);
  expect(readFileSync(file, 'utf8')).toBe(wanted);
});

test.each<[string, Schema, string]>([
  ['a constant', { const: 'a' }, '"a"'],
  ['a nullable text', { type: ['string', 'null'] }, 'string | null'],
  ['two numbers', { anyOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
  ['a list of options', { type: 'array', items: { enum: [1, 2] } }, 'readonly (1 | 2)[]'],
  ['a member that must be absent', { not: {} }, 'never'],
  ['a map', { type: 'object', additionalProperties: { type: 'boolean' } }, 'Readonly<Record<string, boolean>>'],
])('%s becomes its type', (_, schema, type) => {
  expect(renderType(schema)).toBe(type);
});

test('an operation of payers that needs a secret unknown to the client stops the generator', () => {
  const secret = { ...OPERATIONS.find(({ id }) => id === 'readPublicPaymentIntent')!, clientSecret: true } as const;
  expect(() => createContractModel(document, [secret])).toThrow('does not know the secret of readPublicPaymentIntent');
});

test('a type that the generator does not know stops it', () => {
  expect(() => renderType({ type: 'file' })).toThrow('does not know the type "file"');
});

describe('a contract that clients with named types cannot express', () => {
  const object = (name: string, type: Schema): Schema => ({ type: 'object', properties: { [name]: type } });
  const withSchemas = (schemas: Readonly<Record<string, Schema>>) =>
    new ObjectTypes({ ...{ release: '', schemas, reasons: [] }, ...{ operations: [], events: [] } });

  test.each<[string, Readonly<Record<string, Schema>>, string]>([
    [
      'two objects on the spot with one name',
      { A: object('bC', object('d', {})), AB: object('c', object('d', {})) },
      'two objects have the name ABC',
    ],
    [
      'alternatives whose members differ in type',
      { A: { oneOf: [object('b', { type: 'string' }), object('b', { type: 'integer' })] } },
      'cannot merge the alternatives of b',
    ],
    ['values of several types', { A: object('b', { enum: ['c', 1] }) }, 'does not know the values ["c",1]'],
    ['a type of tomorrow', { A: object('b', { type: 'file' }) }, 'does not know the type "file"'],
    ['a combination', { A: object('b', { allOf: [{ type: 'string' }] }) }, 'does not know allOf'],
  ])('%s stops the generator', (_, schemas, message) => {
    expect(() => withSchemas(schemas)).toThrow(message);
  });

  test('a listing that no iterator can be named after stops the generator', () => {
    expect(() => nameIterator('findAlarms')).toThrow('has another verb');
  });

  test('alternatives become one object: required is what all of them require', () => {
    const sale = { ...object('kind', { const: 'Sale' }), required: ['kind'] };
    const refund = {
      type: 'object',
      properties: { kind: { const: 'Refund' }, of: { type: 'string' } },
      required: ['kind', 'of'],
    };
    const [merged] = withSchemas({ A: { oneOf: [sale, refund] } }).list();
    expect(merged?.members).toMatchObject([
      { name: 'kind', type: { kind: 'choice', values: ['Sale', 'Refund'] }, isRequired: true },
      { name: 'of', type: { kind: 'text' }, isRequired: false },
    ]);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PERMISSIONS } from '@pos/core/identity';
import { REFUSAL_CODES } from '@pos/core/refusals';
import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { createDeliveryHeaders } from '@pos/core/webhook-signatures';
import { z } from 'zod';
import { CARD_VAULT_OPERATIONS, CARD_VAULT_TITLE } from './card-vault/client-payments.js';
import { eposDataDocument } from './epos-data/epos-data-document.js';
import { HEALTH_OPERATIONS } from './operators/health.js';
import { listLeaves } from './shapes/leaves.js';
import { WEBHOOK_BODIES } from './webhooks/events.js';
import { openApiDocument } from './openapi/openapi.js';
import { commonRefusals, type Operation } from './operation/operation.js';
import { API_OPERATIONS, API_TITLE } from './operations/operations.js';
import { PROBLEMS } from './problems/problems.js';
import { readBody } from './parsing/reading.js';
import { listExamples } from './examples/schema-examples.js';
import { TESTER_OPERATIONS } from './operators/tester.js';

const OPERATIONS: readonly Operation[] = [
  ...HEALTH_OPERATIONS,
  ...API_OPERATIONS,
  ...TESTER_OPERATIONS,
  ...CARD_VAULT_OPERATIONS,
];
const byId = OPERATIONS.map((operation) => [operation.id, operation] as const);

/** Every number in the first example of every body: the operation and the path of the member. */
const NUMBERS: readonly (readonly [string, string])[] = OPERATIONS.flatMap(({ id, body }) => {
  // The tester's flows parse their own parameters.
  if (id === 'startFlow') return [];
  const [example] = body === undefined ? [] : listExamples(body);
  return listLeaves(example).flatMap(({ path, value }) =>
    typeof value === 'number' ? [[id, path.join('.')] as const] : [],
  );
});

function replaced(value: unknown, [step, ...deeper]: readonly string[], by: string): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    return elements.map((each, at) => (String(at) === step ? replaced(each, deeper, by) : each));
  }
  return { ...Object(value), [step]: replaced(Reflect.get(Object(value), step), deeper, by) };
}

describe('every operation', () => {
  test.each(byId)('%s has a well-formed id, path and summary', (_, { id, path, summary, tag }) => {
    expect(id).toMatch(/^[a-z][a-zA-Z]{2,40}$/);
    expect(path).toMatch(/^(\/([a-z0-9-]+|\{[a-z][a-zA-Z]*\}))+$/);
    expect(summary).toMatch(/^[A-Z].{9,}[^.]$/);
    expect(tag).not.toBe('');
  });

  test.each(byId)('%s reads the members of its path and no others', (_, { path, params }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {})).toEqual(named);
  });

  test.each(byId)('%s lists each refusal once, and none that all operations share', (_, operation) => {
    const { refusals } = operation;
    expect(new Set(refusals).size).toBe(refusals.length);
    expect(refusals.filter((code) => !REFUSAL_CODES.includes(code))).toEqual([]);
    // Readiness itself declares this refusal.
    const repeated = refusals.filter((code) => commonRefusals(operation).includes(code));
    expect(repeated).toEqual(operation.id === 'readReady' ? ['service_unavailable'] : []);
  });

  test.each(byId)('%s requires an existing permission, or declares that it requires none', (_, { permission }) => {
    expect(
      permission === null || permission === 'any' || permission === 'full' || PERMISSIONS.includes(permission),
    ).toBe(true);
  });

  test.each(byId)('%s accepts an idempotency key only if it changes something', (_, operation) => {
    const { method, idempotency, permission } = operation;
    expect(idempotency === 'none').toBe(method === 'GET' || permission === null);
  });

  test.each(byId)('%s has a valid example of its answer', (_, { returns }) => {
    if (returns === null) return;
    const examples = listExamples(returns);
    expect(examples).not.toEqual([]);
    for (const example of examples) expect(returns.parse(example)).toEqual(example);
  });

  test.each(byId.filter(([, { body }]) => body !== undefined))('%s has a valid example of its body', (_, { body }) => {
    const schema = body as z.ZodType;
    const examples = listExamples(schema);
    expect(examples).not.toEqual([]);
    for (const example of examples) expect(readBody(schema, example)).toMatchObject({ ok: true });
  });

  test.each(NUMBERS)('%s accepts %s only as digits, as number or as text', (id, path) => {
    const operation = OPERATIONS.find((each) => each.id === id);
    const schema = operation?.body as z.ZodType;
    const [example] = listExamples(schema);
    const said = (text: string) => readBody(schema, replaced(example, path.split('.'), text)).ok;
    const digits = String(path.split('.').reduce<unknown>((here, step) => Reflect.get(Object(here), step), example));
    expect(said(digits)).toBe(true);
    const written = [
      `${digits}.0`,
      `${digits}.00`,
      `${digits}e0`,
      `+${digits}`,
      ` ${digits}`,
      `${digits} `,
      `0x${digits}`,
    ];
    expect(written.filter(said)).toEqual([]);
  });

  test.each(byId)('%s has its own request shape, not the shape of an answer', (_, { body, returns }) => {
    const findId = (schema: z.ZodType | null | undefined) =>
      schema === null || schema === undefined ? undefined : z.globalRegistry.get(schema)?.id;
    if (body !== undefined) {
      expect(findId(body)).toMatch(/^[A-Z]/);
      expect(findId(body)).not.toBe(findId(returns));
    }
  });
});

test('ids are unique, and so are method and path at one address', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const served of [API_OPERATIONS, TESTER_OPERATIONS, CARD_VAULT_OPERATIONS]) {
    const places = [...HEALTH_OPERATIONS, ...served].map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    expect(new Set(places).size).toBe(places.length);
  }
});

test('only terminals and their sessions require partner headers and have a code in problems', () => {
  for (const { path, partnerHeaders, problemsCarryCode } of OPERATIONS) {
    const isTerminal = /^\/terminal/.test(path);
    expect([partnerHeaders === true, problemsCarryCode === true]).toEqual([isTerminal, isTerminal]);
  }
});

test('every webhook body has a valid example', () => {
  for (const { body } of WEBHOOK_BODIES)
    for (const example of listExamples(body)) expect(body.parse(example)).toEqual(example);
});

test('every refusal has an answer of the catalogue', () => {
  expect(Object.keys(PROBLEMS).sort()).toEqual([...REFUSAL_CODES].sort());
});

test('the document of the card vault equals its golden file; UPDATE_GOLDEN=1 rewrites it', () => {
  const document = openApiDocument([...HEALTH_OPERATIONS, ...CARD_VAULT_OPERATIONS], CARD_VAULT_TITLE);
  const golden = new URL('../openapi/card-vault.json', import.meta.url);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(document, null, 2)}\n`);
  expect(document).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
});

test('the document that an EPOS implements equals its golden file; UPDATE_GOLDEN=1 rewrites it', () => {
  const document = eposDataDocument();
  const golden = new URL('../openapi/epos-data.json', import.meta.url);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(document, null, 2)}\n`);
  expect(document).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
});

describe('the document', () => {
  const document = openApiDocument([...HEALTH_OPERATIONS, ...API_OPERATIONS], API_TITLE);
  const golden = new URL('../openapi/api.json', import.meta.url);

  test('equals its golden file; UPDATE_GOLDEN=1 rewrites it', () => {
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(document, null, 2)}\n`);
    expect(document).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });

  test('contains every shape that it refers to', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThan(50);
    const missing = references.filter(
      (path) =>
        path.split('/').reduce<unknown>((here, step) => Reflect.get(Object(here), step), document) === undefined,
    );
    expect(missing).toEqual([]);
  });

  test('names every header of a webhook and no other', () => {
    const attempt = { secret: 's', eventId: 'evt_x', deliveryId: 'dlv_x', attempt: 1, sentAt: new Date(0), body: '{}' };
    const sent = Object.keys(createDeliveryHeaders(attempt)).filter((name) => name !== 'content-type');
    const { webhooks } = document as { webhooks: Record<string, { post: { parameters: { name: string }[] } }> };
    for (const { post } of Object.values(webhooks)) {
      expect(post.parameters.map(({ name }) => name).sort()).toEqual([...sent].sort());
    }
    expect(Object.keys(webhooks)).toEqual([...SUBSCRIBABLE_EVENT_KINDS]);
  });

  test('lists the refusals of each status', () => {
    const conflict = document as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    };
    expect(conflict.paths['/payment-intents/{paymentIntentId}']?.['delete']?.responses['409']?.description).toBe(
      'Conflict: idempotency_key_reused, idempotency_in_progress, payment_intent_busy, payment_intent_not_cancelable.',
    );
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { REFUSAL_CODES } from '@pos/core/refusals';
import { z } from 'zod';
import { BOUND_REFUSALS } from '../operation/bound-refusals.js';
import { catalogueMarkdown, ERROR_CATALOGUE } from './error-catalogue.js';
import { renderCatalogue } from './error-pages.js';
import { openApiDocument } from '../openapi/openapi.js';
import { API_OPERATIONS, API_TITLE } from '../operations/operations.js';
import { presentProblem, PROBLEM_REASONS } from './problems.js';
import { LATEST_RELEASE } from '../versions/versions.js';

test('every refusal is a reason, and every reason has one line in the catalogue', () => {
  expect(ERROR_CATALOGUE.map(({ reason }) => reason)).toEqual(PROBLEM_REASONS);
  expect(new Set(PROBLEM_REASONS).size).toBe(PROBLEM_REASONS.length);
  expect(REFUSAL_CODES.filter((code) => !PROBLEM_REASONS.includes(code))).toEqual([]);
});

test.each(ERROR_CATALOGUE.map((entry) => [entry.reason, entry] as const))(
  '%s is explained in whole sentences, and by no other reason in the same words',
  (_, { reason, meaning, action }) => {
    for (const text of [meaning, action]) expect(text).toMatch(/^[A-Z`](?:[^|<>]|<key>){15,}\.$/);
    const same = ERROR_CATALOGUE.filter((other) => other.meaning === meaning && other.reason !== reason);
    expect(same).toEqual([]);
  },
);

test('the catalogue names the refusals that are stored under an idempotency key, and no others', () => {
  const codes = BOUND_REFUSALS.map((code) => `\`${code}\``).join(', ');
  const rule = `bound to its first success and to these refusals only: ${codes}. Every other refusal binds no key`;
  expect(catalogueMarkdown()).toContain(rule);
  expect(renderCatalogue({ stylePath: '/errors/style.css' }).replaceAll(/<\/?code>/g, '`')).toContain(rule);
  const bound = ERROR_CATALOGUE.filter(({ meaning }) =>
    meaning.endsWith('The idempotency key is bound to this answer.'),
  );
  expect(new Set(bound.map(({ reason }) => reason))).toEqual(new Set(BOUND_REFUSALS));
});

test('each accepted form of a key is in the refusal of a missing key and in the OpenAPI document', () => {
  const row = ERROR_CATALOGUE.find(({ reason }) => reason === 'unauthenticated')?.action;
  const document = JSON.stringify(openApiDocument(API_OPERATIONS, API_TITLE, LATEST_RELEASE));
  const { description } = z
    .object({ components: z.object({ securitySchemes: z.object({ apiKey: z.object({ description: z.string() }) }) }) })
    .parse(JSON.parse(document)).components.securitySchemes.apiKey;
  for (const text of [row, description]) {
    for (const form of ['authorization: Basic <key>', 'authorization: Bearer <key>', 'curl -u <key>:']) {
      expect(text).toContain(`\`${form}\``);
    }
  }
});

test('the address in a problem links to the row of its reason', () => {
  const page = renderCatalogue({ stylePath: '/errors/style.css' });
  for (const reason of PROBLEM_REASONS) {
    const { documentation } = presentProblem(reason, { detail: '', traceId: '', errors: {} });
    const { pathname, hash } = new URL(documentation, 'https://api.example');
    expect(pathname).toBe('/errors');
    expect(page.split(`<tr id="${hash.slice(1)}">`)).toHaveLength(2);
  }
});

test('docs/reference/error-codes.md contains the catalogue; UPDATE_GOLDEN=1 rewrites it', () => {
  const file = new URL('../../../../docs/reference/error-codes.md', import.meta.url);
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split('<!-- catalogue -->\n');
  const [shown = '', after = ''] = rest.split('<!-- end of catalogue -->\n');
  const wanted = `\n${catalogueMarkdown()}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(file, `${before}<!-- catalogue -->\n${wanted}<!-- end of catalogue -->\n${after}`);
  } else expect(shown).toBe(wanted);
});

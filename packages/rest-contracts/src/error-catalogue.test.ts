import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { REFUSAL_CODES } from '@pos/core/refusal';
import { catalogueMarkdown, cataloguePage, ERROR_CATALOGUE } from './error-catalogue.js';
import { presentProblem, PROBLEM_REASONS } from './problems.js';

test('every refusal is a reason, and every reason has one line of the catalogue', () => {
  expect(ERROR_CATALOGUE.map(({ reason }) => reason)).toEqual(PROBLEM_REASONS);
  expect(new Set(PROBLEM_REASONS).size).toBe(PROBLEM_REASONS.length);
  expect(REFUSAL_CODES.filter((code) => !PROBLEM_REASONS.includes(code))).toEqual([]);
});

test.each(ERROR_CATALOGUE.map((entry) => [entry.reason, entry] as const))(
  '%s is explained in whole sentences, and by no other reason in the same words',
  (_, { reason, meaning, action }) => {
    for (const text of [meaning, action]) expect(text).toMatch(/^[A-Z`][^|<>]{15,}\.$/);
    const same = ERROR_CATALOGUE.filter((other) => other.meaning === meaning && other.reason !== reason);
    expect(same).toEqual([]);
  },
);

test('the address in a problem leads to the row of its reason', () => {
  const page = cataloguePage();
  for (const reason of PROBLEM_REASONS) {
    const { documentation } = presentProblem(reason, { detail: '', traceId: '', errors: {} });
    const { pathname, hash } = new URL(documentation, 'https://api.example');
    expect(pathname).toBe('/errors');
    expect(page.split(`<tr id="${hash.slice(1)}">`)).toHaveLength(2);
  }
});

test('docs/error-codes.md shows the catalogue; UPDATE_GOLDEN=1 writes it anew', () => {
  const file = new URL('../../../docs/error-codes.md', import.meta.url);
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split('<!-- catalogue -->\n');
  const [shown = '', after = ''] = rest.split('<!-- end of catalogue -->\n');
  const wanted = `\n${catalogueMarkdown()}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(file, `${before}<!-- catalogue -->\n${wanted}<!-- end of catalogue -->\n${after}`);
  } else expect(shown).toBe(wanted);
});

import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CLAUSE_FLOWS } from '../clause-coverage/clause-flows.js';
import { renderClausesPage } from '../clause-coverage/clauses-page.js';
import { FLOWS } from '../flows/flows.js';
import { CLAUSES } from './clauses.js';

const golden = new URL('../../../../docs/reference/acquirer-clauses.md', import.meta.url);

test('the page for partners is generated from the clauses; UPDATE_GOLDEN=1 rewrites it', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, renderClausesPage());
  expect(readFileSync(golden, 'utf8')).toBe(renderClausesPage());
});

test('the page has every clause', () => {
  const page = renderClausesPage();
  expect(Object.keys(CLAUSES).filter((id) => !page.includes(`- \`${id}\`: `))).toEqual([]);
});

test('every clause is one unique sentence', () => {
  const sentences = Object.values<string>(CLAUSES);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{15,180}\.$/);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('every clause is checked by a step', () => {
  const code = ['../flows', '../steps']
    .map((folder) => new URL(`${folder}/`, import.meta.url))
    .flatMap((folder) => readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8')))
    .join('\n');
  expect(Object.keys(CLAUSES).filter((id) => !code.includes(`'${id}'`))).toEqual([]);
});

describe('every clause', () => {
  const flows = FLOWS.map(({ name }) => name);

  test.each(Object.entries(CLAUSE_FLOWS))('%s is tested by flows that exist', (_, shown) => {
    expect(shown.flows.filter((name) => !flows.includes(name))).toEqual([]);
    expect(shown.flows).not.toEqual([]);
  });
});

test('every flow has a unique name, and states what it tests', () => {
  expect(new Set(FLOWS.map(({ name }) => name)).size).toBe(FLOWS.length);
  for (const { name, tests } of FLOWS) {
    expect(name).toMatch(/^[a-z0-9-]{4,30}$/);
    expect(tests).toMatch(/^[a-z].{10,90}[^.]$/);
  }
});

import { expect, test } from '@jest/globals';
import type { TestCatalogue } from '../checks/catalogue.js';
import { formatFlow } from '../command/summary.js';
import { createCheck, createFlowRecord, HOSTILE, createStep } from '../testing/report-builders.js';
import { renderHtmlReport } from './html-report.js';
import { renderJsonReport } from './json-report.js';
import { renderJunitReport } from './junit-report.js';
import { buildReport } from './report.js';

const CATALOGUE: TestCatalogue = {
  ...{ title: 'Tester', subject: 'EPOS', transports: ['rest'], flows: ['lists'] },
  clauses: { 'lists.complete': 'A list is complete.' },
  ...{ clauseFlows: {}, conditions: {} },
};
/** What a terminal obeys, what is invisible, and what changes the order of what a person reads. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const hostileFlow = createFlowRecord('lists', {
  status: 'FAILURE',
  whyNot: HOSTILE,
  steps: [
    createStep(`call ${HOSTILE}`, {
      status: 'FAILURE',
      lines: [`answer: ${HOSTILE}`],
      checks: [createCheck('lists.complete', { member: HOSTILE, expected: HOSTILE, found: HOSTILE, holds: false })],
    }),
  ],
});
const group = { subject: HOSTILE, startedAt: '2026-03-01T19:00:00.000Z', tookMs: 5, flows: [hostileFlow] };
const report = buildReport(CATALOGUE, group, []);

test('the texts of an EPOS are in the report, so the tests below can fail', () => {
  expect(report.flows[0]?.because.join('')).toMatch(UNPRINTABLE);
});

test.each([
  ['the lines of a terminal', () => formatFlow(CATALOGUE, hostileFlow, [])],
  ['the page', () => renderHtmlReport(CATALOGUE, report)],
  ['JSON', () => renderJsonReport(CATALOGUE, report)],
  ['JUnit', () => renderJunitReport(CATALOGUE, report)],
])('%s shows characters that people cannot see, or that reorder text, by their number', (_, render) => {
  const text = render();
  expect(UNPRINTABLE.exec(text)?.[0]).toBeUndefined();
  expect(text).toContain('\\u202eevil\\u2069');
});

test('JSON keeps the value of every member', () => {
  expect(JSON.parse(renderJsonReport(CATALOGUE, report))).toMatchObject({ epos: HOSTILE });
});

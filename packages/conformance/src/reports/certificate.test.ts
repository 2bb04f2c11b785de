import { describe, expect, test } from '@jest/globals';
import type { TestCatalogue } from '../checks/catalogue.js';
import type { ExpectedFailure } from '../clause-coverage/expected-failures.js';
import type { FlowRecord, GroupRecord } from '../records/flow-record.js';
import { createCheck, createFlowRecord, HOSTILE, createStep } from '../testing/report-builders.js';
import { createCertificate } from './certificate.js';
import { renderHtmlReport } from './html-report.js';
import { renderJsonReport } from './json-report.js';
import { describeObstacle, HTML_LANGUAGES, HTML_MESSAGES } from './html-messages.js';
import { buildReport, type Report } from './report.js';

const CATALOGUE: TestCatalogue = {
  ...{ title: 'Acquirer tester', subject: 'acquirer', transports: ['grpc'], flows: ['hold', 'refund'] },
  clauses: { 'hold.made': 'A hold is made.', 'refund.made': 'A refund is made.' },
  ...{ clauseFlows: {}, conditions: {} },
};

const passed = (flow: string) =>
  createFlowRecord(flow, { transport: 'grpc', steps: [createStep('call', { checks: [createCheck(`${flow}.made`)] })] });
const broken = createFlowRecord('refund', {
  ...{ transport: 'grpc', status: 'FAILURE' },
  steps: [
    createStep('send', {
      status: 'FAILURE',
      checks: [createCheck('refund.made', { holds: false, member: 'Refund', found: 'FAILED' })],
    }),
  ],
});
const skip = (flow: string, more: Partial<FlowRecord>) =>
  createFlowRecord(flow, { transport: 'grpc', status: 'SKIPPED', startedAt: null, ...more });
const skipped = skip('refund', { whyNot: 'The adapter declares it.', skipKind: 'not applicable' });
const untested = skip('refund', { whyNot: 'The profile has no card.', skipKind: 'not tested' });

const report = (flows: GroupRecord['flows'], more: Partial<GroupRecord> = {}, list: readonly ExpectedFailure[] = []) =>
  buildReport(CATALOGUE, { subject: 'grpc://x', startedAt: 'now', tookMs: 1, flows, ...more }, list);

function describeCertificate(catalogue: TestCatalogue, run: Report) {
  const { isCertified, obstacles } = createCertificate(catalogue, run);
  return { isCertified, reasons: obstacles.map(describeObstacle) };
}

const LISTED: ExpectedFailure = { transport: null, flow: 'refund', clause: null };

test.each([
  ['every flow passed', report([passed('hold'), passed('refund')]), []],
  ['a flow does not apply', report([passed('hold'), skipped]), []],
  ['a flow was not tested', report([passed('hold'), untested]), ['1 flow was not tested: The profile has no card.']],
  [
    'a skipped flow has no kind',
    report([passed('hold'), skip('refund', { whyNot: 'It has no kind.' })]),
    ['1 flow was not tested: It has no kind.'],
  ],
  ['a flow failed', report([passed('hold'), broken]), ['1 flow failed.']],
  ['a flow failed as expected', report([passed('hold'), broken], {}, [LISTED]), ['1 flow failed.']],
  ['a flow was not chosen', report([passed('hold')]), ['1 flow of 2 did not belong to the run.']],
  [
    'the run was stopped',
    report([passed('hold'), passed('refund')], { wasStopped: true }),
    ['The run was stopped before its end.'],
  ],
  ['nothing was played', report([]), ['2 flows of 2 did not belong to the run.', 'No flow passed.']],
])('a run in which %s certifies only without a reason against it', (_, run, reasons) => {
  expect(describeCertificate(CATALOGUE, run)).toEqual({ isCertified: reasons.length === 0, reasons });
});

describe('a subject with two transports', () => {
  const catalogue = { ...CATALOGUE, transports: ['grpc', 'rest', 'ws'] };
  const transports = ['grpc', 'rest'];
  const whole = [passed('hold'), skipped];
  const overRest = whole.map((record) => ({ ...record, transport: 'rest' }));
  const build = (flows: GroupRecord['flows'], more: Partial<GroupRecord> = { transports }) =>
    buildReport(catalogue, { subject: 'x', startedAt: 'now', tookMs: 1, flows, ...more }, []);

  test.each([
    ['both of them', build([...whole, ...overRest]), []],
    ['one of them', build(whole), ['No flow over rest belonged to the run.']],
    [
      'one of them, and with a flow over the other',
      build([...whole, ...overRest.slice(0, 1)]),
      ['1 flow of 2 over rest did not belong to the run.'],
    ],
    [
      'both of them, where it has all transports of the tester',
      build([...whole, ...overRest], {}),
      ['No flow over ws belonged to the run.'],
    ],
  ])('is certified by a run over %s', (_, run, reasons) => {
    expect(describeCertificate(catalogue, run)).toEqual({ isCertified: reasons.length === 0, reasons });
  });

  test('is certified over these transports on the page and in JSON', () => {
    const run = build([...whole, ...overRest]);
    expect(renderHtmlReport(catalogue, run)).toContain('<strong>Certified over grpc, rest.</strong>');
    expect(JSON.parse(renderJsonReport(catalogue, run))).toMatchObject({
      certificate: { isCertified: true, reasons: [], transports },
    });
  });
});

test('the page shows the names and versions, the certificate, and then what has to be fixed', () => {
  const facts = { 'Adapter name': 'north <b>', 'Adapter version': '2.1' };
  const page = renderHtmlReport(CATALOGUE, report([passed('hold'), broken], { facts }));
  const parts = [
    'Not certified.',
    'north &lt;b&gt;',
    '2.1',
    'To fix: 1',
    'Required:',
    '--flow refund',
    '<h2>Flows</h2>',
  ];
  const places = parts.map((part) => page.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

test('the page folds what does not apply by its reason', () => {
  const page = renderHtmlReport(CATALOGUE, report([passed('hold'), skipped]));
  expect(page).toContain('<strong>Certified.</strong>');
  expect(page).not.toContain('To fix');
  expect(page).toMatch(
    /<details class="skipped"><summary>Not applicable: 1<[\s\S]*The adapter declares it\.<br><code>refund<\/code>/,
  );
  expect(page).not.toContain('Not tested');
});

test('the page shows what was not tested, and does not fold it', () => {
  const page = renderHtmlReport(CATALOGUE, report([passed('hold'), untested]));
  expect(page).toContain('<strong>Not certified.</strong> 1 flow was not tested: The profile has no card.');
  expect(page).toMatch(
    /<details class="skipped" open><summary>Not tested: 1<[\s\S]*The profile has no card\.<br><code>refund<\/code>/,
  );
  expect(page).not.toContain('Not applicable');
});

test.each(HTML_LANGUAGES)(
  'in %s the page escapes the name and the version of the subject, also in its title',
  (language) => {
    const facts = { 'EPOS name': HOSTILE, 'EPOS version': `</title></dl>${HOSTILE}` };
    const page = renderHtmlReport(CATALOGUE, report([passed('hold'), broken], { facts }), language);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page.match(/<script|<\/title><|onerror|<!-- -->/g)).toBeNull();
    expect(page.match(/<\/title>/g)).toHaveLength(1);
    expect(page).toContain('<dd>&lt;/title&gt;&lt;/dl&gt;&lt;script&gt;');
  },
);

test('the German page has no English text of its own, and keeps what the tester and the subject say', () => {
  const obstacles = [{ wasStopped: true }, {}].map((more) =>
    renderHtmlReport(CATALOGUE, report([passed('hold'), untested], more), 'de'),
  );
  const page = [...obstacles, renderHtmlReport(CATALOGUE, report([broken, skipped]), 'de')].join('');
  const texts = [
    HTML_MESSAGES.en.toFix,
    'Flows<',
    'Expected<',
    'Found<',
    'Not certified',
    'failed.',
    'Required:',
    'Run it',
  ];
  expect(texts.filter((english) => page.includes(english))).toEqual([]);
  expect(page).toContain('Der Lauf wurde vor seinem Ende gestoppt.');
  expect(page).toContain('1 Ablauf wurde nicht geprüft: The profile has no card.');
  expect(page).toContain('So beheben Sie es:');
  expect(page).toContain('Trifft nicht zu: 1');
});

test('both languages have the same verdicts and facts of different words', () => {
  const { en, de } = HTML_MESSAGES;
  expect(Object.keys(de.verdicts)).toEqual(Object.keys(en.verdicts));
  const same = Object.entries(de.verdicts).filter(([verdict, word]) => en.verdicts[verdict as 'passed'] === word);
  expect(same).toEqual([]);
});

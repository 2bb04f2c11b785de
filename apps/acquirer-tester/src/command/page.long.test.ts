import { describe, expect, test } from '@jest/globals';
import { findXmlViolation, type Report } from '@pos/conformance/testing';
import { readFileSync } from 'node:fs';
import { CLAUSE_FLOWS } from '../clause-coverage/clause-flows.js';
import type { ClauseId } from '../clauses/clauses.js';
import { FLOWS } from '../flows/flows.js';
import { UNDECLARED_FLOWS } from '../flows/undeclared.js';
import { SANDBOX_PROFILE } from '../profile/sandbox-profile.js';
import { listPageBlocks } from '../testing/command-runs.js';
import { useTestAdapter } from '../testing/test-adapter.js';

// Each of the two runs takes half a minute of waiting. `command.test.ts` plays all flows that need not wait.

const adapter = useTestAdapter();

const blocks = listPageBlocks();

test('the page has commands for the sandbox, for the lists and for an adapter', () => {
  expect(blocks.filter((block) => block.includes('pnpm acquirer-tester'))).toHaveLength(6);
});

// In the order of the page: the profile that one writes is read by another. The tests of the reference adapter run the
// blocks that start processes.
test.each(blocks.filter((block) => !/dist\/main\.js|curl/.test(block)))(
  'a command of the page works as written: %s',
  async (block) => {
    expect(await adapter.runPageBlock(block)).toEqual({ code: 0, output: '' });
  },
  120_000,
);

/** The sandbox has every merchant, and may declare everything. The tests of the reference adapter show these clauses. */
const ONLY_WITH_OTHERS: readonly ClauseId[] = ['input.merchant', 'capabilities.undeclared'];

describe('the acquirer of the sandbox', () => {
  // The page's command has written these reports.
  const read = (name: string): string => readFileSync(adapter.file(`acquirer-tester/${name}`), 'utf8');
  const readReport = (): Report => JSON.parse(read('certified.json')) as Report;

  test('keeps every clause of every flow', () => {
    const report = readReport();
    const broken = report.flows.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped');
    expect(broken.map(({ flow, because }) => [flow, because])).toEqual([]);
    expect(report.flows.map(({ flow }) => flow)).toEqual(FLOWS.map(({ name }) => name));
    // The sandbox declares everything, so that no flow about what is absent applies.
    expect(report.flows.filter(({ status }) => status === 'SKIPPED').map(({ flow }) => flow)).toEqual([
      'unknown-merchant',
      ...UNDECLARED_FLOWS.map(({ name }) => name),
    ]);
  });

  test('is certified: what is skipped does not apply to it', () => {
    expect(JSON.parse(read('certified.json'))).toMatchObject({ certificate: { isCertified: true, reasons: [] } });
    expect(read('certified.html')).toContain('<strong>Certified.</strong>');
  });

  test.each((Object.keys(CLAUSE_FLOWS) as ClauseId[]).filter((clause) => !ONLY_WITH_OTHERS.includes(clause)))(
    'is tested for %s by every flow that is listed for it',
    (clause) => {
      const { flows, by } = CLAUSE_FLOWS[clause];
      const shownBy = readReport().coverage.find((each) => each.clause === clause)?.shownBy ?? [];
      expect(shownBy.length).toBeGreaterThan(0);
      if (by !== null) return;
      const able = new Set(shownBy.map(({ flow }) => flow));
      expect(flows.filter((flow) => !able.has(flow))).toEqual([]);
    },
  );

  test('is reported as text, XML, JSON and a page, and no report contains a card number', () => {
    const reports = ['certified.xml', 'certified.json', 'certified.html'].map(read);
    expect(findXmlViolation(reports[0] ?? '')).toBeNull();
    expect(reports[0]).toContain('<testsuites name="Acquirer tester" ');
    expect(reports[1]).toContain('"acquirer": "sandbox"');
    expect(reports[2]).toContain('<h1>Everything is as expected</h1>');
    const numbers = Object.values(SANDBOX_PROFILE.cards).flatMap((card) => card?.number ?? []);
    for (const report of reports) for (const number of numbers) expect(report).not.toContain(number);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '@pos/conformance/testing';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLAUSE_FLOWS } from './clause-coverage/clause-flows.js';
import type { ClauseId } from './checks/clauses.js';
import { listPageBlocks, runBlock } from './testing/portal-page.js';
import { FLOWS } from './flows/flows.js';
import { GROUP_TRANSPORTS, findSkip } from './clause-coverage/transports.js';

// Runs the command of the docs page once: the process, and the report that it has written.

const SERVED = { transports: new Set(GROUP_TRANSPORTS), capabilities: new Set(EPOS_CAPABILITIES) };
const PLAYED = GROUP_TRANSPORTS.flatMap((transport) =>
  FLOWS.filter((flow) => findSkip(flow, transport, SERVED) === null).map(({ name }) => [transport, name] as const),
);

let folder: string;
let ended: Awaited<ReturnType<typeof runBlock>>;
let report: Report;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tester-certify-'));
  const [block = ''] = listPageBlocks().filter((each) => each.includes('pnpm certify:epos'));
  ended = await runBlock(block, { folder, eposUrl: '' });
  report = JSON.parse(readFileSync(path.join(folder, 'epos-tester/certified.json'), 'utf8')) as Report;
}, 400_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the command that certifies the reference EPOS', () => {
  test('exits with 0, and prints the time of the flows of each transport and the total time', () => {
    expect({ code: ended.code, output: ended.code === 0 ? '' : ended.output }).toEqual({ code: 0, output: '' });
    for (const transport of GROUP_TRANSPORTS) {
      expect(ended.output).toMatch(new RegExp(`^${transport} +\\d+ passed, \\d+ skipped; \\d+\\.\\d s$`, 'm'));
    }
    expect(ended.output).toMatch(
      /^\d+ passed, \d+ skipped \(the reports say why\); (\d+) of \1 clauses shown; .* s\n$/m,
    );
  });

  test('writes a page with these times', () => {
    const page = readFileSync(path.join(folder, 'epos-tester/certified.html'), 'utf8');
    expect(page).toContain('<h1>Everything is as expected</h1>');
  });

  test('certifies it over every transport', () => {
    const certificate = { isCertified: true, reasons: [], transports: GROUP_TRANSPORTS };
    expect(report).toMatchObject({ certificate });
  });
});

describe('the reference EPOS', () => {
  test.each(PLAYED)('reached over %s keeps every clause of %s', (transport, name) => {
    const record = report.flows.find((each) => each.transport === transport && each.flow === name)!;
    expect(record).toMatchObject({ verdict: 'passed', because: [] });
    expect(record.steps.at(-1)?.name).toBe('cleanup');
    expect(record.steps.flatMap(({ checks }) => checks.filter(({ holds }) => !holds))).toEqual([]);
  });

  test('plays every flow over at least one transport, and has a reason for each skipped one', () => {
    const names = new Set(PLAYED.map(([, name]) => name));
    expect(FLOWS.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
    const skipped = report.flows.filter(({ status }) => status === 'SKIPPED');
    expect(skipped).toHaveLength(GROUP_TRANSPORTS.length * FLOWS.length - PLAYED.length);
    for (const { whyNot } of skipped) expect(whyNot).toMatch(/^[A-Z].{20,200}\.$/);
  });

  test.each(GROUP_TRANSPORTS)('has a payment of a session recorded, and on its bill, over %s', (transport) => {
    const flows = ['RecordPayment', 'tables-pay-in-full', 'tables-split', 'tables-record-duplicate'];
    for (const flow of flows) {
      const record = report.flows.find((each) => each.transport === transport && each.flow === flow)!;
      const held = record.steps.flatMap(({ checks }) => checks.filter(({ holds }) => holds));
      const clauses = held.map(({ clause }) => clause);
      expect(clauses).toContain('record.books');
      expect(clauses).toContain(flow === 'tables-record-duplicate' ? 'record.once' : 'record.base-only');
    }
  });
});

describe('a clause', () => {
  test('is tested by at least one flow', () => {
    const gaps = report.coverage.filter(({ gap }) => gap !== null);
    expect(gaps.map(({ clause, gap }) => [clause, gap])).toEqual([]);
  });

  test.each(Object.keys(CLAUSE_FLOWS) as ClauseId[])('%s is checked by every flow that is listed for it', (clause) => {
    const { flows, by } = CLAUSE_FLOWS[clause];
    const showing = report.coverage.find((each) => each.clause === clause)?.shownBy ?? [];
    expect(showing.length).toBeGreaterThan(0);
    if (by !== null) return;
    const able = new Set(showing.map(({ flow }) => flow));
    expect(flows.filter((flow) => !able.has(flow))).toEqual([]);
  });
});

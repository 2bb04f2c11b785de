import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EXITS } from '@pos/conformance/command';
import type { Report } from '@pos/conformance/testing';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findSkip, GROUP_TRANSPORTS } from './clause-coverage/transports.js';
import { getFlow } from './flows/flows.js';
import { type CommandOutput, formatOutput } from './testing/command-runs.js';

// Two flows about money over every transport, in this process. `reference-epos.long.test.ts` certifies the reference EPOS
// with the command of the docs page, which plays all flows.

const SAMPLE = ['tables-split', 'tables-record-duplicate'];
const SERVED = { transports: new Set(GROUP_TRANSPORTS), capabilities: new Set(EPOS_CAPABILITIES) };

let folder: string;
let ended: CommandOutput;
let report: Report;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tester-sample-'));
  const file = path.join(folder, 'out.json');
  ended = await formatOutput(['run', '--epos', 'reference', '--flow', SAMPLE.join(), '--json', file]);
  report = JSON.parse(readFileSync(file, 'utf8')) as Report;
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('the reference EPOS is as expected over every transport', () => {
  expect(ended).toMatchObject({ exit: EXITS.asExpected, errors: '' });
  for (const transport of GROUP_TRANSPORTS) {
    expect(ended.out).toMatch(new RegExp(`^${transport} +${SAMPLE.length} passed; \\d+\\.\\d s$`, 'm'));
  }
});

test.each(GROUP_TRANSPORTS)('a payment of a session is recorded, and on its bill, over %s', (transport) => {
  const played = SAMPLE.filter((name) => findSkip(getFlow(name), transport, SERVED) === null);
  expect(played.length).toBeGreaterThan(0);
  for (const flow of played) {
    const record = report.flows.find((each) => each.transport === transport && each.flow === flow)!;
    expect(record).toMatchObject({ verdict: 'passed', because: [] });
    expect(record.steps.at(-1)?.name).toBe('cleanup');
    const clauses = record.steps.flatMap(({ checks }) =>
      checks.filter(({ holds }) => holds).map(({ clause }) => clause),
    );
    expect(clauses).toContain('record.books');
    expect(clauses).toContain(flow === 'tables-record-duplicate' ? 'record.once' : 'record.base-only');
  }
});

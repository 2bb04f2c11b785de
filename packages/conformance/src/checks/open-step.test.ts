import { describe, expect, test } from '@jest/globals';
import { OpenStep, StepFailed } from './open-step.js';

const CLAUSES = { 'session.name': 'A session has a name that staff know it by.' };
const openStep = () => new OpenStep({ limitMs: 1_000, signal: new AbortController().signal, clauses: CLAUSES });
const finding = { clause: 'session.name', member: 'sessions[0].name', expected: 'a name', found: 'Table 1' } as const;

describe('the checks of a step', () => {
  test('are stored with the expected and found values, whether they hold or not', () => {
    const step = openStep();
    step.check(true, finding);
    step.check(false, { ...finding, found: '' });
    expect(step.checks()).toEqual([
      { ...finding, member: 'sessions[].name', found: '"Table 1"', holds: true, times: 1 },
      { ...finding, found: '""', holds: false, times: 1 },
    ]);
    expect(step.lines()).toEqual([
      'sessions[0].name: expected a name, but found "". A session has a name that staff know it by. [session.name]',
    ]);
  });

  test('that hold for each element of a list are stored as one, and failures one by one', () => {
    const step = openStep();
    for (const index of [0, 1, 2]) step.check(true, { ...finding, member: `sessions[${index}].name` });
    for (const index of [0, 1]) step.check(false, { ...finding, member: `sessions[${index}].name`, found: '' });
    expect(step.checks().map(({ member, holds, times }) => [member, holds, times])).toEqual([
      ['sessions[].name', true, 3],
      ['sessions[0].name', false, 1],
      ['sessions[1].name', false, 1],
    ]);
  });

  test('that fail are stored when there are too many to store all', () => {
    const step = openStep();
    for (let each = 0; each < 400; each += 1) step.check(true, { ...finding, member: `member ${each}` });
    expect(step.checks()).toHaveLength(300);
    step.check(false, finding);
    expect(step.checks()).toHaveLength(300);
    expect(step.checks().at(-1)).toMatchObject({ member: 'sessions[0].name', holds: false });
  });

  test('are stored when one of them has ended the step', () => {
    const step = openStep();
    expect(() => step.fail({ ...finding, found: undefined })).toThrow(StepFailed);
    expect(step.checks()).toMatchObject([{ found: 'nothing', holds: false }]);
    expect(step.hasFailed).toBe(true);
  });

  test('that warn are reported and stored, and do not fail the step', () => {
    const step = openStep();
    step.check(true, finding);
    step.warn(finding);
    expect(step.hasFailed).toBe(false);
    expect(step.checks()).toMatchObject([{ holds: true }, { holds: true, isWarning: true, found: '"Table 1"' }]);
    expect(step.lines()).toEqual([
      'Warning: sessions[0].name: expected a name, but found "Table 1". A session has a name that staff know it by. [session.name]',
    ]);
  });

  test('store no more of the found value than a person can read', () => {
    const step = openStep();
    step.check(false, { ...finding, found: 'x'.repeat(10_000) });
    expect(step.checks()[0]?.found).toHaveLength(200);
  });
});

import { describe, expect, test } from '@jest/globals';
import { evaluateFailures } from '@pos/conformance/clause-coverage';
import {
  createCheck,
  createFlowRecord,
  createStep,
  isAsExpected,
  readExpectedFailures,
  type Verdict,
} from '@pos/conformance/testing';
import type { FlowRecord } from '@pos/conformance/records';
import { EPOS_CATALOGUE } from './catalogue.js';

const played = (status: FlowRecord['status'], ...checks: ReturnType<typeof createCheck>[]) =>
  createFlowRecord('tip', {
    status,
    steps: [createStep('record', { status: status === 'SKIPPED' ? 'SUCCESS' : status, checks })],
  });
const held = (clause: string) => createCheck(clause);
const broken = (clause: string) => createCheck(clause, { holds: false });

const passed = played('SUCCESS', held('order-record.tip'));
const tipBroken = played('FAILURE', broken('order-record.tip'));
const bothBroken = played('FAILURE', broken('order-record.tip'), broken('order.tips'));
const tipBrokenPaidHeld = played('FAILURE', broken('order-record.tip'), held('order.tips'));
const silent = played('TIMED_OUT');
const leftLocked = {
  ...tipBroken,
  steps: [...tipBroken.steps, createStep('cleanup', { status: 'FAILURE', lines: ['the lock is still held'] })],
};

function failuresIn(text: string) {
  const read = readExpectedFailures(EPOS_CATALOGUE, text);
  if ('violations' in read) throw new Error(read.violations.join());
  return read.failures;
}

describe('a flow', () => {
  test.each<[string, FlowRecord, string, Verdict]>([
    ['that passes, with an empty list', passed, '', 'passed'],
    ['that passes, with another on the list', passed, 'pay-in-full', 'passed'],
    ['that passes, with the same on the list for another transport', passed, 'ws tip', 'passed'],
    ['that passes, although it is on the list', passed, 'tip', 'passed unexpectedly'],
    ['that passes, although a clause of it is on the list', passed, 'tip/order-record.tip', 'passed unexpectedly'],
    ['that fails, with an empty list', tipBroken, '', 'failed'],
    ['that fails, with the same on the list for another transport', tipBroken, 'ws tip', 'failed'],
    ['that fails, with the flow on the list', tipBroken, 'tip', 'failed as expected'],
    ['that fails, with this transport on the list', tipBroken, 'rest tip', 'failed as expected'],
    ['that fails, with the clause on the list', tipBroken, 'tip/order-record.tip', 'failed as expected'],
    ['that fails by another clause than that on the list', tipBroken, 'tip/order.tips', 'failed'],
    ['that fails by more clauses than those on the list', bothBroken, 'tip/order.tips', 'failed'],
    ['that fails by all clauses on the list', bothBroken, 'tip/order.tips\ntip/order-record.tip', 'failed as expected'],
    [
      'that fails by fewer clauses than those on the list',
      tipBrokenPaidHeld,
      'tip/order.tips\ntip/order-record.tip',
      'passed unexpectedly',
    ],
    [
      'that fails before it has checked all clauses on the list',
      tipBroken,
      'tip/order.tips\ntip/order-record.tip',
      'failed as expected',
    ],
    ['that is not answered, with a clause on the list', silent, 'tip/order.tips', 'failed'],
    ['that is not answered, with the flow on the list', silent, 'tip', 'failed as expected'],
    ['that fails with the clause on the list, and leaves a lock', leftLocked, 'tip/order-record.tip', 'failed'],
    ['that fails with the flow on the list, and leaves a lock', leftLocked, 'tip', 'failed as expected'],
    ['that is not played', played('SKIPPED'), 'tip', 'skipped'],
  ])('%s', (_, record, text, verdict) => {
    const checked = evaluateFailures(EPOS_CATALOGUE, record, failuresIn(text));
    expect(checked.verdict).toBe(verdict);
    expect(isAsExpected(checked)).toBe(verdict !== 'failed' && verdict !== 'passed unexpectedly');
    if (verdict !== 'passed') expect(checked.because).not.toEqual([]);
  });
});

test('a flow that fails a check and leaves a lock reports both', () => {
  expect(evaluateFailures(EPOS_CATALOGUE, leftLocked, []).because).toEqual([
    expect.stringContaining('[order-record.tip]'),
    'cleanup: the lock is still held',
  ]);
});

describe('a list of expected failures', () => {
  test('is read line by line, without comments and empty lines', () => {
    const text = '# known since May\n\n  tip   # the till has no tips\r\nws\tpay-in-full/order.paid\n';
    expect(failuresIn(text)).toEqual([
      { transport: null, flow: 'tip', clause: null },
      { transport: 'ws', flow: 'pay-in-full', clause: 'order.paid' },
    ]);
  });

  test.each([
    ['an unknown flow', 'tipp', 'line 1: tipp is not the name of a flow'],
    ['an unknown clause', '\ntip/order.tipps', 'line 2: order.tipps is not the id of a clause'],
    ['a missing clause', 'tip/', 'line 1:  is not the id of a clause'],
    ['an unknown transport', 'pigeon tip', 'line 1: pigeon is not a transport'],
    ['too many words', 'rest tip please', 'line 1: is not `[transport] flow[/clause]`'],
  ])('that names %s is refused', (_, text, fault) => {
    expect(readExpectedFailures(EPOS_CATALOGUE, text)).toEqual({ violations: [fault] });
  });
});

import { expect, test } from '@jest/globals';
import { exploreMachineRefunds, MACHINE_REFUND_RULES, type MachineRefundRules } from './machine-refund-explorer.js';
import { applyReport, decideLate, releaseUnmadeRefund } from '@pos/core/terminals';
import { buildSession, createApproval, createUnchangedDecision } from '@pos/core/testing';
import { toAcquirerAnswer } from '@pos/core/acquirer';

const session = buildSession('MatchedRefund');
const REFUND = { session, approval: createApproval(session.total) };

test('a refund on a card machine always ends, is booked once, and no money leaves unnoticed', () => {
  const { states, violations } = exploreMachineRefunds(MACHINE_REFUND_RULES, REFUND);
  process.stdout.write(`explored ${states} states of refunds on a machine, ${violations.length} bad end states\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(300);
});

test.each<[string, Partial<MachineRefundRules>, string]>([
  [
    'a machine that never confirmed is ordered to stop, and does not report',
    { orderExpired: ({ lastReport }) => (lastReport === 0 ? 'stop' : 'cancel') },
    'no way out',
  ],
  [
    'an approval after the refund had ended moves nothing',
    {
      applyReport: (at, report, receiving) => {
        const isLate = report.kind === 'approved' && at.status !== 'Initiated' && !receiving.isAttemptOpen;
        return isLate
          ? createUnchangedDecision({ ...at, lastReport: report.number })
          : applyReport(at, report, receiving);
      },
    },
    'money has left unnoticed',
  ],
  [
    'an approval after the refund had ended is booked though its amount was refunded again',
    { endedRefund: (booked) => (booked ? 'booked' : 'bookable') },
    'refunded more than was taken',
  ],
  [
    'an approval that cannot be read is ignored',
    {
      applyReport: (at, report, receiving) =>
        report.kind === 'unreadableApproval'
          ? applyReport(at, { number: report.number, kind: 'canceled' }, receiving)
          : applyReport(at, report, receiving),
    },
    'money has left unnoticed',
  ],
  [
    'the acquirer alone frees a refund',
    { isCertainlyUnmade: (at) => at.status === 'Expired' },
    'freed while the machine may still begin',
  ],
  [
    'a machine that has lost its memory is not enough to free a refund',
    { isCertainlyUnmade: () => false },
    'no way out',
  ],
  [
    'a statement that the session is unknown counts as a report',
    {
      applyReport: (at, report, receiving) =>
        report.kind === 'unknownSession' && report.number <= at.lastReport
          ? createUnchangedDecision(at)
          : applyReport(at, report, receiving),
    },
    'no way out',
  ],
  [
    'the acquirer lists another amount than the machine reported, and the report is not checked',
    { checkMachineApproval: () => ({ outcome: 'same' }) },
    'booked over another amount than the acquirer lists, unnoticed',
  ],
  [
    'a refund is settled by the list with any amount',
    { findAmountMismatch: () => null },
    'booked over another amount than the acquirer lists, unnoticed',
  ],
  [
    'a refund that the list shows as declined is booked',
    {
      toAcquirerAnswer: (call, booking) => toAcquirerAnswer(call, { ...booking, status: 'booked' }),
    },
    'booked, and no money has left',
  ],
  [
    'a refund that the list shows as made is freed',
    {
      decideLate: (at, answer, how) =>
        answer.outcome === 'done' ? releaseUnmadeRefund(at) : decideLate(at, answer, how),
    },
    'money has left unnoticed',
  ],
  ['an approval after a cancellation is booked twice', { endedRefund: () => 'bookable' }, 'booked twice'],
])('the explorer finds a planted bug: %s', (_, planted, problem) => {
  const { violations } = exploreMachineRefunds({ ...MACHINE_REFUND_RULES, ...planted }, REFUND);
  expect(violations.some((each) => each.startsWith(problem))).toBe(true);
});

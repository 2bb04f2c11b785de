import { expect, test } from '@jest/globals';
import {
  CALL_RULES,
  type CallRules,
  type CallVariant,
  EXPLORED_KINDS,
  exploreCall,
  type Reply,
} from './acquirer-call-explorer.js';
import { ACQUIRER_ERROR_STATUSES, findStatusMeaning } from '@pos/core/acquirer-calls';

const OUTCOMES: readonly Reply[] = ['approved', 'declined', 'silent', 'misstated'];
const BOOKED = ACQUIRER_ERROR_STATUSES.map((status): Reply => `booked ${status}`);
const ANYTHING: readonly Reply[] = [...OUTCOMES, ...ACQUIRER_ERROR_STATUSES, ...BOOKED];

/**
 * An acquirer that answers anything at any time, and for each kind of call one that always answers with the same
 * status.
 */
const VARIANTS: readonly CallVariant[] = EXPLORED_KINDS.flatMap((kind) => [
  { kind, replies: ANYTHING, hasList: true, ends: 'alarmed' as const },
  ...ACQUIRER_ERROR_STATUSES.map((status): CallVariant => {
    const isRefused = findStatusMeaning(kind, status) === 'refused';
    // A refused reversal ends with the refund in its place, which is answered with the same status.
    return { kind, replies: [status], hasList: false, ends: isRefused && kind !== 'Reverse' ? 'settled' : 'alarmed' };
  }),
  { kind, replies: ['booked FAILED_PRECONDITION'], hasList: false, ends: 'settled' as const },
  { kind, replies: ['booked ALREADY_EXISTS'], hasList: false, ends: 'settled' as const },
]);

function exploreAll(rules: CallRules): { states: number; violations: string[] } {
  const explored = VARIANTS.map((variant) => ({ variant, ...exploreCall(rules, variant) }));
  return {
    states: explored.reduce((sum, { states }) => sum + states, 0),
    violations: explored.flatMap(({ variant, violations }) =>
      violations.map(
        (violation) => `${variant.kind} ${variant.replies.length === 1 ? variant.replies[0] : 'any'}: ${violation}`,
      ),
    ),
  };
}

test('for any answers of the acquirer in any order, each call ends as it is booked, and none is left without an alarm', () => {
  const { states, violations } = exploreAll(CALL_RULES);
  process.stdout.write(`explored ${states} states of calls to the acquirer, ${violations.length} bad end states\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(500);
});

const { findStatusMeaning: meaning, confirmRefusal, evaluateRefusedReversal, findVerdict } = CALL_RULES;
const { toAcquirerAnswer: listed } = CALL_RULES;

test.each<[string, Partial<CallRules>, RegExp]>([
  [
    'every error status counts as no answer',
    { findStatusMeaning: () => 'unknown' },
    /^Capture FAILED_PRECONDITION: no way out/,
  ],
  [
    'an increase that the acquirer does not support counts as no answer',
    { findStatusMeaning: (method, status) => (status === 'UNIMPLEMENTED' ? 'unknown' : meaning(method, status)) },
    /^Increase UNIMPLEMENTED: no way out/,
  ],
  [
    'a reference that is in use counts as refused without an inquiry',
    {
      findStatusMeaning: (method, status) => (status === 'ALREADY_EXISTS' ? 'refused' : meaning(method, status)),
      needsInquiry: () => false,
    },
    /freed, and the acquirer has booked it/,
  ],
  [
    'a reference that is in use and not found counts as refused',
    {
      confirmRefusal: (refusal, inquired) =>
        refusal.outcome === 'alreadyExists' && inquired.outcome === 'notFound'
          ? { outcome: 'refused', status: 'ALREADY_EXISTS' }
          : confirmRefusal(refusal, inquired),
    },
    /freed, and the acquirer has booked it/,
  ],
  [
    'an outage counts as refused',
    { findStatusMeaning: (method, status) => (status === 'UNAVAILABLE' ? 'refused' : meaning(method, status)) },
    /freed, and the acquirer has booked it/,
  ],
  ['a refusal is not confirmed by an inquiry', { needsInquiry: () => false }, /freed, and the acquirer has booked it/],
  [
    'an inquiry without an answer confirms a refusal',
    {
      confirmRefusal: (refusal, inquired) =>
        inquired.outcome === 'unknown' ? refusal : confirmRefusal(refusal, inquired),
    },
    /freed, and the acquirer has booked it/,
  ],
  [
    'refused credentials count as no answer, and no operator is alarmed',
    {
      findStatusMeaning: (method, status) => (status === 'UNAUTHENTICATED' ? 'unknown' : meaning(method, status)),
      isOpenTooLong: () => false,
    },
    /UNAUTHENTICATED: no way out/,
  ],
  ['a call may be open for ever', { isOpenTooLong: () => false }, /UNAVAILABLE: no way out/],
  [
    'a reversal that is refused for good is only repeated',
    { evaluateRefusedReversal: () => ({ kind: 'undecided' }), isOpenTooLong: () => false },
    /^Reverse FAILED_PRECONDITION: no way out/,
  ],
  [
    'a refused reversal ends the matter',
    { evaluateRefusedReversal: () => ({ kind: 'nothingTaken' }) },
    /the money of the payer is kept silently/,
  ],
  [
    'a refused reversal becomes a refund though it was reversed',
    {
      evaluateRefusedReversal: (original, facts) =>
        original.outcome === 'reversed'
          ? { kind: 'refund', amount: { value: 1_500, currencyCode: 'GBP' } }
          : evaluateRefusedReversal(original, facts),
      needsInquiry: () => false,
    },
    /returned twice/,
  ],
  [
    'a refused refund counts as done',
    {
      findVerdict: (kind, answer) => {
        const verdict = findVerdict(kind, answer);
        return verdict !== null && kind === 'Refund' ? { ...verdict, isDone: true } : verdict;
      },
    },
    /the money of the payer is kept silently|settled as done, and nothing is booked/,
  ],
  [
    'a line of the list always counts as booked',
    { toAcquirerAnswer: (call, booking) => listed(call, { ...booking, status: 'booked' }) },
    /settled as done, and nothing is booked/,
  ],
  [
    'a line of the list counts as declined',
    { toAcquirerAnswer: (call, booking) => listed(call, { ...booking, status: 'declined' }) },
    /freed, and the acquirer has booked it|returned twice/,
  ],
  [
    'a list with another amount settles the call',
    { toAcquirerAnswer: (call, booking) => listed(call, { ...booking, amount: call.amount }) },
    /settled by an answer over another amount/,
  ],
  ['every amount is accepted', { findAmountMismatch: () => null }, /settled by an answer over another amount/],
  [
    'a second answer is dropped',
    { findContradiction: () => null },
    /a second answer contradicts the first without an alarm/,
  ],
])('the explorer finds a planted bug: %s', (_, planted, problem) => {
  const { violations } = exploreAll({ ...CALL_RULES, ...planted });
  expect(violations.join('\n')).toMatch(new RegExp(problem, 'm'));
});

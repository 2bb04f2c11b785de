import { expect, test } from '@jest/globals';
import { CHARGE_RULES, type ChargeRules, exploreCharge } from './charge-explorer.js';

function exploreAll(rules: ChargeRules): { states: number; violations: string[] } {
  const explored = [true, false].map((remembers) => ({ remembers, ...exploreCharge(rules, { remembers }) }));
  return {
    states: explored.reduce((sum, { states }) => sum + states, 0),
    violations: explored.flatMap(({ remembers, violations }) =>
      violations.map((each) => `${remembers ? 'remembers' : 'refuses'}: ${each}`),
    ),
  };
}

test('a charge ends as the acquirer has it, however its requests crash, and its key returns that end', () => {
  const { states, violations } = exploreAll(CHARGE_RULES);
  process.stdout.write(`explored ${states} states of charges, ${violations.length} bad end states\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(300);
});

const { resendAuthorisation, chargeOutcome, isOpen } = CHARGE_RULES;

test.each<[string, Partial<ChargeRules>, RegExp]>([
  [
    'a repeat does not store that the answer was lost',
    {
      resendAuthorisation: (call, times) => {
        const resent = resendAuthorisation(call, times);
        return resent && { ...call, deadlineAt: resent.deadlineAt };
      },
    },
    /ended without money, and the acquirer has it/,
  ],
  [
    'every refusal by status ends a charge',
    { isFirstAnswer: () => true },
    /ended without money, and the acquirer has it/,
  ],
  [
    'a repeat does not begin the time again',
    {
      resendAuthorisation: (call, times) => {
        const resent = resendAuthorisation(call, times);
        return resent && { ...resent, deadlineAt: call.deadlineAt };
      },
    },
    /refuses: ended without money, and the acquirer has it/,
  ],
  [
    'a charge whose answer was lost does not keep another key away',
    { isOpen: (call) => isOpen(call) && call.state !== 'Unknown' },
    /two charges are open at once/,
  ],
  ['a charge without an answer is never reversed', { isReversalDue: () => false }, /no way out/],
  [
    'an unknown outcome is bound to the key as failed',
    {
      chargeOutcome: (call) =>
        call.state === 'Settled' || call.reverseReference !== null
          ? chargeOutcome(call)
          : { status: 'Failed', message: 'unknown' },
    },
    /the key denies money that is kept/,
  ],
  [
    'a reversed charge is bound to the key as successful',
    { chargeOutcome: (call) => ({ ...chargeOutcome(call), status: 'Successful' }) },
    /the key promises money that is not taken/,
  ],
])('the explorer finds a planted bug: %s', (_, planted, problem) => {
  expect(exploreAll({ ...CHARGE_RULES, ...planted }).violations.join('\n')).toMatch(problem);
});

import type { GiveBackCall } from '@pos/core/testing';
import { describe, expect, test } from '@jest/globals';
import { chooseGiveBack } from '@pos/core/captures-refunds';
import { exploreGiveBack, GIVE_BACK_MACHINE, type GiveBackMachine } from './give-back-explorer.js';

const WAYS = ['release', 'reversal', 'refund'] as const;

const no = (reference: string): GiveBackCall => ({
  ...{ reference, kind: 'Refund', state: 'Settled', outcome: 'Declined' },
});

describe('every path of giving back ends with the money back once, or with an operator', () => {
  test.each(WAYS)('by %s', (way) => {
    const { states, violations } = exploreGiveBack(GIVE_BACK_MACHINE, way);
    process.stdout.write(`explored ${states} states of giving back by ${way}\n`);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(50);
  });

  const PLANTED: readonly [string, GiveBackMachine, RegExp][] = [
    [
      'a refusal is final under its key, and there is no other key',
      {
        hasTimers: true,
        choose: (at) => {
          const move = chooseGiveBack(at);
          const isNext = move.do === 'begin' && /-\d+$/.test(move.reference);
          return isNext ? { do: 'end', outcome: 'refused' } : move;
        },
      },
      /no way out/,
    ],
    [
      'each round has a new key, answered or not',
      {
        hasTimers: true,
        choose: (at) => chooseGiveBack({ ...at, calls: at.calls.map(({ reference }) => no(reference)) }),
      },
      /given back twice|two calls/,
    ],
    ['a call that is written has no timer', { ...GIVE_BACK_MACHINE, hasTimers: false }, /without inquiries/],
    [
      'a refused reference is used again',
      {
        hasTimers: true,
        choose: (at) => {
          const move = chooseGiveBack(at);
          return move.do === 'begin' ? { ...move, reference: move.reference.replace(/-\d+$/, '') } : move;
        },
      },
      /asked again|no way out/,
    ],
  ];

  test.each(PLANTED)('the explorer finds a planted bug: %s', (_, machine, finding) => {
    const found = WAYS.some((way) => exploreGiveBack(machine, way).violations.some((text) => finding.test(text)));
    expect(found).toBe(true);
  });
});

import { describe, expect, test } from '@jest/globals';
import { type CaughtMember, isGoodEnough, renderZooReport, type ZooResult } from '@pos/conformance/zoo';
import { countCaught } from '@pos/conformance/testing';
import { readFileSync } from 'node:fs';
import { CAUGHT_SHARE, ZOO_RESTAURANTS } from './zoo-restaurants.js';

const FOUND: CaughtMember = { flow: 'tip', step: 'check-paid', clause: 'order-record.tip' };
const ALARM = { transport: 'rest', flow: 'tip', because: ['check-paid: something'] } as const;

/** Results over REST of this many members, the first of which were missed. */
function results({ members, missed }: { readonly members: number; readonly missed: number }): ZooResult[] {
  return Array.from({ length: members }, (_, index) => ({
    ...{ contract: 'EPOS Data API', defect: `number ${index + 1}`, transport: 'rest', reported: [] },
    caught: index < missed ? null : FOUND,
  }));
}

describe('the tester', () => {
  test.each([
    // members  missed  alarms     good enough
    [40, 0, [], true],
    [40, 2, [], true],
    [40, 3, [], false],
    [67, 3, [], true],
    [67, 4, [], false],
    [1, 1, [], false],
    [0, 0, [], false],
    [40, 0, [ALARM], false],
  ])('of %d members misses %d, with alarms %j: good enough is %s', (members, missed, alarms, isGood) => {
    expect(isGoodEnough({ alarms, results: results({ members, missed }) }, CAUGHT_SHARE)).toBe(isGood);
  });

  test('has caught a member only when it was caught over every transport', () => {
    const [result] = results({ members: 1, missed: 0 });
    const both: ZooResult[] = [result!, { ...result!, transport: 'ws', caught: null, reported: ['data.result'] }];
    expect(countCaught({ alarms: [], results: both })).toEqual({ members: 1, caught: 0 });
    expect(renderZooReport({ alarms: [ALARM], results: both }, 'EPOS')).toBe(
      [
        '| An EPOS | rest | ws |',
        '| --- | --- | --- |',
        '| number 1 | tip: `order-record.tip` | **missed** |',
        '',
        'missed: ws: an EPOS number 1, and only data.result was reported',
        '',
        'false alarm: rest tip: check-paid: something',
        '',
        '0 of 1 members caught, 1 false alarms',
        '',
      ].join('\n'),
    );
  });
});

describe('the zoo', () => {
  const members = ZOO_RESTAURANTS.flatMap((restaurant) => restaurant.members);

  test('has at least 40 members, each with a unique name in its contract', () => {
    expect(members.length).toBeGreaterThanOrEqual(40);
    for (const restaurant of ZOO_RESTAURANTS) {
      expect(new Set(restaurant.members.map(({ epos }) => epos)).size).toBe(restaurant.members.length);
    }
  });

  test('matches docs/reference/epos-zoo.md: every member and no other', () => {
    const page = readFileSync(new URL('../../../../docs/reference/epos-zoo.md', import.meta.url), 'utf8');
    const shown = [...page.matchAll(/^\| (that|whose|behind)(.*?) +\|/gm)].map(
      ([, first = '', rest = '']) => first + rest,
    );
    expect(shown.sort()).toEqual(members.map(({ epos }) => epos).sort());
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HistoryEvent, findHistoryViolations } from './session-history.js';

/** One turn of a device at a session: it locks, records through a gateway, and unlocks. */
interface DeviceTurn {
  readonly device: string;
  readonly session: string;
  readonly gateway: string;
  /** How often the answer to the record call was lost together with the runner, so that another gateway continued. */
  readonly losses: number;
  readonly extensions: number;
  readonly isUnlockLost: boolean;
  /** Milliseconds between two events. */
  readonly step: number;
}

const turnArbitrary: fc.Arbitrary<DeviceTurn> = fc.record({
  device: fc.constantFrom('d1', 'd2', 'd3'),
  session: fc.constantFrom('s1', 's2'),
  gateway: fc.constantFrom('g1', 'g2'),
  losses: fc.nat(2),
  extensions: fc.nat(2),
  isUnlockLost: fc.boolean(),
  step: fc.integer({ min: 1, max: 9 }),
});
const turnsArbitrary = fc.array(turnArbitrary, { minLength: 1, maxLength: 12 });

/** A history of a correct service: one turn after the other on each session, all sessions at once. */
function createValidHistory(all: readonly DeviceTurn[]): HistoryEvent[] {
  const clocks = new Map<string, number>();
  return all.flatMap((each, number) => {
    const events = createTurnEvents(clocks.get(each.session) ?? 0, each, number);
    clocks.set(each.session, Math.max(...events.map(getEndTime)));
    return events;
  });
}

function createTurnEvents(start: number, each: DeviceTurn, number: number): HistoryEvent[] {
  const { device, session, gateway, step } = each;
  let now = start;
  const next = (): number => (now += step);
  const locked = (): HistoryEvent => ({ is: 'locked', device, session, askedAt: next(), answeredAt: next() });
  const events: HistoryEvent[] = [locked()];
  for (let extension = 0; extension < each.extensions; extension += 1) events.push(locked());
  for (let call = 0; call <= each.losses; call += 1) {
    const by = call % 2 === 0 ? gateway : `${gateway}'`;
    const of = { gateway: by, payment: `p${number}`, fence: call + 1 };
    const found = next();
    const at = next();
    events.push({ is: 'leaseFound', ...of, liveUntil: at, answeredAt: found });
    events.push({ is: 'recordBegun', ...of, device, session, at });
  }
  const answeredAt = [next(), next()] as const;
  events.push({
    is: 'letGo',
    device,
    session,
    askedAt: answeredAt[0],
    answeredAt: each.isUnlockLost ? null : answeredAt[1],
  });
  return events;
}

function getEndTime(event: HistoryEvent): number {
  return event.is === 'recordBegun' ? event.at : event.is === 'letGo' ? event.askedAt : event.answeredAt;
}

test('a correct history has no violations', () => {
  fc.assert(
    fc.property(turnsArbitrary, (all) => expect(findHistoryViolations(createValidHistory(all))).toEqual([])),
    { seed: 1 },
  );
});

test('the order in which it was written does not matter', () => {
  const shuffled = turnsArbitrary.chain((all) => {
    const events = createValidHistory(all);
    return fc.shuffledSubarray(events, { minLength: events.length });
  });
  fc.assert(
    fc.property(shuffled, (events) => expect(findHistoryViolations(events)).toEqual([])),
    { seed: 1 },
  );
});

type RecordBegun = Extract<HistoryEvent, { is: 'recordBegun' }>;

/** Spoils one of the record calls of the history. */
type HistoryDefect = (events: readonly HistoryEvent[], record: RecordBegun) => HistoryEvent[];

const isLeaseCheckOf =
  ({ payment, fence }: RecordBegun) =>
  (event: HistoryEvent): boolean =>
    event.is === 'leaseFound' && event.payment === payment && event.fence === fence;

const PLANTED_DEFECTS: readonly [string, HistoryDefect, RegExp][] = [
  [
    'another device receives the session at the same time',
    (events, { session, at }) => [
      ...events,
      { is: 'locked', device: 'thief', session, askedAt: at - 0.5, answeredAt: at },
    ],
    /both hold/,
  ],
  [
    'no gateway checked the lease before the call',
    (events, call) => events.filter((each) => !isLeaseCheckOf(call)(each)),
    /found live/,
  ],
  [
    'the lease was found lost',
    (events, call) => events.map((each) => (isLeaseCheckOf(call)(each) ? { ...each, liveUntil: null } : each)),
    /found live/,
  ],
  [
    'the check came after the call',
    (events, call) =>
      events.map((each) => (isLeaseCheckOf(call)(each) ? { ...each, answeredAt: call.at + 0.5 } : each)),
    /found live/,
  ],
  [
    'another gateway checked',
    (events, call) => events.map((each) => (isLeaseCheckOf(call)(each) ? { ...each, gateway: 'other' } : each)),
    /found live/,
  ],
  [
    'a suspended gateway resumed after its lease',
    (events, call) => events.map((each) => (each === call ? { ...call, at: call.at + 0.5 } : each)),
    /may have been over/,
  ],
  ['one check was used for two calls', (events, call) => [...events, { ...call }], /used up/],
  [
    'a suspended gateway resumed after another had taken over the payment',
    (events, { payment, at, fence }) => [
      ...events,
      { is: 'leaseFound', gateway: 'successor', payment, fence: fence + 1, liveUntil: at, answeredAt: at },
    ],
    /taken the payment over/,
  ],
  [
    'a device recorded on the session of another',
    (events, call) => events.map((each) => (each === call ? { ...call, device: 'thief' } : each)),
    /did not hold/,
  ],
];

describe('the checker reports a history with one fault', () => {
  test.each(PLANTED_DEFECTS)('%s', (_, addDefect, expectedText) => {
    const withDefect = fc.tuple(turnsArbitrary, fc.nat()).map(([all, number]) => {
      const events = createValidHistory(all);
      const records = events.filter((event) => event.is === 'recordBegun');
      return addDefect(events, records[number % records.length] as RecordBegun);
    });
    fc.assert(
      fc.property(withDefect, (events) => {
        expect(findHistoryViolations(events).join('\n')).toMatch(expectedText);
      }),
      { seed: 1 },
    );
  });
});

test('an unlock without an answer is no violation: the session may belong to another device by then', () => {
  const session = 's1';
  expect(
    findHistoryViolations([
      { is: 'locked', device: 'd1', session, askedAt: 0, answeredAt: 1 },
      { is: 'letGo', device: 'd1', session, askedAt: 2, answeredAt: null },
      { is: 'locked', device: 'd2', session, askedAt: 1, answeredAt: 3 },
    ]),
  ).toEqual([]);
});

import { expect, test } from '@jest/globals';
import {
  acquireLease,
  renewByCommand,
  expireLease,
  forceLease,
  LEASE_LENGTH_MS,
  LEASE_MOVES,
  lockExpiry,
  chooseLockFlow,
  lockGivenUp,
  lockLost,
  lockTaken,
  planExtension,
  closePayment,
  openPayment,
  releaseLease,
  type Lease,
  type LeaseAnswer,
  type NewLease,
} from './lease.js';
import { Refusal } from '../refusals/refusal.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

const ada: NewLease = {
  ...{ leaseId: 'lease-1', sessionId: 'session-1', owner: 'machine-1', lengthMs: LEASE_LENGTH_MS },
  requestor: { type: 'cardMachine', terminalId: '90000001', waiterId: 7 },
};
const bob: NewLease = { ...ada, leaseId: 'lease-2', owner: 'machine-2' };

const held = lockTaken(getLease(acquireLease(null, ada, NOON)), 'lock-1');
const paying = getLease(openPayment(held));

test('every move of a lease', () => {
  const lines = Object.entries(LEASE_MOVES).map(
    ([state, moves]) =>
      `${state}: ${
        Object.entries(moves)
          .map(([move, to]) => `${move} → ${to}`)
          .join(', ') || '(final)'
      }`,
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
   "Held: lose → Lost, release → Released, expire → Released, force → Forced
   Lost: relock → Held, release → Released, expire → Released, force → Forced
   Released: (final)
   Forced: (final)"
  `);
});

test('a free session is leased to the requesting device for ten minutes', () => {
  expect(acquireLease(null, ada, NOON)).toMatchObject({
    outcome: 'held',
    isNew: true,
    lease: { state: 'Held', owner: 'machine-1', waiterId: 7, openPayments: 0, expiresAt: at(600) },
  });
});

test('waiter 0 and a payer with their own device are no waiter', () => {
  const noWaiter: NewLease = { ...ada, requestor: { type: 'cardMachine', terminalId: '90000001', waiterId: 0 } };
  const payer: NewLease = { ...ada, requestor: { type: 'consumerDevice' } };
  expect([noWaiter, payer].map((request) => getLease(acquireLease(null, request, NOON)).waiterId)).toEqual([
    null,
    null,
  ]);
});

test.each<[string, Lease, NewLease, number, string]>([
  ['its own device again', held, ada, 599, 'lease-1 until 1199'],
  ['its own device after it ran out', held, ada, 601, 'lease-1 until 1201'],
  ['its own device after the lock was lost', lockLost(held), ada, 10, 'lease-1 until 610'],
  ['another device', held, bob, 599, 'SESSION_ALREADY_LOCKED'],
  ['another device after the lock was lost', lockLost(held), bob, 10, 'SESSION_ALREADY_LOCKED'],
  ['another device after it ran out', held, bob, 600, 'lease-2 until 1200, lease-1 Released'],
  ['another device long after, with money open', paying, bob, 86_400, 'SESSION_ALREADY_LOCKED'],
  ['another device after it was released', releaseLease(held, NOON).lease, bob, 1, 'lease-2 until 601'],
  ['another device after it was forced', forceLease(paying, true, NOON).lease, bob, 1, 'lease-2 until 601'],
])('a leased session is requested by %s', (_name, lease, request, seconds, then) => {
  expect(shown(acquireLease(lease, request, at(seconds)))).toBe(then);
});

test('the refused device reads the owner and the time of the lease', () => {
  const answer = acquireLease(held, bob, at(1));
  expect(answer).toMatchObject({ reason: 'locked by machine-1 since 2026-03-01T12:00:00.000Z' });
});

test.each<[string, Lease | null, string, string]>([
  ['its owner', held, 'machine-1', 'lease-1 until 900'],
  ['another device', held, 'machine-2', 'SESSION_NOT_LOCKED'],
  ['a device without a lease', null, 'machine-1', 'SESSION_NOT_LOCKED'],
  ['the old owner after it was forced', forceLease(held, false, NOON).lease, 'machine-1', 'SESSION_NOT_LOCKED'],
  ['the old owner after it ended', releaseLease(held, NOON).lease, 'machine-1', 'SESSION_NOT_LOCKED'],
])('a command of %s', (_name, lease, owner, then) => {
  expect(shown(renewByCommand(lease, owner, { lengthMs: LEASE_LENGTH_MS, now: at(300) }))).toBe(then);
});

test.each<[string, Lease, number, string]>([
  ['not yet', held, 599, 'Held, again at 600'],
  ['in time', held, 600, 'Released, unlock'],
  ['in time, without a lock at the EPOS', lockGivenUp(held), 600, 'Released'],
  ['in time, the lock lost', lockLost(held), 600, 'Released'],
  ['with money open, however late', paying, 864_000, 'Held'],
  ['after its end', releaseLease(held, NOON).lease, 864_000, 'Released'],
])('a lease runs out: %s', (_name, lease, seconds, then) => {
  const { lease: after, unlock, dueAt } = expireLease(lease, at(seconds));
  const again = dueAt === null ? '' : `, again at ${(dueAt.getTime() - NOON.getTime()) / 1000}`;
  expect(`${after.state}${unlock ? ', unlock' : ''}${again}`).toBe(then);
});

test('after the last payment the ten minutes begin again', () => {
  const two = getLease(openPayment(paying));
  const one = closePayment(two, LEASE_LENGTH_MS, at(3_600));
  expect(expireLease(one, at(9_000)).lease.state).toBe('Held');
  const none = closePayment(one, LEASE_LENGTH_MS, at(9_000));
  expect([expireLease(none, at(9_599)), expireLease(none, at(9_600))].map(({ lease }) => lease.state)).toEqual([
    'Held',
    'Released',
  ]);
});

test('no payment starts on a lost lock until it is locked again', () => {
  expect(shown(openPayment(lockLost(held)))).toBe('SESSION_NOT_LOCKED');
  expect(shown(openPayment(forceLease(held, false, NOON).lease))).toBe('SESSION_NOT_LOCKED');
  expect(getLease(openPayment(lockTaken(lockLost(held), 'lock-2')))).toMatchObject({
    lockId: 'lock-2',
    openPayments: 1,
  });
});

test.each<[string, () => unknown, string]>([
  ['released over open money', () => releaseLease(paying, NOON), 'lease_money_open'],
  ['forced over open money', () => forceLease(paying, false, NOON), 'lease_money_open'],
  ['forced twice', () => forceLease(forceLease(held, false, NOON).lease, true, NOON), 'lease_over'],
  ['forced after its release', () => forceLease(releaseLease(held, NOON).lease, true, NOON), 'lease_over'],
])('a lease is not %s', (_name, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }));
  expect(act).toThrow(Refusal);
});

test('a confirmed force ends a lease over open money, and its payment can still be closed', () => {
  const forced = forceLease(paying, true, NOON);
  expect(forced).toMatchObject({ lease: { state: 'Forced', openPayments: 1, releasedAt: NOON }, unlock: true });
  expect(closePayment(forced.lease, LEASE_LENGTH_MS, NOON)).toMatchObject({ state: 'Forced', openPayments: 0 });
});

test('a payment closed twice is a defect', () => {
  expect(() => closePayment(held, LEASE_LENGTH_MS, NOON)).toThrow('more payments closed than opened');
});

test.each([
  [[], 'leaseOnly'],
  [['ExtendOrderLock'], 'leaseOnly'],
  [['CreateOrderLock', 'ExtendOrderLock'], 'leaseOnly'],
  [['DeleteOrderLock', 'ExtendOrderLock'], 'leaseOnly'],
  [['CreateOrderLock', 'DeleteOrderLock'], 'lock'],
  [['CreateOrderLock', 'DeleteOrderLock', 'ExtendOrderLock'], 'lockAndExtend'],
])('an EPOS that offers %j is locked by %s', (capabilities, flow) => {
  expect(chooseLockFlow(capabilities)).toBe(flow);
});

test('a lock lasts fifteen minutes, or one minute where it can be extended', () => {
  expect([lockExpiry('lock', NOON), lockExpiry('lockAndExtend', NOON)]).toEqual([at(900), at(60)]);
});

test.each<['extended' | 'refused' | 'unanswered', number, number | null]>([
  ['extended', 20, 40],
  ['unanswered', 20, 25],
  ['unanswered', 54, 59],
  ['unanswered', 55, null],
  ['refused', 20, null],
])('an extension is %s at %d s of a minute: next at %s', (answer, seconds, next) => {
  expect(planExtension(answer, at(60), at(seconds))).toEqual(next === null ? null : at(next));
});

function getLease(answer: LeaseAnswer): Lease {
  if (answer.outcome === 'refused') throw new Error(answer.reason);
  return answer.lease;
}

function shown(answer: LeaseAnswer): string {
  if (answer.outcome === 'refused') return answer.code;
  const { lease, ended } = answer;
  const until = `${lease.leaseId} until ${(lease.expiresAt.getTime() - NOON.getTime()) / 1000}`;
  return ended === null ? until : `${until}, ${ended.leaseId} ${ended.state}`;
}

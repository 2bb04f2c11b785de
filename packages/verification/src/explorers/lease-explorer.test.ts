import { expect, test } from '@jest/globals';
import { exploreLeases } from './lease-explorer.js';
import { LEASE_MACHINE, type LeaseMachine } from '@pos/core/testing';

test('every path of the leases on a session ends well', () => {
  const { states, violations, reached } = exploreLeases(LEASE_MACHINE);
  process.stdout.write(`the leases on a session: ${states} states, ${violations.length} bad end states\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(400);
  expect([...reached].sort()).toEqual(['Forced', 'Held', 'Lost', 'Released']);
});

const { acquire, command, expire, force, lockTaken, closePayment, openPayment, release } = LEASE_MACHINE;

const PLANTED: readonly [string, Partial<LeaseMachine>, RegExp][] = [
  [
    'the lease of another device is not respected',
    { acquire: (_found, request, now) => acquire(null, request, now) },
    /two leases on one session/,
  ],
  [
    'an expired lease is left open beside the new one',
    {
      acquire: (found, request, now) => {
        const answer = acquire(found, request, now);
        return answer.outcome === 'held' ? { ...answer, ended: null } : answer;
      },
    },
    /two leases on one session/,
  ],
  [
    'any device may command a lease',
    { command: (found, owner, more) => command(found, found?.owner ?? owner, more) },
    /commands a lease that is not its own/,
  ],
  [
    'a lease ends by time although money is open on it',
    {
      expire: (lease, now) => {
        const end = expire({ ...lease, openPayments: 0 }, now);
        return { ...end, lease: { ...end.lease, openPayments: lease.openPayments } };
      },
    },
    /ended with money on it/,
  ],
  [
    'a journey is finished although money is open on it',
    {
      release: (lease, now) => {
        const end = release({ ...lease, openPayments: 0 }, now);
        return { ...end, lease: { ...end.lease, openPayments: lease.openPayments } };
      },
    },
    /ended with money on it/,
  ],
  [
    'an operator forces over open money without a confirmation',
    { force: (lease, _isConfirmed, now) => force(lease, true, now) },
    /forced over open money/,
  ],
  [
    'a card is requested although the lock was lost',
    { openPayment: (lease) => openPayment({ ...lease, state: 'Held' }) },
    /although the lock was lost/,
  ],
  ['a payment that ends is not counted', { closePayment: (lease) => lease }, /counts other payments/],
  [
    'a payment that ends closes all of them',
    { closePayment: (lease, lengthMs, now) => ({ ...closePayment(lease, lengthMs, now), openPayments: 1 }) },
    /counts other payments/,
  ],
  [
    'a finished lease does not unlock at the EPOS',
    { release: (lease, now) => ({ ...release(lease, now), unlock: false }) },
    /a lock of ours that is never released/,
  ],
  [
    'a forced lease does not unlock at the EPOS',
    { force: (lease, isConfirmed, now) => ({ ...force(lease, isConfirmed, now), unlock: false }) },
    /a lock of ours that is never released/,
  ],
  [
    'a lock that was taken is not stored',
    { lockTaken: (lease, lockId) => ({ ...lockTaken(lease, lockId), eposLocked: false }) },
    /a lock of ours that is never released/,
  ],
  ['an unlocking is never stored', { lockGivenUp: (lease) => lease }, /receives the call again and again/],
];

test.each(PLANTED)('the explorer finds a planted bug: %s', (_name, mutant, finding) => {
  const { violations } = exploreLeases({ ...LEASE_MACHINE, ...mutant });
  expect(violations.filter((text) => finding.test(text))).not.toEqual([]);
});

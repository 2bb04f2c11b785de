import { assert } from '../refusals/assert.js';
import type { EposErrorCode } from './epos-error.js';
import { Refusal } from '../refusals/refusal.js';

/** Whether a device holds the session, has it without the EPOS's lock, or has released it. */
export const LEASE_STATES = ['Held', 'Lost', 'Released', 'Forced'] as const;
export type LeaseState = (typeof LEASE_STATES)[number];

/** Every permitted move of a lease. What is not written here is refused. */
export const LEASE_MOVES = {
  Held: { lose: 'Lost', release: 'Released', expire: 'Released', force: 'Forced' },
  Lost: { relock: 'Held', release: 'Released', expire: 'Released', force: 'Forced' },
  Released: {},
  Forced: {},
} as const satisfies Record<LeaseState, Partial<Record<LeaseMove, LeaseState>>>;

export type LeaseMove = 'lose' | 'relock' | 'release' | 'expire' | 'force';

/** The requesting device: a card machine with its waiter (0 is none), or a payer's own device. */
export type Requestor =
  | { readonly type: 'cardMachine'; readonly terminalId: string; readonly waiterId: number }
  | { readonly type: 'consumerDevice' };

/** One device's right to take payments on a session. We keep it for every kind of EPOS. Times are database time. */
export interface Lease {
  readonly leaseId: string;
  readonly sessionId: string;
  /** The device. */
  readonly owner: string;
  readonly requestor: Requestor;
  readonly waiterId: number | null;
  readonly state: LeaseState;
  /** Whether the EPOS holds a lock of ours too, which a release has to unlock. */
  readonly eposLocked: boolean;
  readonly lockId: string | null;
  /** Card payments that run, or are approved and neither recorded nor given back. */
  readonly openPayments: number;
  readonly acquiredAt: Date;
  readonly expiresAt: Date;
  readonly version: number;
  readonly releasedAt: Date | null;
}

/** A lease expires only after this time without a command of its owner. */
export const LEASE_LENGTH_MS = 10 * 60 * 1000;

export interface NewLease {
  readonly leaseId: string;
  readonly sessionId: string;
  readonly owner: string;
  readonly requestor: Requestor;
  readonly lengthMs: number;
}

/**
 * The answer to a device that requests a session. A lease of another device is a fact about the restaurant. It is
 * returned as an EPOS error, which callers handle already, with owner and time for the staff.
 */
export type LeaseAnswer =
  | { readonly outcome: 'held'; readonly lease: Lease; readonly isNew: boolean; readonly ended: Lease | null }
  | LeaseRefusal;

export interface LeaseRefusal {
  readonly outcome: 'refused';
  readonly code: Extract<EposErrorCode, 'SESSION_ALREADY_LOCKED' | 'SESSION_NOT_LOCKED'>;
  readonly reason: string;
}

/**
 * Gives the session to the device, or renews the device's own lease. An expired lease of another device is returned
 * as `ended`: its lock at the EPOS has to be released before the new one is taken.
 */
export function acquireLease(found: Lease | null, request: NewLease, now: Date): LeaseAnswer {
  if (found === null || isOver(found))
    return { outcome: 'held', lease: createLease(request, now), isNew: true, ended: null };
  assert(found.sessionId === request.sessionId, 'the lease of another session');
  if (found.owner === request.owner) {
    return { outcome: 'held', lease: extendLease(found, request.lengthMs, now), isNew: false, ended: null };
  }
  if (mayExpire(found, now)) {
    return { outcome: 'held', lease: createLease(request, now), isNew: true, ended: closeLease(found, 'expire', now) };
  }
  const reason = `locked by ${found.owner} since ${found.acquiredAt.toISOString()}`;
  return { outcome: 'refused', code: 'SESSION_ALREADY_LOCKED', reason };
}

/** Renews the lease by a command of its owner; refuses the command of any other device. */
export function renewByCommand(found: Lease | null, owner: string, more: { lengthMs: number; now: Date }): LeaseAnswer {
  if (found === null || isOver(found)) return createNotLockedRefusal('no lease on this session');
  if (found.owner !== owner) return createNotLockedRefusal(`held by ${found.owner}`);
  return { outcome: 'held', lease: extendLease(found, more.lengthMs, more.now), isNew: false, ended: null };
}

/**
 * Moves the lease to another device. The EPOS still receives the id of the device that locked there, until that lock
 * is released. Refuses `lease_over`.
 */
export function moveLease(lease: Lease, to: Pick<Lease, 'owner' | 'requestor'>): Lease {
  if (isOver(lease)) throw new Refusal('lease_over', `the lease is ${lease.state}`);
  return { ...lease, owner: to.owner, requestor: lease.eposLocked ? lease.requestor : to.requestor };
}

/** Stores the lock that the EPOS has granted. A lost lease is held again with the new lock. */
export function lockTaken(lease: Lease, lockId: string | null): Lease {
  assert(!isOver(lease), 'a lock for a lease that has ended');
  return { ...lease, state: 'Held', eposLocked: true, lockId };
}

/**
 * Marks a lease whose lock the EPOS does not find any more. Running payments continue; nothing new starts until the
 * session is locked again.
 */
export function lockLost(lease: Lease): Lease {
  return isOver(lease) ? lease : { ...lease, state: 'Lost', eposLocked: false };
}

/** Marks a session that is unlocked at the EPOS between two parts, as its contract requires; the lease stays. */
export function lockGivenUp(lease: Lease): Lease {
  return { ...lease, eposLocked: false, lockId: null };
}

/** Counts a payment whose card is about to be requested. A lost lease takes no new payment. */
export function openPayment(lease: Lease): LeaseAnswer {
  if (lease.state !== 'Held') return createNotLockedRefusal('the lock was lost, lock the session again');
  const counted: Lease = { ...lease, openPayments: lease.openPayments + 1 };
  return { outcome: 'held', lease: counted, isNew: false, ended: null };
}

/**
 * Counts a payment as recorded, given back or ended. After the last one the lease begins to age again. Also applies
 * to a forced lease.
 */
export function closePayment(lease: Lease, lengthMs: number, now: Date): Lease {
  assert(lease.openPayments > 0, 'more payments closed than opened');
  const counted: Lease = { ...lease, openPayments: lease.openPayments - 1 };
  return isOver(lease) ? counted : extendLease(counted, lengthMs, now);
}

/** Handles the due time of a lease. Open money keeps it valid without limit. */
export function expireLease(lease: Lease, now: Date): LeaseEnd {
  if (isOver(lease)) return { lease, unlock: false, dueAt: null };
  if (lease.openPayments > 0) return { lease, unlock: false, dueAt: null };
  if (!mayExpire(lease, now)) return { lease, unlock: false, dueAt: lease.expiresAt };
  return endLease(lease, 'expire', now);
}

/** Releases the lease when the journey is finished or the session unlocked. Refuses `lease_money_open`. */
export function releaseLease(lease: Lease, now: Date): LeaseEnd {
  if (isOver(lease)) return { lease, unlock: false, dueAt: null };
  if (lease.openPayments > 0) throw createMoneyOpenRefusal(lease);
  return endLease(lease, 'release', now);
}

/** An operator takes the lease away; with open money only if confirmed. Refuses `lease_over`, `lease_money_open`. */
export function forceLease(lease: Lease, isConfirmed: boolean, now: Date): LeaseEnd {
  if (isOver(lease)) throw new Refusal('lease_over', `the lease is ${lease.state}`);
  if (lease.openPayments > 0 && !isConfirmed) throw createMoneyOpenRefusal(lease);
  return endLease(lease, 'force', now);
}

/**
 * A lease after its end, or with the next time to check it; null while money is open. `unlock`: the lock at the EPOS
 * has to be released.
 */
export interface LeaseEnd {
  readonly lease: Lease;
  readonly unlock: boolean;
  readonly dueAt: Date | null;
}

/** How the locks of an EPOS are used, depending on its registered capabilities. */
export type LockFlow = 'leaseOnly' | 'lock' | 'lockAndExtend';

export function chooseLockFlow(capabilities: readonly string[]): LockFlow {
  const has = (name: string): boolean => capabilities.includes(name);
  // A lock that cannot be released is worse than none.
  if (!has('CreateOrderLock') || !has('DeleteOrderLock')) return 'leaseOnly';
  return has('ExtendOrderLock') ? 'lockAndExtend' : 'lock';
}

const LOCK_LENGTH_MS = 15 * 60 * 1000;
const LOCK_LENGTH_EXTENDED_MS = 60_000;
export const LOCK_EXTEND_EVERY_MS = 20_000;
const LOCK_EXTEND_AGAIN_MS = 5_000;
/** After a lock call without an answer, its id is deleted at most so many times; then another id is used. */
export const LOCK_DELETE_TRIES_MAX = 3;
/** After so many tries the lock is left to expire. */
export const UNLOCK_TRIES_MAX = 5;

export function lockExpiry(flow: Exclude<LockFlow, 'leaseOnly'>, now: Date): Date {
  return new Date(now.getTime() + (flow === 'lock' ? LOCK_LENGTH_MS : LOCK_LENGTH_EXTENDED_MS));
}

/** Plans the step after an extension: when to extend next, or null when the lock counts as lost. */
export function planExtension(
  answer: 'extended' | 'refused' | 'unanswered',
  lockExpiresAt: Date,
  now: Date,
): Date | null {
  if (answer === 'extended') return new Date(now.getTime() + LOCK_EXTEND_EVERY_MS);
  const again = new Date(now.getTime() + LOCK_EXTEND_AGAIN_MS);
  return answer === 'refused' || again >= lockExpiresAt ? null : again;
}

function isOver(lease: Lease): boolean {
  return lease.state === 'Released' || lease.state === 'Forced';
}

function mayExpire(lease: Lease, now: Date): boolean {
  return lease.openPayments === 0 && now >= lease.expiresAt;
}

function createLease({ lengthMs, ...request }: NewLease, now: Date): Lease {
  const { requestor } = request;
  return {
    ...request,
    waiterId: requestor.type === 'cardMachine' && requestor.waiterId !== 0 ? requestor.waiterId : null,
    state: 'Held',
    eposLocked: false,
    lockId: null,
    openPayments: 0,
    acquiredAt: now,
    expiresAt: new Date(now.getTime() + lengthMs),
    version: 1,
    releasedAt: null,
  };
}

function extendLease(lease: Lease, lengthMs: number, now: Date): Lease {
  return { ...lease, expiresAt: new Date(now.getTime() + lengthMs) };
}

function endLease(lease: Lease, move: 'release' | 'expire' | 'force', now: Date): LeaseEnd {
  return { lease: closeLease(lease, move, now), unlock: lease.eposLocked, dueAt: null };
}

function closeLease(lease: Lease, move: 'release' | 'expire' | 'force', now: Date): Lease {
  assert(lease.state === 'Held' || lease.state === 'Lost', 'a lease ends once');
  return { ...lease, state: LEASE_MOVES[lease.state][move], releasedAt: now };
}

function createNotLockedRefusal(reason: string): LeaseRefusal {
  return { outcome: 'refused', code: 'SESSION_NOT_LOCKED', reason };
}

function createMoneyOpenRefusal(lease: Lease): Refusal {
  return new Refusal('lease_money_open', 'a payment on this session is neither recorded nor given back', {
    data: { openPayments: lease.openPayments },
  });
}

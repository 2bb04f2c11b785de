import { assert } from '../refusals/assert.js';
import type { EposErrorCode } from './epos-error.js';
import { Refusal } from '../refusals/refusal.js';

/** Whether a device holds the session, has it without the EPOS's lock, or has let go of it. */
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

/** Who speaks: a card machine with its waiter (0 is none), or a payer's own device. */
export type Requestor =
  | { readonly type: 'cardMachine'; readonly terminalId: string; readonly waiterId: number }
  | { readonly type: 'consumerDevice' };

/** One device's right to take payments on a session, kept by us for every kind of EPOS. Times are database time. */
export interface Lease {
  readonly leaseId: string;
  readonly sessionId: string;
  /** The device. */
  readonly owner: string;
  readonly requestor: Requestor;
  readonly waiterId: number | null;
  readonly state: LeaseState;
  /** Whether the EPOS holds a lock of ours too, so that letting go has to be told to it. */
  readonly eposLocked: boolean;
  readonly lockId: string | null;
  /** Card payments that run, or are approved and neither recorded nor given back. */
  readonly openPayments: number;
  readonly acquiredAt: Date;
  readonly expiresAt: Date;
  readonly version: number;
  readonly releasedAt: Date | null;
}

/** A lease may end by time only after this long without a command of its owner. */
export const LEASE_LENGTH_MS = 10 * 60 * 1000;

export interface LeaseRequest {
  readonly leaseId: string;
  readonly sessionId: string;
  readonly owner: string;
  readonly requestor: Requestor;
  readonly lengthMs: number;
}

/**
 * The answer to a device that wants a session. Another device's lease is a fact about the restaurant
 * and travels as the EPOS error its reader knows, with owner and time for the staff.
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
 * Gives the session to the device, or gives it its own lease again. A forgotten lease of somebody
 * else is `ended` on the way: its lock at the EPOS is to be let go before the new one is taken.
 */
export function acquireLease(found: Lease | null, request: LeaseRequest, now: Date): LeaseAnswer {
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

/** Each command of the owner keeps the lease alive; from anybody else it is refused. */
export function renewByCommand(found: Lease | null, owner: string, more: { lengthMs: number; now: Date }): LeaseAnswer {
  if (found === null || isOver(found)) return createNotLockedRefusal('no lease on this session');
  if (found.owner !== owner) return createNotLockedRefusal(`held by ${found.owner}`);
  return { outcome: 'held', lease: extendLease(found, more.lengthMs, more.now), isNew: false, ended: null };
}

/**
 * The session is another device's from now on. The EPOS goes on hearing of the device that has locked there, until that
 * lock is gone. Refuses `lease_over`.
 */
export function moveLease(lease: Lease, to: Pick<Lease, 'owner' | 'requestor'>): Lease {
  if (isOver(lease)) throw new Refusal('lease_over', `the lease is ${lease.state}`);
  return { ...lease, owner: to.owner, requestor: lease.eposLocked ? lease.requestor : to.requestor };
}

/** The EPOS has locked under this id. A lost lease is held again with the new lock. */
export function lockTaken(lease: Lease, lockId: string | null): Lease {
  assert(!isOver(lease), 'a lock for a lease that has ended');
  return { ...lease, state: 'Held', eposLocked: true, lockId };
}

/** The EPOS no longer knows our lock. Money that runs goes on; nothing new starts until it is locked again. */
export function lockLost(lease: Lease): Lease {
  return isOver(lease) ? lease : { ...lease, state: 'Lost', eposLocked: false };
}

/** The session is unlocked at the EPOS between two parts, as its contract wants; the lease stays. */
export function lockGivenUp(lease: Lease): Lease {
  return { ...lease, eposLocked: false, lockId: null };
}

/** A card is about to be asked for. A lost lease takes no new payment. */
export function openPayment(lease: Lease): LeaseAnswer {
  if (lease.state !== 'Held') return createNotLockedRefusal('the lock was lost, lock the session again');
  const counted: Lease = { ...lease, openPayments: lease.openPayments + 1 };
  return { outcome: 'held', lease: counted, isNew: false, ended: null };
}

/** A payment is recorded, given back or ended; when it was the last, the lease begins to age again. Also for a lease ended by force. */
export function closePayment(lease: Lease, lengthMs: number, now: Date): Lease {
  assert(lease.openPayments > 0, 'more payments closed than opened');
  const counted: Lease = { ...lease, openPayments: lease.openPayments - 1 };
  return isOver(lease) ? counted : extendLease(counted, lengthMs, now);
}

/** The due row of a lease has come up. Open money keeps it alive for ever. */
export function expireLease(lease: Lease, now: Date): LeaseEnd {
  if (isOver(lease)) return { lease, unlock: false, dueAt: null };
  if (lease.openPayments > 0) return { lease, unlock: false, dueAt: null };
  if (!mayExpire(lease, now)) return { lease, unlock: false, dueAt: lease.expiresAt };
  return endLease(lease, 'expire', now);
}

/** Finishing a journey or unlocking the session. Refuses `lease_money_open`. */
export function releaseLease(lease: Lease, now: Date): LeaseEnd {
  if (isOver(lease)) return { lease, unlock: false, dueAt: null };
  if (lease.openPayments > 0) throw createMoneyOpenRefusal(lease);
  return endLease(lease, 'release', now);
}

/** A person takes the lease away; over open money only if that was said twice. Refuses `lease_over`, `lease_money_open`. */
export function forceLease(lease: Lease, isConfirmed: boolean, now: Date): LeaseEnd {
  if (isOver(lease)) throw new Refusal('lease_over', `the lease is ${lease.state}`);
  if (lease.openPayments > 0 && !isConfirmed) throw createMoneyOpenRefusal(lease);
  return endLease(lease, 'force', now);
}

/** A lease after its end, or with the time to look at it again; none while money is open. `unlock`: the EPOS is to be told. */
export interface LeaseEnd {
  readonly lease: Lease;
  readonly unlock: boolean;
  readonly dueAt: Date | null;
}

/** How the locks of an EPOS are used, by what it has registered. */
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
/** A lock call without an answer: its id is deleted so many times at most, then another id is used. */
export const LOCK_DELETE_TRIES_MAX = 3;
/** After these the lock is left to expire by itself. */
export const UNLOCK_TRIES_MAX = 5;

export function lockExpiry(flow: Exclude<LockFlow, 'leaseOnly'>, now: Date): Date {
  return new Date(now.getTime() + (flow === 'lock' ? LOCK_LENGTH_MS : LOCK_LENGTH_EXTENDED_MS));
}

/** What follows an extension: when to extend next, or null when the lock has to be taken for lost. */
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

function createLease({ lengthMs, ...request }: LeaseRequest, now: Date): Lease {
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

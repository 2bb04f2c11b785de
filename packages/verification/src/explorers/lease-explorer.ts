import type { LeaseMachine } from '@pos/core/testing';
import { type Lease, LEASE_LENGTH_MS } from '@pos/core/tables';
import { Refusal } from '@pos/core/refusals';

/** `relock`: an earlier lock of the lease may exist, and counts; `part`: unlocking after a recorded part. */
type Call = 'lock' | 'unlockThenLock' | 'relock' | 'part' | 'unlock';

/** A lease with its state in the model: its running payments, and its running call. */
interface LeasePlace {
  readonly lease: Lease;
  /** The device was informed that it has the session, so that it may take payments on it. */
  readonly isBegun: boolean;
  readonly running: number;
  readonly call: Call | null;
}

interface Node {
  readonly places: readonly LeasePlace[];
  /** The owner of the EPOS's lock: a lease, the EPOS itself, or null. */
  readonly lock: string | null;
  readonly now: number;
  /** The first error on the path. */
  readonly wrong: string | null;
}

interface Edge {
  readonly name: string;
  readonly to: Node;
}

/** The result of a walk: the number of states, the violations, and the states of leases. */
export interface LeaseExploration {
  readonly states: number;
  readonly violations: readonly string[];
  readonly reached: ReadonlySet<string>;
}

const DEVICES = ['machine-1', 'machine-2'] as const;
const SESSION = 'session-1';
const EPOS = 'epos';
const NOT_NOTED = 'the EPOS has unlocked, and it receives the call again and again';
const START = Date.parse('2026-03-01T12:00:00Z');
const PLACES_MAX = 3;
const STATES_MAX = 200_000;
const VIOLATIONS_MAX = 20;

/**
 * Walks every state of the leases on one session together with a model of their environment: two devices, an EPOS
 * that locks, refuses, loses answers, restarts and is used by a waiter, gateways that are killed before and after
 * each call, payments that end at any time, and operators who force. Returns the violations, each with its path.
 */
export function exploreLeases(machine: LeaseMachine): LeaseExploration {
  const nodes = new Map([[FIRST_KEY, FIRST]]);
  const comesFrom = new Map<string, { key: string; name: string }[]>();
  const violations = new Set<string>();
  // Iterating a map includes entries that are added meanwhile, so the shortest path to each state is found first.
  for (const [key, node] of nodes) {
    if (violations.size > VIOLATIONS_MAX) break;
    const problems = findProblems(node);
    for (const problem of problems) violations.add(`${problem} after ${findPath(key, comesFrom)}`);
    for (const { name, to } of problems.length === 0 ? listEdges(machine, node) : []) {
      const toKey = computeKey(to);
      const ways = comesFrom.get(toKey);
      if (ways === undefined) comesFrom.set(toKey, [{ key, name }]);
      else ways.push({ key, name });
      if (nodes.has(toKey)) continue;
      if (nodes.size >= STATES_MAX) throw new Error(`more than ${STATES_MAX} states`);
      nodes.set(toKey, to);
    }
  }
  for (const key of violations.size === 0 ? findStuckStates(nodes, comesFrom) : [])
    violations.add(`no way out of ${key}`);
  const reached = new Set([...nodes.values()].flatMap(({ places }) => places.map(({ lease }) => lease.state)));
  return { states: nodes.size, violations: [...violations], reached };
}

/** Conditions that must never hold in any state of a path. */
function findProblems({ places, lock, wrong }: Node): string[] {
  const isKnown = places.some(({ lease, call }) => lease.eposLocked || call !== null);
  const rules: Record<string, boolean> = {
    'two leases on one session': places.filter(({ lease }) => !isOver(lease)).length > 1,
    'ended with money on it, and was not forced': places.some((at) => at.running > 0 && at.lease.state === 'Released'),
    'counts other payments than run': places.some(({ lease, running }) => lease.openPayments !== running),
    'a lock of ours that is never released': lock !== null && lock !== EPOS && !isKnown,
    [wrong ?? '']: wrong !== null,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function listEdges(machine: LeaseMachine, node: Node): Edge[] {
  const edges = DEVICES.flatMap((device) => listDeviceEdges(machine, node, device));
  for (const place of node.places) {
    if (place.call !== null) edges.push(...callEdges(machine, node, place));
    edges.push(...listLeaseEdges(machine, node, place));
  }
  if (node.places.length > 0)
    edges.push({ name: 'ten minutes pass', to: { ...node, now: node.now + LEASE_LENGTH_MS } });
  if (node.lock === null) edges.push({ name: 'the waiter locks', to: { ...node, lock: EPOS } });
  if (node.lock === EPOS) edges.push({ name: 'the waiter unlocks', to: { ...node, lock: null } });
  else if (node.lock !== null) edges.push({ name: 'the EPOS loses the lock', to: { ...node, lock: null } });
  return edges.map(({ name, to }) => ({ name, to: tidyNode(to) }));
}

function listDeviceEdges(machine: LeaseMachine, node: Node, device: string): Edge[] {
  const open = node.places.find(({ lease }) => !isOver(lease)) ?? null;
  const now = new Date(node.now);
  const edges = startEdges(machine, node, { device, open });
  const answer = machine.command(open?.lease ?? null, device, { lengthMs: LEASE_LENGTH_MS, now });
  if (answer.outcome === 'refused' || open === null) return edges;
  const wrong = answer.lease.owner === device ? null : 'a device commands a lease that is not its own';
  const commanded: Node = { ...replacePlace(node, { ...open, lease: answer.lease }), wrong };
  if (open.isBegun && open.call === null && open.running === 0) {
    edges.push(...listPaymentEdges(machine, commanded, { ...open, lease: answer.lease }));
  }
  const released = endLease(() => machine.release(answer.lease, now));
  if (released !== null)
    edges.push({ name: `${device} finishes`, to: replacePlace(commanded, { ...open, lease: released }) });
  return edges;
}

/**
 * A device starts as at the gateway: locks that earlier leases have left are taken over, unless they are being
 * unlocked right now.
 */
function startEdges(
  machine: LeaseMachine,
  node: Node,
  { device, open }: { readonly device: string; readonly open: LeasePlace | null },
): Edge[] {
  const undone = node.places.filter(({ lease }) => isOver(lease) && lease.eposLocked);
  const leaseId = ['a', 'b', 'c'].find(
    (id) => node.places.every(({ lease }) => lease.leaseId !== id) && node.lock !== id,
  );
  if (undone.some(({ call }) => call !== null) || leaseId === undefined || node.places.length >= PLACES_MAX) return [];
  const requestor = { type: 'cardMachine', terminalId: device, waiterId: 0 } as const;
  const request = { leaseId, sessionId: SESSION, owner: device, requestor, lengthMs: LEASE_LENGTH_MS };
  const answer = machine.acquire(open?.lease ?? null, request, new Date(node.now));
  if (answer.outcome === 'refused') return [];
  if (!answer.isNew) {
    if (open === null) return [];
    const back: LeasePlace = { ...open, lease: answer.lease };
    const isLocking = open.isBegun || open.call !== null;
    const to = replacePlace(node, isLocking ? back : beginLock(back));
    return [{ name: `${device} is back`, to }];
  }
  let to = node;
  if (answer.ended !== null && open !== null) {
    to = replacePlace(to, { ...open, lease: { ...answer.ended, eposLocked: false }, call: null });
  }
  for (const old of undone) to = replacePlace(to, { ...old, lease: machine.lockGivenUp(old.lease) });
  const isDoubtful = undone.length > 0 || answer.ended?.eposLocked === true;
  const lease: Lease = { ...answer.lease, eposLocked: true };
  const place: LeasePlace = { lease, isBegun: false, running: 0, call: isDoubtful ? 'unlockThenLock' : 'lock' };
  return [{ name: `${device} starts`, to: { ...to, places: [...to.places, place] } }];
}

function listPaymentEdges(machine: LeaseMachine, node: Node, place: LeasePlace): Edge[] {
  const { lease } = place;
  const device = lease.owner;
  const edges: Edge[] = [];
  if (!lease.eposLocked || lease.state === 'Lost') {
    edges.push({ name: `${device} locks for the next part`, to: replacePlace(node, beginLock(place)) });
  }
  // Between two parts the gateway locks first; a lost lease is refused by the decision itself.
  if (!lease.eposLocked && lease.state === 'Held') return edges;
  const opened = machine.openPayment(lease);
  if (opened.outcome === 'refused') return edges;
  const wrong = lease.state === 'Lost' ? 'a card is requested although the lock was lost' : null;
  const to = replacePlace(node, { ...place, lease: opened.lease, running: place.running + 1 });
  return [...edges, { name: `${device} takes a payment`, to: { ...to, wrong } }];
}

/** The lock comes next; whether an earlier one may exist is read before that is written. */
function beginLock(place: LeasePlace): LeasePlace {
  const { lease } = place;
  return { ...place, lease: { ...lease, eposLocked: true }, call: lease.eposLocked ? 'relock' : 'lock' };
}

/**
 * Events of a lease without a command: its payments end, its time is over, its lock is lost, an operator forces it.
 */
function listLeaseEdges(machine: LeaseMachine, node: Node, place: LeasePlace): Edge[] {
  const { lease, running, call } = place;
  const now = new Date(node.now);
  const edges: Edge[] = [];
  const add = (name: string, after: LeasePlace): void => {
    edges.push({ name, to: replacePlace(node, after) });
  };
  if (running > 0) {
    const closed = machine.closePayment(lease, LEASE_LENGTH_MS, now);
    const isOurs = !isOver(lease) && closed.eposLocked && call === null;
    add('the payment ends', { ...place, lease: closed, running: running - 1, call: isOurs ? 'part' : call });
    add('the payment ends, killed', { ...place, lease: closed, running: running - 1 });
  }
  if (isOver(lease)) {
    if (lease.eposLocked && call === null) add('the timer unlocks', { ...place, call: 'unlock' });
    return edges;
  }
  const isLockGone = lease.eposLocked && place.isBegun && call === null && (node.lock === null || node.lock === EPOS);
  if (isLockGone && lease.state === 'Held')
    add('the extension is refused', { ...place, lease: machine.lockLost(lease) });
  add('its time is looked at', { ...place, lease: machine.expire(lease, now).lease });
  for (const isConfirmed of [false, true]) {
    const forced = endLease(() => machine.force(lease, isConfirmed, now));
    if (forced === null) continue;
    const wrong = running > 0 && !isConfirmed ? 'forced over open money without a confirmation' : null;
    const to = replacePlace(node, { ...place, lease: forced });
    edges.push({ name: `forced ${isConfirmed ? 'for certain' : 'carefully'}`, to: { ...to, wrong } });
  }
  return edges;
}

function callEdges(machine: LeaseMachine, node: Node, place: LeasePlace): Edge[] {
  const done: LeasePlace = { ...place, call: null };
  const killed: Edge = { name: `killed before ${place.call ?? ''}`, to: replacePlace(node, done) };
  switch (place.call) {
    case 'unlockThenLock': {
      const freed = unlockSession(node, place, true);
      return [killed, { name: 'the doubtful lock is let go', to: replacePlace(freed, { ...place, call: 'lock' }) }];
    }
    case 'lock':
    case 'relock':
      return [killed, ...lockEdges(machine, node, place)];
    case 'part': {
      const to = unlockSession(node, place, false);
      const given = replacePlace(to, { ...done, lease: machine.lockGivenUp(place.lease) });
      return [
        killed,
        { name: 'unlocked, killed', to: replacePlace(to, done) },
        { name: 'unlocked after the part', to: given },
      ];
    }
    case 'unlock':
    case null:
      return [killed, ...unlockEdges(machine, node, place)];
  }
}

function lockEdges(machine: LeaseMachine, node: Node, place: LeasePlace): Edge[] {
  const { lease, call } = place;
  const done: LeasePlace = { ...place, call: null };
  const isOurs = call === 'relock';
  const missed: LeasePlace =
    !place.isBegun && !isOver(lease) ? { ...done, lease: undoLease(machine, place, node.now) } : done;
  if (node.lock !== null && !isOurs) {
    const refused = isOver(lease) ? lease : machine.lockGivenUp(missed.lease);
    return [{ name: 'the lock is refused', to: replacePlace(node, { ...done, lease: refused }) }];
  }
  // The owner of the lock is not visible: a lock that the EPOS has taken meanwhile counts as ours.
  const held: Node = { ...node, lock: node.lock === EPOS ? EPOS : lease.leaseId };
  const taken = isOver(lease) ? lease : machine.lockTaken(lease, null);
  return [
    { name: 'locked', to: replacePlace(held, { ...done, lease: taken, isBegun: !isOver(lease) }) },
    { name: 'locked, killed', to: replacePlace(held, done) },
    { name: 'locked, unanswered', to: replacePlace(held, missed) },
    { name: 'not locked, unanswered', to: replacePlace(node, missed) },
  ];
}

/** Any try may be the last one; a remaining lock then expires. */
function unlockEdges(machine: LeaseMachine, node: Node, place: LeasePlace): Edge[] {
  const freed = unlockSession(node, place, false);
  const again: LeasePlace = { ...place, call: null };
  const given: LeasePlace = { ...again, lease: machine.lockGivenUp(place.lease) };
  const left: Node = node.lock === EPOS || isHeld(node) ? node : { ...node, lock: null };
  return [
    {
      name: 'unlocked',
      to: { ...replacePlace(freed, given), wrong: given.lease.eposLocked ? NOT_NOTED : freed.wrong },
    },
    { name: 'unlocked, unanswered', to: replacePlace(freed, again) },
    { name: 'not unlocked', to: replacePlace(node, again) },
    { name: 'not unlocked for the last time', to: replacePlace(left, given) },
  ];
}

/** The device is informed that there is no lock, so its lease ends; the EPOS may have locked all the same. */
function undoLease(machine: LeaseMachine, { lease }: LeasePlace, now: number): Lease {
  return endLease(() => machine.release(lease, new Date(now))) ?? lease;
}

/**
 * The EPOS removes any lock of ours, because its contract has no ids: it must be the caller's own or an earlier one.
 */
function unlockSession(node: Node, { lease }: LeasePlace, isDoubtful: boolean): Node {
  if (node.lock === EPOS || node.lock === null) return node;
  const isOthers = node.lock !== lease.leaseId && isHeld(node);
  return { ...node, lock: null, wrong: isOthers && !isDoubtful ? 'the lock of another lease is broken' : node.wrong };
}

/** Whether a running lease has the lock. */
function isHeld({ places, lock }: Node): boolean {
  return places.some(({ lease }) => lease.leaseId === lock && !isOver(lease));
}

/** The lease after an end, or null if that is refused. */
function endLease(end: () => { readonly lease: Lease; readonly unlock: boolean }): Lease | null {
  try {
    const { lease, unlock } = end();
    return isOver(lease) ? { ...lease, eposLocked: unlock } : lease;
  } catch (refused) {
    if (refused instanceof Refusal) return null;
    throw refused;
  }
}

function replacePlace(node: Node, place: LeasePlace): Node {
  const places = node.places.map((each) => (each.lease.leaseId === place.lease.leaseId ? place : each));
  return { ...node, places };
}

/** Removes data of ended leases that has no effect any more. */
function tidyNode(node: Node): Node {
  const places = node.places.filter(({ lease, running, call }) => {
    return !isOver(lease) || lease.eposLocked || running > 0 || call !== null;
  });
  return { ...node, places };
}

function isOver({ state }: Lease): boolean {
  return state === 'Released' || state === 'Forced';
}

/** The states from which the session can never become free again. */
function findStuckStates(
  nodes: ReadonlyMap<string, Node>,
  comesFrom: ReadonlyMap<string, { key: string }[]>,
): string[] {
  const free = [...nodes].filter(([, { places, lock }]) => places.length === 0 && lock === null);
  const found = new Set(free.map(([key]) => key));
  const queue = [...found];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const { key: from } of comesFrom.get(key) ?? []) {
      if (!found.has(from)) queue.push(from);
      found.add(from);
    }
  }
  return [...nodes.keys()].filter((key) => !found.has(key)).slice(0, 5);
}

/**
 * Two nodes are equal when they have the same continuations: for times it only matters whether a lease has expired,
 * and neither the names of ended leases nor the order of the two devices count.
 */
function computeKey({ places, lock, now, wrong }: Node): string {
  const open = places.find(({ lease }) => !isOver(lease));
  const each = places.map(({ lease, isBegun, running, call }) => {
    const { leaseId, owner, state, eposLocked, openPayments, expiresAt } = lease;
    const isOld = now >= expiresAt.getTime();
    const device = isOver(lease) || owner === open?.lease.owner;
    return [
      state,
      device,
      eposLocked,
      openPayments,
      isOver(lease) || isOld,
      isBegun,
      running,
      call,
      lock === leaseId,
    ].join();
  });
  const isLeft = lock !== null && lock !== EPOS && places.every(({ lease }) => lease.leaseId !== lock);
  return JSON.stringify([each.sort(), lock === null || lock === EPOS ? lock : isLeft, wrong]);
}

function findPath(key: string, comesFrom: ReadonlyMap<string, { key: string; name: string }[]>): string {
  const names: string[] = [];
  for (let at = key; at !== FIRST_KEY;) {
    const [way] = comesFrom.get(at) ?? [];
    if (way === undefined) break;
    names.unshift(way.name);
    at = way.key;
  }
  return names.join(', ');
}

const FIRST: Node = { places: [], lock: null, now: START, wrong: null };
const FIRST_KEY = computeKey(FIRST);

import type { TerminalId } from './identity.js';
import { zero } from './money.js';
import { step } from './table-payment-step.js';
import { askedElsewhere, certaintyWanted, moveOn, startTablePayment, type TablePayment } from './table-payment.js';

/** What decides where a moving payment goes on; a test puts a wrong one in its place. */
export interface MoveRules {
  readonly moveOn: typeof moveOn;
  readonly askedElsewhere: typeof askedElsewhere;
  readonly certaintyWanted: typeof certaintyWanted;
}
export const MOVE_RULES: MoveRules = { moveOn, askedElsewhere, certaintyWanted };

/** A card session of the intent, as we know it and as it is at the acquirer. */
interface CardSession {
  readonly on: TerminalId;
  /** `taking`: a card is in, so it can no longer be called off. */
  readonly status: 'asking' | 'cancelRequested' | 'taking' | 'canceled' | 'declined' | 'expired' | 'approved';
  readonly reversal: 'none' | 'ordered' | 'made';
  /** The acquirer holds the guest's money under its reference. */
  readonly isHeld: boolean;
}

interface Node {
  readonly payment: TablePayment;
  readonly sessions: readonly CardSession[];
}

interface Edge {
  readonly name: string;
  readonly to: Node;
}

const NOW = new Date('2026-03-01T12:00:00Z');
const MACHINES = ['tm_one', 'tm_two'] as const satisfies TerminalId[];
const SESSIONS_MAX = 4;
const OVER: ReadonlySet<CardSession['status']> = new Set(['canceled', 'declined', 'expired', 'approved']);

/**
 * Walks every state that a payment and its card sessions on two machines can reach: moves and cancels at any time, machines
 * that are cut off from us or from the acquirer, declined cards, and reversals that are ordered and wait. Each edge is one
 * transaction or one act of the world, so a process that is killed anywhere leaves one of these states.
 */
export function exploreMoves(rules: MoveRules): { readonly states: number; readonly violations: readonly string[] } {
  const first = beginning();
  const nodes = new Map([[JSON.stringify(first), first]]);
  const comesFrom = new Map<string, string[]>();
  const violations = new Set<string>();
  const queue = [first];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const key = JSON.stringify(node);
    for (const problem of problemsOf(node)) violations.add(problem);
    for (const { to } of edgesOf(rules, node)) {
      const toKey = JSON.stringify(to);
      comesFrom.set(toKey, [...(comesFrom.get(toKey) ?? []), key]);
      if (nodes.has(toKey)) continue;
      nodes.set(toKey, to);
      queue.push(to);
    }
  }
  if (lost(nodes, comesFrom) > 0) violations.add('no way to an end');
  return { states: nodes.size, violations: [...violations] };
}

function beginning(): Node {
  const none = zero('GBP');
  const { payment } = startTablePayment(
    {
      ...{ id: 'payment-1', origin: 'journey', journeyId: 'journey-1', leaseId: 'lease-1', sessionId: 'session-1' },
      ...{ orderId: null, intentId: 'pi_one' },
      ...{ base: none, gratuity: none, cashback: none, paidBefore: none },
    },
    NOW,
  );
  return { payment, sessions: [asking(MACHINES[0])] };
}

function asking(on: TerminalId): CardSession {
  return { on, status: 'asking', reversal: 'none', isHeld: false };
}

/** What must never be true of any state on the way. */
function problemsOf({ payment, sessions }: Node): string[] {
  const able = sessions.filter(mayHoldMoney);
  const isUncared = sessions.some(({ isHeld, reversal, status }) => {
    return isHeld && reversal === 'none' && OVER.has(status) && status !== 'approved';
  });
  const isApproved = sessions.some(({ status }) => status === 'approved');
  const rules: Record<string, boolean> = {
    'two machines may hold the money': able.length > 1,
    'ended, and money is held that nobody reverses': payment.state === 'Ended' && (isUncared || isApproved),
    'approved without money': payment.state === 'Approved' && !isApproved,
    'ended and asked for elsewhere': payment.state === 'Ended' && payment.movingTo !== null,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function mayHoldMoney({ isHeld, status, reversal }: CardSession): boolean {
  return isHeld || !OVER.has(status) || (status === 'expired' && reversal !== 'made');
}

function edgesOf(rules: MoveRules, node: Node): Edge[] {
  const { payment, sessions } = node;
  const edges = sessions.flatMap((session, index) =>
    actsOf(session).map(([name, after]): Edge => ({ name, to: { payment, sessions: sessions.with(index, after) } })),
  );
  if (payment.state !== 'Started') return edges;
  return [...edges, ...commandsOn(node), { name: 'looked at', to: looked(rules, node) }];
}

/** What machine, acquirer and worker do with a session. */
function actsOf(session: CardSession): [string, CardSession][] {
  const { status, reversal, isHeld } = session;
  const acts: [string, CardSession][] = [];
  const isAtWork = !OVER.has(status);
  const reaches = isAtWork || (status === 'expired' && reversal !== 'made');
  if (reaches && !isHeld) acts.push(['acquirer approves', { ...session, isHeld: true }]);
  if (isAtWork) acts.push(['window passes', { ...session, status: 'expired' }]);
  if (status === 'asking') acts.push(['card is in', { ...session, status: 'taking' }]);
  if (isAtWork && isHeld) acts.push(['machine says approved', { ...session, status: 'approved' }]);
  if (isAtWork && !isHeld) acts.push(['machine says declined', { ...session, status: 'declined' }]);
  if (status === 'cancelRequested' && !isHeld) acts.push(['machine says canceled', { ...session, status: 'canceled' }]);
  if (status === 'expired' && reversal === 'none') {
    acts.push(['reversal ordered', { ...session, reversal: 'ordered' }]);
    if (isHeld) acts.push(['acquirer tells of the approval', { ...session, status: 'approved' }]);
  }
  if (reversal === 'ordered') acts.push(['reversal made', { ...session, reversal: 'made', isHeld: false }]);
  return acts;
}

function commandsOn({ payment, sessions }: Node): Edge[] {
  const session = sessions.at(-1);
  if (session === undefined) return [];
  const stopped: CardSession = { ...session, status: 'cancelRequested' };
  const calledOff = session.status === 'asking' ? sessions.with(-1, stopped) : sessions;
  const isMoving = payment.movingTo !== null;
  const edges: Edge[] = [];
  if (isMoving || session.status === 'asking') {
    edges.push({ name: 'called off', to: { payment: { ...payment, movingTo: null }, sessions: calledOff } });
  }
  for (const movingTo of MACHINES.filter((machine) => isMoving || machine !== session.on)) {
    if (sessions.length >= SESSIONS_MAX || !(isMoving || session.status === 'asking')) continue;
    edges.push({ name: `moved to ${movingTo}`, to: { payment: { ...payment, movingTo }, sessions: calledOff } });
  }
  return edges;
}

/** The payment as it is after a look at its card, which is one transaction. */
function looked(rules: MoveRules, { payment, sessions }: Node): Node {
  if (sessions.some(({ status }) => status === 'approved')) {
    const approved = { kind: 'approved', message: new Uint8Array(1), mustLock: false } as const;
    return { payment: step(payment, approved, NOW).payment, sessions };
  }
  const session = sessions.at(-1);
  if (session === undefined || !OVER.has(session.status)) return { payment, sessions };
  const wanted = rules.certaintyWanted(payment);
  const isOwed = session.reversal === 'none' || (session.reversal === 'ordered' && wanted === 'reversalMade');
  if (session.status === 'expired' && isOwed) return { payment, sessions };
  const reason = REASONS[session.status] ?? 'declined';
  const ended = { kind: 'ended', reason } as const;
  const to = rules.moveOn(payment, ended);
  if (to === null) return { payment: step(payment, ended, NOW).payment, sessions };
  return { payment: rules.askedElsewhere(payment, `ts_${sessions.length}`, NOW), sessions: [...sessions, asking(to)] };
}

const REASONS: Partial<Record<CardSession['status'], 'cancelled' | 'expired'>> = {
  canceled: 'cancelled',
  expired: 'expired',
};

/** How many states there are from which the payment comes to no end. */
function lost(nodes: ReadonlyMap<string, Node>, comesFrom: ReadonlyMap<string, readonly string[]>): number {
  const found = new Set([...nodes].filter(([, { payment }]) => payment.state !== 'Started').map(([key]) => key));
  const queue = [...found];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const from of comesFrom.get(key) ?? []) {
      if (!found.has(from)) queue.push(from);
      found.add(from);
    }
  }
  return nodes.size - found.size;
}

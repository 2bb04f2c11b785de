import type { AuthorisationState } from '@pos/core/acquirer-calls';
import type { TerminalId } from '@pos/core/identity';
import { takePart, applyPaymentState, type Journey, startJourney } from '@pos/core/journeys';
import { money, zeroMoney } from '@pos/core/money';
import { Refusal } from '@pos/core/refusals';
import {
  isMoneyCertain,
  movePayment,
  requestElsewhere,
  startTablePayment,
  stepTablePayment,
  type TablePayment,
} from '@pos/core/tables';

/** The rules that decide when and where a card is requested next; a test replaces one with a wrong one. */
export interface MoveRules {
  readonly movePayment: typeof movePayment;
  readonly requestElsewhere: typeof requestElsewhere;
  readonly isMoneyCertain: (authorisations: AuthorisationState, payment: TablePayment) => boolean;
  readonly takePart: typeof takePart;
}
export const MOVE_RULES: MoveRules = { movePayment, requestElsewhere, isMoneyCertain, takePart };

/** A card session of the intent, in our books and at the acquirer. */
interface CardSession {
  readonly on: TerminalId;
  /** `taking`: a card is in, so the session can no longer be cancelled. */
  readonly status: 'asking' | 'cancelRequested' | 'taking' | 'canceled' | 'declined' | 'expired' | 'approved';
  readonly reversal: 'none' | 'ordered' | 'made';
  /** The acquirer holds the payer's money under its reference. */
  readonly isHeld: boolean;
}

interface Node {
  readonly journey: Journey;
  readonly payment: TablePayment;
  readonly sessions: readonly CardSession[];
  /** Card sessions of the part before that can still have an effect. */
  readonly earlier: readonly CardSession[];
}

interface Edge {
  readonly name: string;
  readonly to: Node;
}

const NOW = new Date('2026-03-01T12:00:00Z');
const MACHINES = ['tm_one', 'tm_two'] as const satisfies TerminalId[];
/** How many card sessions a part may have, and the part after it. */
const SESSIONS_MAX: Readonly<Record<string, number>> = { 'payment-1': 4, 'payment-2': 2 };
const TWO_HOLD = 'two machines may hold the money';
const OVER: ReadonlySet<CardSession['status']> = new Set(['canceled', 'declined', 'expired', 'approved']);

/**
 * Walks every state that a payment and its card sessions on two machines can reach, and the payment that is
 * requested at any time beside or after it: moves and cancels at any time, machines that lose the connection to us
 * or to the acquirer, declined cards, refused signatures, and reversals that are ordered and wait. Each edge is one
 * transaction or one external event, so a process that is killed anywhere leaves one of these states.
 */
export function exploreMoves(rules: MoveRules): { readonly states: number; readonly violations: readonly string[] } {
  const first = createInitialNode();
  const nodes = new Map([[JSON.stringify(first), first]]);
  const comesFrom = new Map<string, string[]>();
  const violations = new Set<string>();
  const queue = [first];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const key = JSON.stringify(node);
    const problems = findProblems(node);
    for (const problem of problems) violations.add(problem);
    // No worse state can follow.
    if (problems.includes(TWO_HOLD)) continue;
    for (const { to } of listEdges(rules, node)) {
      const toKey = JSON.stringify(to);
      comesFrom.set(toKey, [...(comesFrom.get(toKey) ?? []), key]);
      if (nodes.has(toKey)) continue;
      nodes.set(toKey, to);
      queue.push(to);
    }
  }
  if (violations.size === 0 && countDeadEnds(nodes, comesFrom) > 0) violations.add('no way to an end');
  return { states: nodes.size, violations: [...violations] };
}

function createInitialNode(): Node {
  const none = zeroMoney('GBP');
  const bill = { sessionId: 'session-1', total: money(4_000, 'GBP'), paid: none, tax: none, serviceCharge: null };
  const journey = startJourney(
    {
      ...{ id: 'journey-1', sessionId: 'session-1', sessionName: 'Table 4', leaseId: 'lease-1', owner: '1' },
      ...{ tableName: null, requestor: { type: 'cardMachine', terminalId: '1', waiterId: 7 }, paidShares: [] },
      bill: { ...bill, items: [], note: null },
    },
    NOW,
  );
  return takePayment(MOVE_RULES, { journey, earlier: [] }, { paymentId: 'payment-1', on: MACHINES[0] });
}

/** TakePayment; throws what the journey refuses. */
function takePayment(
  { takePart: choose }: MoveRules,
  from: Pick<Node, 'journey' | 'earlier'>,
  { paymentId, on }: { readonly paymentId: string; readonly on: TerminalId },
): Node {
  const { journey, amount: base } = choose(from.journey, { paymentId, request: { mode: 'FULL' } }, NOW);
  const none = zeroMoney('GBP');
  const { payment } = startTablePayment(
    {
      ...{ id: paymentId, origin: 'journey', journeyId: 'journey-1', leaseId: 'lease-1', sessionId: 'session-1' },
      ...{ orderId: null, intentId: 'pi_one' },
      ...{ base, gratuity: none, cashback: none, paidBefore: none },
    },
    NOW,
  );
  return { journey, payment, sessions: [createCardSession(on)], earlier: from.earlier };
}

function createCardSession(on: TerminalId): CardSession {
  return { on, status: 'asking', reversal: 'none', isHeld: false };
}

/** Conditions that must never hold in any state of a path. */
function findProblems({ journey, payment, sessions, earlier }: Node): string[] {
  const able = [...earlier, ...sessions].filter(mayHoldMoney);
  const isUncared = sessions.some(({ isHeld, reversal, status }) => {
    return isHeld && reversal === 'none' && OVER.has(status) && status !== 'approved';
  });
  const isApproved = sessions.some(({ status }) => status === 'approved');
  const rules: Record<string, boolean> = {
    [TWO_HOLD]: able.length > 1,
    'ended, and money is held without a reversal': payment.state === 'Ended' && (isUncared || isApproved),
    'approved without money': payment.state === 'Approved' && !isApproved,
    'ended, and the acquirer may hold money': payment.state === 'Ended' && able.length > 0,
    'free for a part while one is undecided': journey.state === 'OPEN' && payment.state === 'Started',
    'ended and asked for elsewhere': payment.state === 'Ended' && payment.movingTo !== null,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function mayHoldMoney({ isHeld, status, reversal }: CardSession): boolean {
  return isHeld || !OVER.has(status) || (status === 'expired' && reversal !== 'made');
}

function listEdges(rules: MoveRules, node: Node): Edge[] {
  const { sessions, earlier } = node;
  const edges = [
    ...sessions.flatMap((session, index) =>
      listSessionActions(session).map(([name, after]): Edge => ({
        name,
        to: { ...node, sessions: sessions.with(index, after) },
      })),
    ),
    ...earlier.flatMap((session, index) =>
      listSessionActions(session).map(([name, after]): Edge => ({
        name,
        to: { ...node, earlier: earlier.with(index, after) },
      })),
    ),
    ...listRetakeEdges(rules, node),
  ];
  if (node.payment.state !== 'Started') return edges;
  return [...edges, ...listCommandEdges(node), { name: 'looked at', to: applyLook(rules, node) }];
}

/** The waiter requests a card once more, on any machine and at any time. */
function listRetakeEdges(rules: MoveRules, { journey, payment, sessions }: Node): Edge[] {
  if (payment.id !== 'payment-1') return [];
  const earlier = sessions.filter((session) => mayHoldMoney(session) || session.reversal === 'ordered');
  try {
    return MACHINES.map((on) => ({
      name: `taken again on ${on}`,
      to: takePayment(rules, { journey, earlier }, { paymentId: 'payment-2', on }),
    }));
  } catch (refused) {
    if (refused instanceof Refusal) return [];
    throw refused;
  }
}

/** The actions of machine, acquirer and worker on a session. */
function listSessionActions(session: CardSession): [string, CardSession][] {
  const { status, reversal, isHeld } = session;
  const acts: [string, CardSession][] = [];
  const isAtWork = !OVER.has(status);
  const reaches = isAtWork || (status === 'expired' && reversal !== 'made');
  if (reaches && !isHeld) acts.push(['acquirer approves', { ...session, isHeld: true }]);
  if (isAtWork) acts.push(['window passes', { ...session, status: 'expired' }]);
  if (status === 'asking') acts.push(['card is in', { ...session, status: 'taking' }]);
  if (isAtWork && isHeld) acts.push(['machine reports approved', { ...session, status: 'approved' }]);
  if (isAtWork && !isHeld) acts.push(['machine reports declined', { ...session, status: 'declined' }]);
  if (isAtWork && isHeld) acts.push(['signature refused', { ...session, status: 'declined', reversal: 'ordered' }]);
  if (status === 'cancelRequested' && !isHeld)
    acts.push(['machine reports canceled', { ...session, status: 'canceled' }]);
  if (status === 'expired' && reversal === 'none') {
    acts.push(['reversal ordered', { ...session, reversal: 'ordered' }]);
    if (isHeld) acts.push(['acquirer reports the approval', { ...session, status: 'approved' }]);
  }
  if (reversal === 'ordered') acts.push(['reversal made', { ...session, reversal: 'made', isHeld: false }]);
  return acts;
}

function listCommandEdges(node: Node): Edge[] {
  const { payment, sessions } = node;
  const session = sessions.at(-1);
  if (session === undefined) return [];
  const stopped: CardSession = { ...session, status: 'cancelRequested' };
  const calledOff = session.status === 'asking' ? sessions.with(-1, stopped) : sessions;
  const isMoving = payment.movingTo !== null;
  const edges: Edge[] = [];
  if (isMoving || session.status === 'asking') {
    edges.push({ name: 'cancelled', to: { ...node, payment: { ...payment, movingTo: null }, sessions: calledOff } });
  }
  for (const movingTo of MACHINES.filter((machine) => isMoving || machine !== session.on)) {
    if (sessions.length >= (SESSIONS_MAX[payment.id] ?? 0) || !(isMoving || session.status === 'asking')) continue;
    edges.push({
      name: `moved to ${movingTo}`,
      to: { ...node, payment: { ...payment, movingTo }, sessions: calledOff },
    });
  }
  return edges;
}

/** The payment after its card was read, which is one transaction that also updates the journey. */
function applyLook(rules: MoveRules, node: Node): Node {
  const { payment, sessions } = node;
  if (sessions.some(({ status }) => status === 'approved')) {
    const approved = { kind: 'approved', message: new Uint8Array(1), mustLock: false } as const;
    return applyPayment(node, stepTablePayment(payment, approved, NOW).payment);
  }
  const session = sessions.at(-1);
  if (session === undefined || !OVER.has(session.status)) return node;
  if (!rules.isMoneyCertain(findAuthorisationState(sessions), payment)) return node;
  const reason = REASONS[session.status] ?? 'declined';
  const ended = { kind: 'ended', reason } as const;
  const to = rules.movePayment(payment, ended);
  if (to === null) return applyPayment(node, stepTablePayment(payment, ended, NOW).payment);
  const asked = rules.requestElsewhere(payment, `ts_${sessions.length}`, NOW);
  return { ...node, payment: asked, sessions: [...sessions, createCardSession(to)] };
}

function applyPayment(node: Node, payment: TablePayment): Node {
  return { ...node, payment, journey: applyPaymentState(node.journey, payment, NOW) };
}

/**
 * The state according to the rows of the calls: a report that ends a session also ends its call, unless that was
 * reversed.
 */
function findAuthorisationState(sessions: readonly CardSession[]): AuthorisationState {
  const isOpen = sessions.some(({ status, reversal }) => {
    return reversal === 'none' && (!OVER.has(status) || status === 'expired');
  });
  if (isOpen) return 'open';
  return sessions.some(({ reversal }) => reversal === 'ordered') ? 'beingReversed' : 'settled';
}

const REASONS: Partial<Record<CardSession['status'], 'cancelled' | 'expired'>> = {
  canceled: 'cancelled',
  expired: 'expired',
};

/** The number of states from which the payment cannot end. */
function countDeadEnds(nodes: ReadonlyMap<string, Node>, comesFrom: ReadonlyMap<string, readonly string[]>): number {
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

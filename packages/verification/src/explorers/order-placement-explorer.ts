import { isPlacementPending, type PlacementFact, type PlacementStep } from '@pos/core/testing';
import { money, zeroMoney } from '@pos/core/money';
import {
  isPlacementFinal,
  type OrderPlacement,
  type PlacementAnswer,
  PLACEMENT_MOVES,
  type PlacementCall,
  type PlacementInput,
  type PlacementState,
  submitOrder,
} from '@pos/core/orders';
import { Refusal } from '@pos/core/refusals';
import { type Edge, walkStates } from './state-walk.js';
import type { OperatorAction } from '@pos/core/tables';

export type StepPlacement = (placement: OrderPlacement, input: PlacementInput, now: Date) => PlacementStep;

interface PlacementEnvironment {
  /** The order at the EPOS; it may have a status that the contract does not have. */
  readonly order: 'none' | 'undecided' | 'standing' | 'cancelled';
  /** A CreateOrder call was sent at this time, had no answer and may still arrive. */
  readonly lateSince: number | null;
  readonly money: 'notHeld' | 'held' | 'captured' | 'gone';
}

interface Node {
  readonly placement: OrderPlacement;
  readonly world: PlacementEnvironment;
  readonly now: number;
  /** The running call of the runner. */
  readonly call: PlacementCall | null;
}

export interface PlacementExploration {
  readonly states: number;
  readonly violations: readonly string[];
  readonly reached: ReadonlySet<PlacementState>;
}

const START = Date.parse('2026-03-01T12:00:00Z');
/** A runner is replaced after its lease and the longest call; by then none of its calls is running. */
const TAKEOVER_MS = 60_000;
const CALL_LIMIT_MS = 30_000;
const OUTAGE_MS = 25 * 60 * 60 * 1000;
const TOTAL = money(4_000, 'GBP');
const ORDER_ID = 'order-1';

/** Whether the EPOS has registered that it can cancel orders, and whether two orders under one id are one. */
export const EPOS_KINDS = [
  { canCancel: true, refusesAgain: false },
  { canCancel: true, refusesAgain: true },
  { canCancel: false, refusesAgain: false },
] as const;
export type EposKind = (typeof EPOS_KINDS)[number];

/**
 * Walks every state that a placement can reach together with a model of its environment: an EPOS that makes the
 * order, refuses, loses answers and receives calls late, an acquirer that refuses and loses answers, a hold that
 * ends, runners that are killed before and after each call, and operators who look before they decide. Returns the
 * violations, each with its path.
 */
export function explorePlacement(machine: StepPlacement, epos: EposKind, until?: RegExp): PlacementExploration {
  const { nodes, violations } = walkStates<Node>({
    first: createInitialNode(),
    computeKey,
    findProblems,
    listEdges: (node) => listEdges({ machine, epos }, node),
    isEnd: ({ placement }) => isPlacementFinal(placement),
    until,
    findEdgeProblems: (from, { name, to }) => findEdgeProblems(from, name, to),
  });
  return { states: nodes.length, violations, reached: new Set(nodes.map(({ placement }) => placement.state)) };
}

function findEdgeProblems(from: Node, name: string, to: Node): string[] {
  const { placement, call } = from;
  const isListed = isListedMove(placement, to.placement);
  const isAsked = to.call === 'place' && call !== 'place';
  return [
    ...(isListed ? [] : [`unlisted move from ${placement.state} to ${to.placement.state} by ${name}`]),
    ...(isAsked && (isGoingBack(placement) || to.world.money !== 'held')
      ? [`an order requested without money by ${name}`]
      : []),
    ...(isAsked && to.placement.orderId !== null ? [`an order requested that the EPOS has answered by ${name}`] : []),
  ];
}

function isListedMove({ state: from }: OrderPlacement, { state: to }: OrderPlacement): boolean {
  const listed: readonly PlacementState[] = PLACEMENT_MOVES[from];
  return from === to || listed.includes(to);
}

function createInitialNode(): Node {
  const placement = submitOrder({ id: 'so-1', intentId: 'pi_one', order: {}, total: TOTAL }, new Date(START));
  return { placement, world: { order: 'none', lateSince: null, money: 'notHeld' }, now: START, call: null };
}

/** Conditions that must never hold in any state of a path. */
function findProblems({ placement, world, call }: Node): string[] {
  const { state, dueAt } = placement;
  const mayStand = world.order === 'standing' || world.order === 'undecided' || world.lateSince !== null;
  const isWaitingForMoney = state === 'Waiting';
  const rules: Record<string, boolean> = {
    'captured without an order': world.money === 'captured' && world.order === 'none' && state === 'Completed',
    'money captured before the order exists': call === 'capture' && world.order !== 'standing',
    'closed as completed without that being all':
      state === 'Completed' && (world.money !== 'captured' || world.order !== 'standing'),
    'given back while the order may exist, without an alarm':
      state === 'GivenBack' && mayStand && !placement.mayOrderStand,
    'closed as given back with money kept': state === 'GivenBack' && world.money !== 'gone',
    'closed as unpaid with money held': state === 'Ended' && world.money !== 'notHeld',
    'closed as unpaid with an order made': state === 'Ended' && mayStand,
    'released the money of an existing order, with time left to capture it':
      call === 'giveBack' && mayStand && !placement.mayOrderStand,
    'stalls: no call, no wake': call === null && dueAt === null && !isPlacementFinal(placement) && !isWaitingForMoney,
    'held and on no list': world.money === 'held' && !isWaitingForMoney && !isPlacementPending(placement),
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function isGoingBack({ state, isHoldEnding }: OrderPlacement): boolean {
  return isHoldEnding || state === 'Cancelling' || state === 'GivingBack' || state === 'GivenBack';
}

interface ExploredPlacement {
  readonly machine: StepPlacement;
  readonly epos: EposKind;
}

function listEdges(explored: ExploredPlacement, node: Node): Edge<Node>[] {
  const { placement, world, now, call } = node;
  if (placement.state === 'Waiting') return listPayerEdges(explored, node);
  const edges = call === null ? listWaitingEdges(explored, node) : callEdges(explored, node, call);
  if (world.lateSince !== null) {
    edges.push({ name: 'arrives late', to: { ...node, world: { ...world, order: 'standing', lateSince: null } } });
  }
  if (world.order === 'undecided') {
    edges.push({ name: 'the EPOS accepts the order', to: { ...node, world: { ...world, order: 'standing' } } });
    edges.push({ name: 'the EPOS refuses the order', to: { ...node, world: { ...world, order: 'cancelled' } } });
  }
  // These inputs are independent of the runner and do not end its running call.
  const asides: PlacementInput[] = [{ kind: 'reconnected' }, { kind: 'retryNow' }];
  if (!placement.isHoldEnding) asides.push({ kind: 'holdEnding' });
  for (const input of asides)
    edges.push(...besideCall(applyInput({ ...explored, node }, input, { world, at: now }), call));
  if (placement.isHoldEnding && world.money === 'held' && call !== 'capture' && call !== 'giveBack') {
    const gone: PlacementEnvironment = { ...world, money: 'gone' };
    edges.push(...besideCall(applyInput({ ...explored, node }, { kind: 'moneyGone' }, { world: gone, at: now }), call));
  }
  for (const action of ['markRecorded', 'giveBack'] as const) edges.push(...listOperatorEdges(explored, node, action));
  return edges;
}

/** The payer pays, pays something else, or never does. */
function listPayerEdges(explored: ExploredPlacement, node: Node): Edge<Node>[] {
  const held: PlacementEnvironment = { ...node.world, money: 'held' };
  return [
    ...applyInput(
      { ...explored, node },
      { kind: 'authorised', gratuity: zeroMoney('GBP') },
      { world: held, at: node.now },
    ),
    ...applyInput({ ...explored, node }, { kind: 'unusable' }, { world: held, at: node.now }),
    ...applyInput({ ...explored, node }, { kind: 'unpaid' }, { world: node.world, at: node.now }),
  ];
}

function besideCall(edges: readonly Edge<Node>[], call: PlacementCall | null): Edge<Node>[] {
  return edges.map(({ name, to }) => ({ name, to: { ...to, call } }));
}

function listWaitingEdges(explored: ExploredPlacement, node: Node): Edge<Node>[] {
  const { dueAt } = node.placement;
  if (dueAt === null) return [];
  const due = Math.max(node.now, dueAt.getTime());
  const { world } = node;
  return [due, due + OUTAGE_MS].flatMap((at) => applyInput({ ...explored, node }, { kind: 'due' }, { world, at }));
}

/** An order is never made by money that is not held here. */
type PlacementAction = Exclude<OperatorAction, 'markNotHeld'>;

/**
 * Operators look first, while no call is running: they make the order by hand, or remove it before they give back.
 */
function listOperatorEdges(explored: ExploredPlacement, node: Node, kind: PlacementAction): Edge<Node>[] {
  const { world, now, call, placement } = node;
  if (call !== null) return [];
  // If we have the id of the order, the placement itself cancels it.
  const isCancelledByUs =
    placement.state === 'Placed' || (placement.state === 'PlaceUnknown' && placement.orderId !== null);
  const arranged: Record<PlacementAction, PlacementEnvironment> = {
    markRecorded: { ...world, order: 'standing', lateSince: null },
    giveBack: isCancelledByUs || world.order === 'none' ? { ...world, lateSince: null } : removeOrder(world),
    retryNow: world,
  };
  return applyInput({ ...explored, node }, { kind }, { world: arranged[kind], at: now });
}

function removeOrder(world: PlacementEnvironment): PlacementEnvironment {
  return { ...world, order: 'cancelled', lateSince: null };
}

function callEdges(explored: ExploredPlacement, node: Node, call: PlacementCall): Edge<Node>[] {
  const { world, now } = node;
  const edges: Edge<Node>[] = [{ name: `killed before ${call}`, to: takeOver(node, world) }];
  for (const result of listResults(explored.epos, node, call)) {
    edges.push({ name: `${call} done, killed`, to: takeOver(node, result.world) });
    edges.push(...applyInput({ ...explored, node }, result.input, { world: result.world, at: now }));
  }
  return edges;
}

/** The due row of a killed runner is claimed again, in any stored state. */
function takeOver(node: Node, world: PlacementEnvironment): Node {
  const now = node.now + TAKEOVER_MS;
  const isOver = isPlacementFinal(node.placement);
  const placement = isOver ? node.placement : { ...node.placement, dueAt: new Date(now) };
  return { placement, world: ageWorld(world, now), now, call: null };
}

interface Result {
  readonly world: PlacementEnvironment;
  readonly input: PlacementInput;
}

function listResults(epos: EposKind, { world, now }: Node, call: PlacementCall): Result[] {
  const same = (...kinds: PlacementFact[]): Result[] => kinds.map((kind) => ({ world, input: { kind } }));
  switch (call) {
    case 'place':
      return listPlaceResults(epos, world, now);
    case 'look':
      if (world.order === 'standing') {
        return [{ world, input: { kind: 'orderFound', orderId: ORDER_ID } }, ...same('orderUnreadable')];
      }
      return world.order === 'undecided'
        ? [{ world, input: { kind: 'orderUndecided', orderId: ORDER_ID } }, ...same('orderUnreadable')]
        : same(world.order === 'cancelled' ? 'orderOver' : 'orderAbsent', 'orderUnreadable');
    case 'capture': {
      if (world.money === 'gone') return same('moneyGone');
      const captured: PlacementEnvironment = { ...world, money: 'captured' };
      const done: Result[] = [
        { world: captured, input: { kind: 'captured' } },
        { world: captured, input: { kind: 'captureUnanswered' } },
      ];
      return world.money === 'captured' ? done : [...done, ...same('captureRefused', 'captureUnanswered')];
    }
    case 'cancelOrder': {
      if (!epos.canCancel) return same('cancelRefused');
      const cancelled: PlacementEnvironment = { ...world, order: world.order === 'none' ? 'none' : 'cancelled' };
      const done: Result[] = [
        { world: cancelled, input: { kind: 'orderCancelled' } },
        { world: cancelled, input: { kind: 'cancelUnanswered' } },
      ];
      return [...done, ...same('cancelRefused', 'cancelUnanswered')];
    }
    case 'giveBack': {
      const gone: PlacementEnvironment = { ...world, money: 'gone' };
      const done: Result[] = [
        { world: gone, input: { kind: 'givenBack' } },
        { world: gone, input: { kind: 'giveBackUnanswered' } },
      ];
      return world.money === 'gone' ? done : [...done, ...same('giveBackUnanswered', 'giveBackRefused')];
    }
  }
}

function listPlaceResults(epos: EposKind, world: PlacementEnvironment, now: number): Result[] {
  const answered = (after: PlacementEnvironment, answer: PlacementAnswer): Result => ({
    world: after,
    input: { kind: 'placeAnswered', answer },
  });
  const silences = [
    answered(world, { outcome: 'NoAnswer' }),
    answered(world, { outcome: 'UnexpectedError' }),
    answered(world, { outcome: 'NotSent' }),
    answered(world, { outcome: 'CredentialsRefused' }),
  ];
  const refusals = (['NotFound', 'Conflict', 'InvalidRequest'] as const).map((outcome) => answered(world, { outcome }));
  const success = { outcome: 'Success', orderId: ORDER_ID } as const;
  if (world.order === 'standing') {
    // An EPOS that has the id answers with the order, or with a conflict.
    return [...silences, epos.refusesAgain ? answered(world, { outcome: 'Conflict' }) : answered(world, success)];
  }
  const undecided = { outcome: 'Undecided', orderId: ORDER_ID } as const;
  if (world.order === 'undecided') {
    return [...silences, epos.refusesAgain ? answered(world, { outcome: 'Conflict' }) : answered(world, undecided)];
  }
  if (world.order === 'cancelled') return [...silences, answered(world, { outcome: 'Rejected' })];
  const made: PlacementEnvironment = { ...world, order: 'standing', lateSince: null };
  return [
    ...silences,
    ...refusals,
    answered(made, success),
    answered({ ...made, order: 'undecided' }, undecided),
    answered({ ...made, order: 'undecided' }, { outcome: 'NoAnswer' }),
    answered(made, { outcome: 'NoAnswer' }),
    answered(made, { outcome: 'UnexpectedError' }),
    answered({ ...world, order: 'cancelled', lateSince: null }, { outcome: 'Rejected' }),
    answered({ ...world, lateSince: now }, { outcome: 'NoAnswer' }),
  ];
}

function applyInput(
  { machine, node }: ExploredPlacement & { readonly node: Node },
  input: PlacementInput,
  then: { readonly world: PlacementEnvironment; readonly at: number },
): Edge<Node>[] {
  try {
    const { placement, outputs } = machine(node.placement, input, new Date(then.at));
    const call = outputs.map((output) => output.do).find((what) => what !== 'alarm') ?? null;
    return [{ name: formatInput(input), to: { placement, world: ageWorld(then.world, then.at), now: then.at, call } }];
  } catch (refused) {
    if (refused instanceof Refusal) return [];
    throw refused;
  }
}

function ageWorld(world: PlacementEnvironment, now: number): PlacementEnvironment {
  const isOver = world.lateSince !== null && now - world.lateSince >= CALL_LIMIT_MS;
  return isOver ? { ...world, lateSince: null } : world;
}

/** Two nodes are equal when they have the same continuations: times count only as far as a rule reads them. */
function computeKey({ placement, world, now, call }: Node): string {
  const age = (at: Date | number | null, maxMs: number): number | null =>
    at === null ? null : Math.min(now - Number(at), maxMs);
  const { state, nextStep, isUnanswered, orderId, isHoldEnding, isMoneyGone, mayOrderStand, dueAt } = placement;
  return [
    state,
    nextStep,
    isUnanswered,
    orderId,
    isHoldEnding,
    isMoneyGone,
    mayOrderStand,
    call,
    dueAt === null ? null : Math.max(0, Math.min(dueAt.getTime() - now, 60_000)),
    Math.min(placement.tries, 6),
    age(placement.doubtAt, 60_000),
    isUnanswered ? age(placement.calledAt, 60_000) : null,
    placement.giveBackSince !== null && now - Number(placement.giveBackSince) >= 24 * 60 * 60 * 1000,
    world.order,
    age(world.lateSince, CALL_LIMIT_MS),
    world.money,
  ].join();
}

function formatInput(input: PlacementInput): string {
  return input.kind === 'placeAnswered' ? input.answer.outcome : input.kind;
}

import type { GiveBackCall, GiveBackMove } from '@pos/core/testing';
import { chooseGiveBack, type GiveBackPosition } from '@pos/core/captures-refunds';
import { type Edge, walkStates } from './state-walk.js';

export type Choose = (position: GiveBackPosition) => GiveBackMove;

/** The parts that a test may replace: the choice, and whether a new call gets its own timer. */
export interface GiveBackMachine {
  readonly choose: Choose;
  readonly hasTimers: boolean;
}

interface AcquirerState {
  /** The acquirer's bookings under each reference, answered or not. */
  readonly booked: readonly string[];
  readonly refused: readonly string[];
}

interface Node {
  readonly calls: readonly GiveBackCall[];
  /** References about which a worker inquires, in every state of the payment. */
  readonly timers: readonly string[];
  readonly world: AcquirerState;
  /** The current run: its calls, and the call whose answer it waits for. */
  readonly run: { readonly asked: readonly string[]; readonly waiting: string | null } | null;
  /** The payment is stopped: it was recorded meanwhile, and only an operator moves it. */
  readonly isStopped: boolean;
}

const BASE = 'give-back';
/** After so many refusals the acquirer accepts; more refusals lead to no new states. */
const REFUSALS_MAX = 3;
const REVERSAL = /^rv-/;

export interface GiveBackExploration {
  readonly states: number;
  readonly violations: readonly string[];
}

/**
 * Walks every path of giving one payment back: an acquirer that books, refuses and loses answers, runs that are
 * killed between their steps, workers that inquire about open calls, and a payment that is stopped by a late success
 * of its record.
 */
export function exploreGiveBack(machine: GiveBackMachine, way: GiveBackPosition['way']): GiveBackExploration {
  const first: Node = { calls: [], timers: [], world: { booked: [], refused: [] }, run: null, isStopped: false };
  // A payment that may be stopped always has a path to an end, so each payment is also walked without stops.
  const [whole, undisturbed] = [true, false].map((mayStop) =>
    walkStates<Node>({
      first,
      computeKey: (node) => JSON.stringify(node),
      listEdges: (node) => listEdges(machine, node, way).filter(({ to }) => mayStop || !to.isStopped),
      isEnd: (node) => node.run === null && listOpen(node).length === 0 && (node.isStopped || isReturned(node)),
      findProblems,
      findEdgeProblems: () => [],
    }),
  );
  return {
    states: whole?.nodes.length ?? 0,
    violations: [...(whole?.violations ?? []), ...(undisturbed?.violations ?? [])],
  };
}

function findProblems({ calls, world, timers, run, isStopped }: Node): string[] {
  const open = calls.filter(({ state }) => state !== 'Settled').map(({ reference }) => reference);
  const rules: Record<string, boolean> = {
    'given back twice': world.booked.length > 1,
    'two calls under way at once': open.length > 1,
    'an open call without inquiries': isStopped && run === null && open.some((each) => !timers.includes(each)),
    'a refused reference is asked again': calls.length !== new Set(calls.map(({ reference }) => reference)).size,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function listEdges(machine: GiveBackMachine, node: Node, way: GiveBackPosition['way']): Edge<Node>[] {
  const { run, timers, isStopped } = node;
  const edges: Edge<Node>[] = timers.flatMap((reference) =>
    listAnswerEdges(node, reference).map(({ name, to }) => ({ name: `worker: ${name}`, to })),
  );
  if (run === null) {
    if (isStopped || isReturned(node)) return edges;
    edges.push(...listMoveEdges(machine, { ...node, run: { asked: [], waiting: null } }, way));
    edges.push({ name: 'stopped', to: { ...node, isStopped: true } });
    return edges;
  }
  edges.push({ name: 'killed', to: { ...node, run: null } });
  const { waiting, asked } = run;
  if (waiting === null) return [...edges, ...listMoveEdges(machine, node, way)];
  for (const { name, to } of listAnswerEdges(node, waiting)) {
    const isOpen = to.calls.some(({ reference, state }) => reference === waiting && state !== 'Settled');
    const next = isOpen ? null : { asked: [...asked, waiting], waiting: null };
    edges.push({ name, to: { ...to, run: next } });
  }
  return edges;
}

/** One transaction of a run: it chooses the next move, and writes a call that begins. */
function listMoveEdges({ choose, hasTimers }: GiveBackMachine, node: Node, way: GiveBackPosition['way']): Edge<Node>[] {
  const { run, calls, timers } = node;
  if (run === null) return [];
  const move = choose({ base: BASE, way, calls, reversalUnderWay: null, asked: run.asked });
  switch (move.do) {
    case 'end':
      return [{ name: move.outcome, to: { ...node, run: null } }];
    case 'ask':
      return [{ name: `ask ${move.reference}`, to: { ...node, run: { ...run, waiting: move.reference } } }];
    case 'begin': {
      const { reference, kind } = move;
      const call: GiveBackCall = { reference, kind, state: 'Prepared', outcome: null };
      const to: Node = {
        ...node,
        calls: [...calls, call],
        timers: hasTimers ? [...timers, reference] : timers,
        run: { ...run, waiting: reference },
      };
      return [{ name: `begin ${reference}`, to }];
    }
  }
}

/** The possible results of a call to the acquirer: for a decided reference it repeats its answer. */
function listAnswerEdges(node: Node, reference: string): Edge<Node>[] {
  const { world } = node;
  const lost: Edge<Node> = { name: `${reference} unanswered`, to: node };
  const booked: AcquirerState = { ...world, booked: [...new Set([...world.booked, reference])] };
  const refused: AcquirerState = { ...world, refused: [...new Set([...world.refused, reference])] };
  const asBooked: Edge<Node>[] = [
    { name: `${reference} booked`, to: concludeCall(node, { reference, outcome: 'Approved', world: booked }) },
    { name: `${reference} booked, unanswered`, to: { ...node, world: booked } },
  ];
  const asRefused: Edge<Node>[] = [
    { name: `${reference} refused`, to: concludeCall(node, { reference, outcome: 'Declined', world: refused }) },
    { name: `${reference} refused, unanswered`, to: { ...node, world: refused } },
  ];
  if (world.booked.includes(reference)) return [lost, ...asBooked];
  if (world.refused.includes(reference)) return [lost, ...asRefused];
  const isPatient = world.refused.length < REFUSALS_MAX + (REVERSAL.test(reference) ? 0 : 1);
  return isPatient ? [lost, ...asBooked, ...asRefused] : [lost, ...asBooked];
}

function concludeCall(
  node: Node,
  end: { readonly reference: string; readonly outcome: 'Approved' | 'Declined'; readonly world: AcquirerState },
): Node {
  const { reference, outcome, world } = end;
  const calls = node.calls.map((call): GiveBackCall => {
    return call.reference === reference ? { ...call, state: 'Settled', outcome } : call;
  });
  return { ...node, calls, world, timers: node.timers.filter((each) => each !== reference) };
}

function isReturned({ calls }: Node): boolean {
  return calls.some(({ outcome }) => outcome === 'Approved');
}

function listOpen({ calls }: Node): readonly GiveBackCall[] {
  return calls.filter(({ state }) => state !== 'Settled');
}

/** The service's own rules. */
export const GIVE_BACK_MACHINE: GiveBackMachine = { choose: chooseGiveBack, hasTimers: true };

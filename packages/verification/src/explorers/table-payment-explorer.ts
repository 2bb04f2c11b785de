import { OPERATOR_ACTIONS, type TablePaymentStep } from '@pos/core/testing';
import { add, money, zeroMoney } from '@pos/core/money';
import { Refusal } from '@pos/core/refusals';
import { type Edge, walkStates } from './state-walk.js';
import {
  createRelayedPayment,
  createUnprovedPayment,
  isPending,
  isProofOver,
  isTablePaymentFinal,
  type OperatorAction,
  type RecordAnswer,
  startTablePayment,
  TABLE_PAYMENT_MOVES,
  type TablePayment,
  type TablePaymentInput,
  type TablePaymentOutput,
  type TablePaymentState,
} from '@pos/core/tables';

export type Step = (payment: TablePayment, input: TablePaymentInput, now: Date) => TablePaymentStep;

interface PaymentEnvironment {
  /** The EPOS has booked the payment. */
  readonly booked: boolean;
  /** A record call was sent at this time, had no answer and may still arrive. */
  readonly lateSince: number | null;
  readonly taken: boolean;
  readonly givenBack: boolean;
  /** The card transaction is found. A journey takes its money itself. */
  readonly isProved: boolean;
  /** An intent of ours took the money, and whether it may be returned: by the key of the device, or by an operator. */
  readonly isOurs: boolean;
  readonly mayReturn: boolean;
}

interface Node {
  readonly payment: TablePayment;
  readonly world: PaymentEnvironment;
  readonly now: number;
  /** The running call of the runner. */
  readonly call: TablePaymentOutput | null;
}

export interface Exploration {
  readonly states: number;
  readonly violations: readonly string[];
  readonly reached: ReadonlySet<string>;
}

const START = Date.parse('2026-03-01T12:00:00Z');
/** A runner is replaced after its lease and the longest call; by then none of its calls is running. */
const TAKEOVER_MS = 60_000;
const CALL_LIMIT_MS = 30_000;
const OUTAGE_MS = 25 * 60 * 60 * 1000;
const BASE = money(4_000, 'GBP');
const PAID_BEFORE = money(1_000, 'GBP');
const CALLS: ReadonlySet<string> = new Set([
  'readOutcome',
  'prove',
  'record',
  'lock',
  'readBill',
  'readOrder',
  'giveBack',
]);

const REFUSALS = {
  session: [
    'PAYMENT_NOT_RECORDED',
    'ERROR_PARSE_ERROR',
    'WAITER_INCORRECT_WAITER_ID',
    'SESSION_NO_SUCH_SESSION',
    'SESSION_NOT_LOCKED',
  ],
  order: ['Conflict', 'InvalidRequest', 'NotFound', 'PAYMENT_NOT_RECORDED'],
} as const satisfies Record<string, readonly RecordAnswer[]>;

/**
 * The origin of the payment, whether its EPOS keeps orders, whether the money went through an intent of ours, whether the
 * transaction has to be looked for, and whether the key of the device may return money.
 */
export const VARIANTS = [
  { origin: 'journey', orderId: null, intentId: 'pi_one' },
  { origin: 'journey', orderId: 'order-1', intentId: 'pi_one' },
  { origin: 'device', orderId: null, intentId: 'pi_one' },
  { origin: 'device', orderId: 'order-1', intentId: 'pi_one' },
  { origin: 'device', orderId: null, intentId: null },
  { origin: 'device', orderId: null, intentId: 'pi_one', mayGiveBack: false },
  { origin: 'device', orderId: null, intentId: 'pi_one', isUnproved: true },
  { origin: 'device', orderId: 'order-1', intentId: 'pi_one', isUnproved: true },
  { origin: 'device', orderId: null, intentId: null, isUnproved: true },
] as const satisfies readonly Variant[];
export interface Variant {
  readonly origin: TablePayment['origin'];
  readonly orderId: string | null;
  readonly intentId: TablePayment['intentId'];
  readonly mayGiveBack?: boolean;
  readonly isUnproved?: boolean;
}

/**
 * Walks every state that a payment can reach together with a model of its environment: an EPOS that books, refuses,
 * loses answers and receives calls late, an acquirer that loses answers, runners that are killed before and after
 * each call, and operators who look before they decide. Returns the violations, each with its path.
 */
export function exploreTablePayments(machine: Step, variant: Variant, until?: RegExp): Exploration {
  const { nodes, violations } = walkStates<Node>({
    first: createInitialNode(variant),
    computeKey,
    findProblems,
    listEdges: (node) => listEdges(machine, node),
    isEnd: ({ payment }) => isTablePaymentFinal(payment),
    until,
    findEdgeProblems: ({ payment }, { name, to }) =>
      isListedMove(payment, to.payment) ? [] : [`unlisted move to ${to.payment.state} by ${name}`],
  });
  return { states: nodes.length, violations, reached: new Set(nodes.map(({ payment }) => payment.state)) };
}

function isListedMove({ state: from }: TablePayment, { state: to }: TablePayment): boolean {
  const listed: readonly TablePaymentState[] = TABLE_PAYMENT_MOVES[from];
  return from === to || listed.includes(to);
}

function createInitialNode({ origin, orderId, intentId, mayGiveBack = true, isUnproved = false }: Variant): Node {
  const part = {
    ...{
      id: 'payment-1',
      origin,
      journeyId: 'journey-1',
      leaseId: 'lease-1',
      sessionId: 'session-1',
      orderId,
      intentId,
      mayGiveBack,
    },
    ...{ base: BASE, gratuity: zeroMoney('GBP'), cashback: zeroMoney('GBP'), paidBefore: PAID_BEFORE },
  };
  const taken = origin === 'device';
  const world: PaymentEnvironment = {
    ...{ booked: false, lateSince: null, taken, givenBack: false },
    ...{ isProved: !isUnproved, isOurs: intentId !== null, mayReturn: mayGiveBack },
  };
  const now = new Date(START);
  const createPayment = isUnproved ? createUnprovedPayment : createRelayedPayment;
  const started = origin === 'device' ? createPayment(part, new Uint8Array(1), now) : startTablePayment(part, now);
  return { payment: started.payment, world, now: START, call: null };
}

/** Conditions that must never hold in any state of a path. */
function findProblems({ payment, world, call }: Node): string[] {
  const { state, dueAt } = payment;
  const isOurs = payment.intentId !== null;
  const mayBeBooked = world.booked || world.lateSince !== null;
  const rules: Record<string, boolean> = {
    'given back while a record call may have succeeded': call?.do === 'giveBack' && mayBeBooked,
    'booked and given back': world.booked && world.givenBack,
    'closed as recorded without that being all': state === 'Recorded' && (!world.booked || world.givenBack),
    'closed as given back without that being all': state === 'GivenBack' && (!world.givenBack || mayBeBooked),
    'closed as unpaid with money taken': state === 'Ended' && isOurs && (world.taken || mayBeBooked),
    'closed as not held although booked': state === 'Ended' && !isOurs && mayBeBooked,
    'recorded without a proof': call?.do === 'record' && !world.isProved,
    'given back without the right to': call?.do === 'giveBack' && !world.mayReturn,
    'stalls: no call, no wake, no operator':
      call === null &&
      dueAt === null &&
      !isTablePaymentFinal(payment) &&
      state !== 'NeedsOperator' &&
      !isProofOver(payment),
    'approved and on no list': payment.message !== null && !isTablePaymentFinal(payment) && !isPending(payment),
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function listEdges(machine: Step, node: Node): Edge<Node>[] {
  const edges = node.call === null ? listWaitingEdges(machine, node) : callEdges(machine, node, node.call);
  const { payment, world, now } = node;
  if (world.lateSince !== null) {
    edges.push({ name: 'arrives late', to: { ...node, world: { ...world, booked: true, lateSince: null } } });
  }
  if (payment.state === 'Started' && !world.taken) {
    edges.push({ name: 'card approved', to: { ...node, world: { ...world, taken: true } } });
  }
  // These inputs are independent of the runner and do not end its running call.
  for (const kind of ['reconnected', 'retryNow'] as const) {
    const isWithOperator = payment.state === 'NeedsOperator' || payment.state === 'Unproved';
    const asides = isWithOperator ? [] : applyInput({ machine, node }, { kind }, { world, at: now });
    edges.push(...asides.map(({ name, to }) => ({ name, to: { ...to, call: node.call } })));
  }
  if (payment.state === 'NeedsOperator' || isProofOver(payment))
    edges.push(...OPERATOR_ACTIONS.flatMap((act) => listOperatorEdges(machine, node, act)));
  return edges;
}

function listWaitingEdges(machine: Step, node: Node): Edge<Node>[] {
  const { dueAt } = node.payment;
  if (dueAt === null) return [];
  const due = Math.max(node.now, dueAt.getTime());
  const { world } = node;
  return [due, due + OUTAGE_MS].flatMap((at) => applyInput({ machine, node }, { kind: 'due' }, { world, at }));
}

/** Operators look first: they book by hand what is not booked, or remove the booking before they give back. */
function listOperatorEdges(machine: Step, node: Node, kind: OperatorAction): Edge<Node>[] {
  const { world, now } = node;
  const arranged: Record<OperatorAction, PaymentEnvironment> = {
    markRecorded: { ...world, booked: true, lateSince: null },
    giveBack: { ...world, booked: false, lateSince: null, mayReturn: true },
    retryNow: world,
    markNotHeld: { ...world, booked: false, lateSince: null, taken: false },
  };
  return applyInput({ machine, node }, { kind }, { world: arranged[kind], at: now });
}

function callEdges(machine: Step, node: Node, call: TablePaymentOutput): Edge<Node>[] {
  const { world, now } = node;
  const neverMade: Edge<Node> = { name: `killed before ${call.do}`, to: takeOver(node, world) };
  return listResults(call, node).reduce<Edge<Node>[]>(
    (edges, result) => {
      edges.push({ name: `${call.do} done, killed`, to: takeOver(node, result.world) });
      const answered = { world: result.world, at: now };
      if (result.input !== null) edges.push(...applyInput({ machine, node }, result.input, answered));
      else edges.push({ name: 'nothing new', to: { ...node, world: result.world, call: null } });
      return edges;
    },
    [neverMade],
  );
}

/** The due row of a killed runner is claimed again, in any stored state. */
function takeOver(node: Node, world: PaymentEnvironment): Node {
  const now = node.now + TAKEOVER_MS;
  return { payment: { ...node.payment, dueAt: new Date(now) }, world: ageWorld(world, now), now, call: null };
}

interface Result {
  readonly world: PaymentEnvironment;
  readonly input: TablePaymentInput | null;
}

function listResults(call: TablePaymentOutput, { world, payment, now }: Node): Result[] {
  const same = (...inputs: TablePaymentInput[]): Result[] => inputs.map((input) => ({ world, input }));
  switch (call.do) {
    case 'readOutcome':
      return listOutcomeResults(world);
    case 'prove':
      return [
        ...same({ kind: 'proofMissing' }, { kind: 'proofRefused' }),
        { world: { ...world, isProved: true }, input: { kind: 'proved', intentId: world.isOurs ? 'pi_one' : null } },
      ];
    case 'record':
      return recordResults(world, payment, now);
    case 'lock':
      return same({ kind: 'locked' }, { kind: 'lockRefused' }, { kind: 'lockHeldByOther' }, { kind: 'lockUnanswered' });
    case 'readOrder':
      return same({ kind: world.booked ? 'orderHoldsIntent' : 'orderLacksIntent' }, { kind: 'orderUnreadable' });
    case 'readBill': {
      const paid = world.booked ? add(PAID_BEFORE, BASE) : PAID_BEFORE;
      const paidByOthersToo = add(paid, money(500, 'GBP'));
      return same({ kind: 'billRead', paid }, { kind: 'billRead', paid: paidByOthersToo }, { kind: 'billUnreadable' });
    }
    case 'giveBack': {
      const done: PaymentEnvironment = { ...world, givenBack: true };
      const found: Result[] = [
        { world: done, input: { kind: 'givenBack' } },
        { world: done, input: { kind: 'giveBackUnanswered' } },
      ];
      return world.givenBack ? found : [...found, ...same({ kind: 'giveBackUnanswered' }, { kind: 'giveBackRefused' })];
    }
    case 'createIntentAndSession':
    case 'unlock':
    case 'reportUnsuccessful':
    case 'wakeAt':
    case 'alarm':
    case 'publishJourney':
      return [];
  }
}

function listOutcomeResults(world: PaymentEnvironment): Result[] {
  const taken: PaymentEnvironment = { ...world, taken: true };
  const approved = [true, false].map((mustLock): Result => ({
    world: taken,
    input: { kind: 'approved', message: new Uint8Array(1), mustLock },
  }));
  if (world.taken) return approved;
  return [...approved, { world, input: null }, { world, input: { kind: 'ended', reason: 'declined' } }];
}

function recordResults(world: PaymentEnvironment, payment: TablePayment, now: number): Result[] {
  const refusals = payment.orderId === null ? REFUSALS.session : REFUSALS.order;
  const booked: PaymentEnvironment = { ...world, booked: true };
  const late: PaymentEnvironment = { ...world, lateSince: now };
  const answered = (after: PaymentEnvironment, answer: RecordAnswer): Result => ({
    world: after,
    input: { kind: 'recordAnswered', answer },
  });
  const results = [
    answered(booked, 'Success'),
    answered(booked, 'NoAnswer'),
    answered(booked, 'ERROR_INTERNAL_POS_ERROR'),
    answered(world, 'NoAnswer'),
    answered(world, 'ERROR_INTERNAL_POS_ERROR'),
    answered(world, 'NotSent'),
    answered(world, 'CredentialsRefused'),
    ...refusals.map((refusal) => answered(world, refusal)),
  ];
  return world.booked
    ? [...results, answered(world, 'PAYMENT_ALREADY_RECORDED')]
    : [...results, answered(late, 'NoAnswer')];
}

function applyInput(
  from: { machine: Step; node: Node },
  input: TablePaymentInput,
  then: { world: PaymentEnvironment; at: number },
): Edge<Node>[] {
  try {
    const { payment, outputs } = from.machine(from.node.payment, input, new Date(then.at));
    const call = outputs.find((output) => CALLS.has(output.do)) ?? null;
    return [{ name: formatInput(input), to: { payment, world: ageWorld(then.world, then.at), now: then.at, call } }];
  } catch (refused) {
    if (refused instanceof Refusal) return [];
    throw refused;
  }
}

function ageWorld(world: PaymentEnvironment, now: number): PaymentEnvironment {
  const isOver = world.lateSince !== null && now - world.lateSince >= CALL_LIMIT_MS;
  return isOver ? { ...world, lateSince: null } : world;
}

/** Two nodes are equal when they have the same continuations: times count only as far as a rule reads them. */
function computeKey({ payment, world, now, call }: Node): string {
  const age = (at: Date | number | null, maxMs: number): number | null =>
    at === null ? null : Math.min(now - Number(at), maxMs);
  const { state, nextStep, isUnanswered, lockRounds, intentId } = payment;
  return [
    state,
    nextStep,
    isUnanswered,
    lockRounds,
    intentId,
    call?.do ?? null,
    payment.message !== null,

    payment.dueAt === null ? null : Math.max(0, Math.min(payment.dueAt.getTime() - now, 60_000)),
    Math.min(payment.tries, 6),
    ,
    age(payment.doubtAt, 60_000),
    age(payment.since, state === 'Approved' ? 30_000 : 0),
    age(payment.giveBackSince, 1) !== null && now - Number(payment.giveBackSince) >= 24 * 60 * 60 * 1000,
    payment.giveBackSince !== null,
    payment.giveBackReference !== null,
    payment.givenBackAt !== null,
    world.booked,
    age(world.lateSince, CALL_LIMIT_MS),
    world.taken,
    world.givenBack,
    world.isProved,
    world.mayReturn,
  ].join();
}

function formatInput(input: TablePaymentInput): string {
  return input.kind === 'recordAnswered' ? input.answer : input.kind;
}

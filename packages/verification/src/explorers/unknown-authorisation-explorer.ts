import {
  type AcquirerAnswer,
  type AcquirerCapabilities,
  COMPLETE_CAPABILITIES,
  evaluateRefusedReversal,
  isForgotten,
  isNotFoundFinal,
} from '@pos/core/acquirer';
import type { Approval } from '@pos/core/cards';
import { money } from '@pos/core/money';
import { NOT_FOUND_NEEDED } from '@pos/core/terminals';
import { type Edge, walkStates } from './state-walk.js';

/** The rules that end an authorisation that was given up at an acquirer which reverses only what it knows. */
export const UNKNOWN_RULES = {
  evaluateRefusedReversal,
  isNotFoundFinal,
  isForgotten,
  notFoundNeeded: NOT_FOUND_NEEDED,
};
export type UnknownRules = typeof UNKNOWN_RULES;

/** What the acquirer has declared. */
export interface UnknownVariant {
  readonly name: string;
  readonly isFinalDeclared: boolean;
  readonly isHorizonDeclared: boolean;
  /** Reversals of captured money are refused, too: it is refunded. */
  readonly isReversalRefused: boolean;
}

/** The ages of the call that make a difference, in their order. */
const AGES = ['young', 'final', 'forgotten'] as const;
type Age = (typeof AGES)[number];
const FINAL_MS = 1_800_000;
const HORIZON_MS = 86_400_000;
const AGE_MS: Readonly<Record<Age, number>> = { young: 60_000, final: FINAL_MS, forgotten: HORIZON_MS };

interface Node {
  /** `onItsWay`: it was sent, its answer was lost, and it may still arrive. */
  readonly authorisation: 'onItsWay' | 'taken' | 'lost' | 'returned';
  readonly age: Age;
  /** Answers "not found" that were counted in a row. */
  readonly counted: number;
  readonly isRefundOrdered: boolean;
  /** Our books: the authorisation is over. */
  readonly isClosed: boolean;
  readonly isAlarmed: boolean;
}

const DEADLINE = new Date('2026-03-01T12:00:00Z');
const AMOUNT = money(1_500, 'GBP');

/**
 * Walks every state of an authorisation whose answer was lost, at an acquirer without reversals of unknown references. It
 * arrives late or never; its reversal is repeated; inquiries answer the truth, nothing, or "not found", which is also
 * what they answer about everything once the acquirer has deleted the reference. Returns the violations with their paths.
 */
export function exploreUnknownAuthorisation(
  rules: UnknownRules,
  variant: UnknownVariant,
): { states: number; violations: readonly string[] } {
  const { nodes, violations } = walkStates<Node>({
    first: {
      ...{ authorisation: 'onItsWay', age: 'young', counted: 0 },
      ...{ isRefundOrdered: false, isClosed: false, isAlarmed: false },
    },
    computeKey: (node) => JSON.stringify(node),
    listEdges: (node) => listEdges({ rules, variant, capabilities: declare(variant) }, node),
    isEnd: ({ isClosed, isAlarmed }) => isClosed || isAlarmed,
    findProblems,
    findEdgeProblems: () => [],
  });
  return { states: nodes.length, violations };
}

function declare({ isFinalDeclared, isHorizonDeclared }: UnknownVariant): AcquirerCapabilities {
  return {
    ...COMPLETE_CAPABILITIES,
    can: { ...COMPLETE_CAPABILITIES.can, reversal_of_unknown_reference: false },
    notFoundFinalAfterMs: isFinalDeclared ? FINAL_MS : null,
    inquiryHorizonMs: isHorizonDeclared ? HORIZON_MS : null,
  };
}

function findProblems({ authorisation, isClosed, isAlarmed, age }: Node): string[] {
  const rules: Record<string, boolean> = {
    'closed, and the acquirer has the money of the payer': isClosed && authorisation === 'taken',
    'closed, and the authorisation may still arrive': isClosed && authorisation === 'onItsWay',
    'deleted by the acquirer without an alarm': age === 'forgotten' && !isClosed && !isAlarmed,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

interface ExplorerContext {
  readonly rules: UnknownRules;
  readonly variant: UnknownVariant;
  readonly capabilities: AcquirerCapabilities;
}

function listEdges(context: ExplorerContext, node: Node): Edge<Node>[] {
  const { authorisation, isClosed, isRefundOrdered } = node;
  const edges: Edge<Node>[] = [];
  if (authorisation === 'onItsWay') {
    edges.push({ name: 'it arrives', to: { ...node, authorisation: 'taken' } });
    edges.push({ name: 'it is lost', to: { ...node, authorisation: 'lost' } });
  }
  edges.push(...listAgeEdges(context, node));
  if (isClosed) return edges;
  if (isRefundOrdered) {
    edges.push({ name: 'the refund is made', to: { ...node, authorisation: 'returned', isClosed: true } });
    return edges;
  }
  return [...edges, ...listReversalEdges(context, node)];
}

/** Time passes. From the declared time on a call that is on its way cannot arrive any more. */
function listAgeEdges({ rules, variant, capabilities }: ExplorerContext, node: Node): Edge<Node>[] {
  const next = AGES[AGES.indexOf(node.age) + 1];
  if (next === undefined || (next === 'forgotten' && !variant.isHorizonDeclared)) return [];
  const isArriving = node.authorisation === 'onItsWay' && variant.isFinalDeclared;
  const aged: Node = { ...node, age: next, authorisation: isArriving ? 'lost' : node.authorisation };
  const isAlarmed = node.isAlarmed || (!node.isClosed && rules.isForgotten(capabilities, computeAge(next)));
  return [{ name: `it becomes ${next}`, to: { ...aged, isAlarmed } }];
}

/** The reversal is sent. Refused, it is followed by an inquiry of the authorisation. */
function listReversalEdges(context: ExplorerContext, node: Node): Edge<Node>[] {
  const { variant, rules, capabilities } = context;
  const isKnown = node.authorisation === 'taken';
  const edges: Edge<Node>[] = [{ name: 'the reversal is not answered', to: node }];
  if (isKnown && !variant.isReversalRefused) {
    edges.push({ name: 'it is reversed', to: { ...node, authorisation: 'returned', isClosed: true } });
    return edges;
  }
  for (const inquired of listInquiries(node)) {
    const isNotFound = inquired.outcome === 'notFound';
    const canCount = isNotFound && rules.isNotFoundFinal(capabilities, computeAge(node.age));
    const counted = isNotFound ? Math.min(node.counted + (canCount ? 1 : 0), rules.notFoundNeeded) : 0;
    const isFinal = counted >= rules.notFoundNeeded;
    const { kind } = rules.evaluateRefusedReversal(inquired, { isNotFoundFinal: isFinal });
    const to = { ...node, counted, isClosed: kind === 'nothingTaken', isRefundOrdered: kind === 'refund' };
    edges.push({ name: `refused, then ${inquired.outcome}`, to });
  }
  return edges;
}

/** The truth or nothing; "not found" about what has not arrived, and about everything that was deleted. */
function listInquiries({ authorisation, age }: Node): AcquirerAnswer[] {
  const silence: AcquirerAnswer = { outcome: 'unknown', reason: 'silence' };
  if (age === 'forgotten' || authorisation !== 'taken') return [{ outcome: 'notFound' }, silence];
  return [{ outcome: 'approved', approval: APPROVAL }, { outcome: 'inProgress' }, silence];
}

function computeAge(age: Age) {
  return { lastSentBy: DEADLINE, databaseNow: new Date(DEADLINE.getTime() + AGE_MS[age]) };
}

const APPROVAL: Approval = {
  ...{ reference: 'a', transactionId: 'tx', transactionDateTime: '', authCode: '1', amount: AMOUNT },
  card: {
    ...{ cardNumber: '************1014', last4PAN: '1014', cardName: null, expiryDate: null, cardType: 'VISA' },
    ...{ cardFundingType: 'Debit', entryMode: 'Unknown', verificationMethod: 'None' },
  },
  paymentMethodId: null,
  avsResult: 'NOT_CHECKED',
};

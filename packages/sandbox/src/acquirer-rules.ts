import type { AcquirerErrorStatus } from '@pos/core/acquirer-status';
import type { RULE_EFFECTS, RULED_CALLS } from '@pos/rest-contracts/sandbox-acquirer';
import { APPROVED, declined, type Verdict } from './card-verdict.js';

export type RuledCall = (typeof RULED_CALLS)[number];
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** One instruction of the control API. A member of `match` that is absent matches every call. */
export interface AcquirerRule {
  readonly match: {
    readonly kind?: RuledCall | undefined;
    readonly reference?: string | undefined;
    readonly originalReference?: string | undefined;
    readonly merchantId?: string | undefined;
    readonly terminalId?: string | undefined;
    readonly amount?: number | undefined;
  };
  readonly effect: RuleEffect;
  /** With `delay`: real milliseconds. */
  readonly delayMs?: number | undefined;
  /** With `refuse` and `book-and-refuse`: the error status that is answered. */
  readonly status?: AcquirerErrorStatus | undefined;
  /** For how many calls; absent means until the rules are replaced. */
  readonly times?: number | undefined;
}

/** What is known of a call when it arrives. */
export interface ArrivingCall {
  readonly kind: RuledCall;
  readonly reference: string | null;
  readonly originalReference: string | null;
  readonly merchantId: string | null;
  readonly terminalId: string | null;
  readonly amount: number | null;
}

/** What the rules together make of one call. */
export interface Ruling {
  readonly verdict: Verdict | null;
  readonly delayMs: number;
  readonly isDown: boolean;
  readonly isAnswerDropped: boolean;
  readonly isDoubled: boolean;
  readonly isContradicted: boolean;
  readonly isAmountMisstated: boolean;
  /** The error status that is answered, and whether the call is booked before that. */
  readonly refusal: { readonly status: AcquirerErrorStatus; readonly isBooked: boolean } | null;
}

/** The rules in force, with how often each was used. All rules that match a call apply; of two decisions the first. */
export class AcquirerRules {
  #rules: { readonly rule: AcquirerRule; used: number }[] = [];

  replace(rules: readonly AcquirerRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, used: 0 }));
  }

  list(): (AcquirerRule & { readonly used: number })[] {
    return this.#rules.map(({ rule, used }) => ({ ...rule, used }));
  }

  /** Uses up one time of every rule that matches. */
  take(call: ArrivingCall): Ruling {
    const taken = this.#rules.filter(({ rule, used }) => used < (rule.times ?? Infinity) && matches(rule.match, call));
    for (const each of taken) each.used += 1;
    const rules = taken.map(({ rule }) => rule);
    const has = (effect: RuleEffect): boolean => rules.some((rule) => rule.effect === effect);
    return {
      verdict: rules.flatMap((rule) => verdictOf(rule.effect) ?? [])[0] ?? null,
      delayMs: Math.max(0, ...rules.map((rule) => (rule.effect === 'delay' ? (rule.delayMs ?? 0) : 0))),
      isDown: has('down'),
      isAnswerDropped: has('drop-answer'),
      isDoubled: has('answer-twice'),
      isContradicted: has('contradict'),
      isAmountMisstated: has('misstate-amount'),
      refusal: rules.flatMap((rule) => refusalOf(rule) ?? [])[0] ?? null,
    };
  }
}

function refusalOf({ effect, status }: AcquirerRule): Ruling['refusal'] {
  const isRefusal = effect === 'refuse' || effect === 'book-and-refuse';
  return isRefusal && status !== undefined ? { status, isBooked: effect === 'book-and-refuse' } : null;
}

function matches(match: AcquirerRule['match'], call: ArrivingCall): boolean {
  return (
    (match.kind === undefined || match.kind === call.kind) &&
    (match.reference === undefined || match.reference === call.reference) &&
    (match.originalReference === undefined || match.originalReference === call.originalReference) &&
    (match.merchantId === undefined || match.merchantId === call.merchantId) &&
    (match.terminalId === undefined || match.terminalId === call.terminalId) &&
    (match.amount === undefined || match.amount === call.amount)
  );
}

function verdictOf(effect: RuleEffect): Verdict | null {
  switch (effect) {
    case 'approve':
      return APPROVED;
    case 'decline':
      return declined('Declined by rule');
    case 'fail':
      return { ...APPROVED, outcome: 'Failed', message: 'Failed by rule' };
    case 'delay':
    case 'drop-answer':
    case 'answer-twice':
    case 'down':
    case 'contradict':
    case 'misstate-amount':
    case 'refuse':
    case 'book-and-refuse':
      return null;
  }
}

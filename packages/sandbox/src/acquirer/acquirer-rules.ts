import type { AcquirerErrorStatus } from '@pos/core/acquirer-calls';
import type { RULE_EFFECTS, RULED_CALLS } from '@pos/rest-contracts/sandbox';
import { APPROVED, createDeclinedVerdict, type CardVerdict } from './card-verdict.js';

export type RuledCallKind = (typeof RULED_CALLS)[number];
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** One instruction of the control API. A member of `match` that is absent matches every call. */
export interface AcquirerRule {
  readonly match: {
    readonly kind?: RuledCallKind | undefined;
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

/** What is known about a call when it arrives. */
export interface IncomingAcquirerCall {
  readonly kind: RuledCallKind;
  readonly reference: string | null;
  readonly originalReference: string | null;
  readonly merchantId: string | null;
  readonly terminalId: string | null;
  readonly amount: number | null;
}

/** The combined effect of all rules on one call. */
export interface RuleOutcome {
  readonly verdict: CardVerdict | null;
  readonly delayMs: number;
  readonly isDown: boolean;
  readonly isAnswerDropped: boolean;
  readonly isRepeated: boolean;
  readonly isContradicted: boolean;
  readonly isAmountMisstated: boolean;
  /** The error status of the answer, and whether the call is booked first. */
  readonly refusal: { readonly status: AcquirerErrorStatus; readonly isBooked: boolean } | null;
}

/**
 * The active rules, with a count of their uses. All rules that match a call apply; where two decide, the first wins.
 */
export class AcquirerRuleSet {
  #rules: { readonly rule: AcquirerRule; used: number }[] = [];

  replaceRules(rules: readonly AcquirerRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, used: 0 }));
  }

  /** Replaces the rules that name a merchant number. Others stay, with their uses. */
  replaceRulesOf(merchantId: string, rules: readonly AcquirerRule[]): void {
    const others = this.#rules.filter(({ rule }) => rule.match.merchantId !== merchantId);
    this.#rules = [...others, ...rules.map((rule) => ({ rule, used: 0 }))];
  }

  listRules(): (AcquirerRule & { readonly used: number })[] {
    return this.#rules.map(({ rule, used }) => ({ ...rule, used }));
  }

  /** Uses up one time of every rule that matches. */
  applyRules(call: IncomingAcquirerCall): RuleOutcome {
    const matched = this.#rules.filter(
      ({ rule, used }) => used < (rule.times ?? Infinity) && matchesCall(rule.match, call),
    );
    for (const each of matched) each.used += 1;
    const rules = matched.map(({ rule }) => rule);
    const hasEffect = (effect: RuleEffect): boolean => rules.some((rule) => rule.effect === effect);
    return {
      verdict: rules.flatMap((rule) => toVerdict(rule.effect) ?? [])[0] ?? null,
      delayMs: Math.max(0, ...rules.map((rule) => (rule.effect === 'delay' ? (rule.delayMs ?? 0) : 0))),
      isDown: hasEffect('down'),
      isAnswerDropped: hasEffect('drop-answer'),
      isRepeated: hasEffect('answer-twice'),
      isContradicted: hasEffect('contradict'),
      isAmountMisstated: hasEffect('misstate-amount'),
      refusal: rules.flatMap((rule) => toRefusal(rule) ?? [])[0] ?? null,
    };
  }
}

function toRefusal({ effect, status }: AcquirerRule): RuleOutcome['refusal'] {
  const isRefusal = effect === 'refuse' || effect === 'book-and-refuse';
  return isRefusal && status !== undefined ? { status, isBooked: effect === 'book-and-refuse' } : null;
}

function matchesCall(match: AcquirerRule['match'], call: IncomingAcquirerCall): boolean {
  return (
    (match.kind === undefined || match.kind === call.kind) &&
    (match.reference === undefined || match.reference === call.reference) &&
    (match.originalReference === undefined || match.originalReference === call.originalReference) &&
    (match.merchantId === undefined || match.merchantId === call.merchantId) &&
    (match.terminalId === undefined || match.terminalId === call.terminalId) &&
    (match.amount === undefined || match.amount === call.amount)
  );
}

function toVerdict(effect: RuleEffect): CardVerdict | null {
  switch (effect) {
    case 'approve':
      return APPROVED;
    case 'decline':
      return createDeclinedVerdict('Declined by rule');
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

import type { EposErrorCode } from '@pos/core/tables';
import type { EPOS_EFFECTS, EPOS_TRANSPORTS, EposMethod } from '@pos/rest-contracts/sandbox';
import type { EposErrorType } from '../epos-data/epos-data-refusal.js';

export type EposFaultEffect = (typeof EPOS_EFFECTS)[number];
export type FaultTransport = (typeof EPOS_TRANSPORTS)[number];

/**
 * One instruction of the control API. `no-answer` does nothing and sends no answer; `answer-lost` runs the call and
 * sends no answer. `refuse`, `internal-error`, `drop-stream` and `reconnect-storm` run the call only with `afterDoing`.
 * The others run it and spoil the answer.
 */
export interface EposFault {
  /** Absent: every call. */
  readonly method?: EposMethod | undefined;
  /** Absent: every transport. */
  readonly transport?: FaultTransport | undefined;
  readonly effect: EposFaultEffect;
  /** With `slow`: real milliseconds before the answer goes out. */
  readonly delayMs?: number | undefined;
  /** With `refuse`. */
  readonly code?: EposErrorCode | EposErrorType | undefined;
  readonly afterDoing?: boolean | undefined;
  /** For how many calls; absent means until the faults are replaced. */
  readonly times?: number | undefined;
}

/** How an answer of any kind is spoiled before it is sent. */
export interface AnswerDistortion {
  readonly hasWrongTotals: boolean;
  readonly hasWrongCurrency: boolean;
  readonly hasUnknownEnum: boolean;
  readonly isBroken: boolean;
  readonly isHuge: boolean;
  readonly hasWrongClock: boolean;
  /** Every element has one member as tills of others write it. */
  readonly hasOddMembers: boolean;
}

export const NO_DISTORTION: AnswerDistortion = {
  hasWrongTotals: false,
  hasWrongCurrency: false,
  hasUnknownEnum: false,
  isBroken: false,
  isHuge: false,
  hasWrongClock: false,
  hasOddMembers: false,
};

/** The combined effect of all faults on one call. */
export interface CombinedFaults extends AnswerDistortion {
  readonly delayMs: number;
  readonly isExecuted: boolean;
  readonly isSilent: boolean;
  readonly isRepeated: boolean;
  readonly isStreamDropped: boolean;
  /** The connection is dropped and opened again many times over. */
  readonly isReconnectStorm: boolean;
  readonly areLocksForgotten: boolean;
  /** Sent instead of the answer. */
  readonly refusal: EposErrorCode | EposErrorType | null;
}

/** The active faults. All that match a call apply. */
export class EposFaultSet {
  #faults: { readonly fault: EposFault; used: number }[] = [];

  replaceFaults(faults: readonly EposFault[]): void {
    this.#faults = faults.map((fault) => ({ fault, used: 0 }));
  }

  listFaults(): (EposFault & { readonly used: number })[] {
    return this.#faults.map(({ fault, used }) => ({ ...fault, used }));
  }

  /** Uses up one time of every fault that matches. */
  applyFaults(call: { readonly method: EposMethod; readonly transport: FaultTransport }): CombinedFaults {
    const matched = this.#faults.filter(
      ({ fault, used }) =>
        used < (fault.times ?? Infinity) &&
        (fault.method ?? call.method) === call.method &&
        (fault.transport ?? call.transport) === call.transport,
    );
    for (const each of matched) each.used += 1;
    const faults = matched.map(({ fault }) => fault);
    const find = (effect: EposFaultEffect): EposFault | undefined => faults.find((fault) => fault.effect === effect);
    const hasEffect = (effect: EposFaultEffect): boolean => find(effect) !== undefined;

    const replacement = find('refuse') ?? find('internal-error') ?? find('drop-stream') ?? find('reconnect-storm');
    const refusalFault = find('refuse');
    return {
      delayMs: Math.max(0, ...faults.map(({ effect, delayMs }) => (effect === 'slow' ? (delayMs ?? 0) : 0))),
      isExecuted: !hasEffect('no-answer') && (replacement === undefined || replacement.afterDoing === true),
      isSilent: hasEffect('no-answer') || hasEffect('answer-lost'),
      isRepeated: hasEffect('duplicate-answer'),
      isStreamDropped: hasEffect('drop-stream') || hasEffect('reconnect-storm'),
      isReconnectStorm: hasEffect('reconnect-storm'),
      areLocksForgotten: hasEffect('forget-locks'),
      hasWrongTotals: hasEffect('wrong-totals'),
      hasWrongCurrency: hasEffect('wrong-currency'),
      hasUnknownEnum: hasEffect('unknown-enum'),
      isBroken: hasEffect('broken-json'),
      isHuge: hasEffect('huge-answer'),
      hasWrongClock: hasEffect('wrong-clock'),
      hasOddMembers: hasEffect('odd-members'),
      refusal:
        refusalFault !== undefined
          ? (refusalFault.code ?? FALLBACK_CODE)
          : hasEffect('internal-error')
            ? FALLBACK_CODE
            : null,
    };
  }
}

const FALLBACK_CODE: EposErrorCode = 'ERROR_INTERNAL_POS_ERROR';

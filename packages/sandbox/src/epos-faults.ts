import type { EposErrorCode } from '@pos/core/epos-error';
import type { EPOS_EFFECTS, EPOS_METHODS } from '@pos/rest-contracts/sandbox-epos';

export type EposMethod = (typeof EPOS_METHODS)[number];
export type EposEffect = (typeof EPOS_EFFECTS)[number];

/**
 * One instruction of the control API. `no-answer` does nothing and is silent; `answer-lost` does it and is silent;
 * `refuse`, `internal-error` and `drop-stream` do nothing unless `afterDoing`.
 */
export interface EposFault {
  /** Absent: every call. */
  readonly method?: EposMethod | undefined;
  readonly effect: EposEffect;
  /** With `slow`: real milliseconds before the answer goes out. */
  readonly delayMs?: number | undefined;
  /** With `refuse`. */
  readonly code?: EposErrorCode | undefined;
  readonly afterDoing?: boolean | undefined;
  /** For how many calls; absent means until the faults are replaced. */
  readonly times?: number | undefined;
}

/** What the faults together make of one call. */
export interface EposTrouble {
  readonly delayMs: number;
  readonly isDone: boolean;
  readonly isSilent: boolean;
  readonly isDoubled: boolean;
  readonly isStreamDropped: boolean;
  readonly areLocksForgotten: boolean;
  readonly hasWrongTotals: boolean;
  readonly hasWrongCurrency: boolean;
  /** Said instead of the answer. */
  readonly refusal: EposErrorCode | null;
}

/** The faults in force. All that match a call apply. */
export class EposFaults {
  #faults: { readonly fault: EposFault; used: number }[] = [];

  replace(faults: readonly EposFault[]): void {
    this.#faults = faults.map((fault) => ({ fault, used: 0 }));
  }

  list(): (EposFault & { readonly used: number })[] {
    return this.#faults.map(({ fault, used }) => ({ ...fault, used }));
  }

  /** Uses up one time of every fault that matches. */
  take(method: EposMethod): EposTrouble {
    const taken = this.#faults.filter(
      ({ fault, used }) => used < (fault.times ?? Infinity) && (fault.method ?? method) === method,
    );
    for (const each of taken) each.used += 1;
    const faults = taken.map(({ fault }) => fault);
    const find = (effect: EposEffect): EposFault | undefined => faults.find((fault) => fault.effect === effect);
    const has = (effect: EposEffect): boolean => find(effect) !== undefined;

    const instead = find('refuse') ?? find('internal-error') ?? find('drop-stream');
    const refusing = find('refuse');
    return {
      delayMs: Math.max(0, ...faults.map(({ effect, delayMs }) => (effect === 'slow' ? (delayMs ?? 0) : 0))),
      isDone: !has('no-answer') && (instead === undefined || instead.afterDoing === true),
      isSilent: has('no-answer') || has('answer-lost'),
      isDoubled: has('duplicate-answer'),
      isStreamDropped: has('drop-stream'),
      areLocksForgotten: has('forget-locks'),
      hasWrongTotals: has('wrong-totals'),
      hasWrongCurrency: has('wrong-currency'),
      refusal: refusing !== undefined ? (refusing.code ?? FALLBACK) : has('internal-error') ? FALLBACK : null,
    };
  }
}

const FALLBACK: EposErrorCode = 'ERROR_INTERNAL_POS_ERROR';

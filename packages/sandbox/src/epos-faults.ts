import type { EposErrorCode } from '@pos/core/epos-error';
import type { EPOS_EFFECTS, EPOS_TRANSPORTS, EposMethod } from '@pos/rest-contracts/sandbox-epos';
import type { EposErrorType } from './epos-data-refusal.js';

export type EposEffect = (typeof EPOS_EFFECTS)[number];
export type EposTransport = (typeof EPOS_TRANSPORTS)[number];

/**
 * One instruction of the control API. `no-answer` does nothing and is silent; `answer-lost` does it and is silent;
 * `refuse`, `internal-error`, `drop-stream` and `reconnect-storm` do nothing unless `afterDoing`. The others do it and
 * spoil the answer.
 */
export interface EposFault {
  /** Absent: every call. */
  readonly method?: EposMethod | undefined;
  /** Absent: every transport. */
  readonly transport?: EposTransport | undefined;
  readonly effect: EposEffect;
  /** With `slow`: real milliseconds before the answer goes out. */
  readonly delayMs?: number | undefined;
  /** With `refuse`. */
  readonly code?: EposErrorCode | EposErrorType | undefined;
  readonly afterDoing?: boolean | undefined;
  /** For how many calls; absent means until the faults are replaced. */
  readonly times?: number | undefined;
}

/** How an answer is spoiled on its way out, whatever it is. */
export interface Spoiling {
  readonly hasWrongTotals: boolean;
  readonly hasWrongCurrency: boolean;
  readonly hasUnknownEnum: boolean;
  readonly isBroken: boolean;
  readonly isHuge: boolean;
  readonly hasWrongClock: boolean;
}

export const UNSPOILED: Spoiling = {
  hasWrongTotals: false,
  hasWrongCurrency: false,
  hasUnknownEnum: false,
  isBroken: false,
  isHuge: false,
  hasWrongClock: false,
};

/** What the faults together make of one call. */
export interface EposTrouble extends Spoiling {
  readonly delayMs: number;
  readonly isDone: boolean;
  readonly isSilent: boolean;
  readonly isDoubled: boolean;
  readonly isStreamDropped: boolean;
  /** The connection is dropped and opened again many times over. */
  readonly isStorm: boolean;
  readonly areLocksForgotten: boolean;
  /** Said instead of the answer. */
  readonly refusal: EposErrorCode | EposErrorType | null;
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
  take(call: { readonly method: EposMethod; readonly transport: EposTransport }): EposTrouble {
    const taken = this.#faults.filter(
      ({ fault, used }) =>
        used < (fault.times ?? Infinity) &&
        (fault.method ?? call.method) === call.method &&
        (fault.transport ?? call.transport) === call.transport,
    );
    for (const each of taken) each.used += 1;
    const faults = taken.map(({ fault }) => fault);
    const find = (effect: EposEffect): EposFault | undefined => faults.find((fault) => fault.effect === effect);
    const has = (effect: EposEffect): boolean => find(effect) !== undefined;

    const instead = find('refuse') ?? find('internal-error') ?? find('drop-stream') ?? find('reconnect-storm');
    const refusing = find('refuse');
    return {
      delayMs: Math.max(0, ...faults.map(({ effect, delayMs }) => (effect === 'slow' ? (delayMs ?? 0) : 0))),
      isDone: !has('no-answer') && (instead === undefined || instead.afterDoing === true),
      isSilent: has('no-answer') || has('answer-lost'),
      isDoubled: has('duplicate-answer'),
      isStreamDropped: has('drop-stream') || has('reconnect-storm'),
      isStorm: has('reconnect-storm'),
      areLocksForgotten: has('forget-locks'),
      hasWrongTotals: has('wrong-totals'),
      hasWrongCurrency: has('wrong-currency'),
      hasUnknownEnum: has('unknown-enum'),
      isBroken: has('broken-json'),
      isHuge: has('huge-answer'),
      hasWrongClock: has('wrong-clock'),
      refusal: refusing !== undefined ? (refusing.code ?? FALLBACK) : has('internal-error') ? FALLBACK : null,
    };
  }
}

const FALLBACK: EposErrorCode = 'ERROR_INTERNAL_POS_ERROR';

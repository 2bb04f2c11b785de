import type { PaymentResult } from '@pos/rest-contracts/card-vault';

/** The last try of this browser. Its secret proves to the service who has paid. */
export interface RememberedAttempt {
  readonly intentId: string;
  readonly secret: string;
  /** The challenge that the payer has not answered yet; null without one. */
  readonly challenge: PaymentResult | null;
}

const KEY = 'attempt';

/**
 * Remembers the last try of this browser, also while the payer is in the app of their bank and the page is closed. It holds
 * no data of the card or the payer. Without storage it forgets with the page.
 */
export class AttemptMemory {
  #attempt: RememberedAttempt | null;

  constructor(private readonly intentId: string) {
    this.#attempt = readStored(intentId);
  }

  get attempt(): RememberedAttempt | null {
    return this.#attempt;
  }

  remember(attempt: Omit<RememberedAttempt, 'intentId'>): void {
    this.#attempt = { intentId: this.intentId, ...attempt };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#attempt));
    } catch {
      // The browser stores nothing for this page.
    }
  }

  /** The challenge has ended; the secret stays, because the payment may have succeeded. */
  forgetChallenge(): void {
    if (this.#attempt !== null) this.remember({ secret: this.#attempt.secret, challenge: null });
  }
}

function readStored(intentId: string): RememberedAttempt | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isAttempt(stored) && stored.intentId === intentId ? stored : null;
  } catch {
    return null;
  }
}

function isAttempt(value: unknown): value is RememberedAttempt {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['intentId', 'secret'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
  );
}

import { required } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import type { CardAcquirer, CardAcquirers } from './acquirer/card-acquirer-client.js';
import type { NumberSafe } from './vault/number-safe.js';

/** What only this process has: the way to the acquirer with a number in hand, and the safe. */
export class Vault {
  readonly safe: NumberSafe;
  readonly deviceDataUrl: string;
  readonly #acquirers: CardAcquirers;

  constructor(parts: { readonly acquirers: CardAcquirers; readonly safe: NumberSafe; readonly deviceDataUrl: string }) {
    this.safe = parts.safe;
    this.deviceDataUrl = parts.deviceDataUrl;
    this.#acquirers = parts.acquirers;
  }

  acquirerOf({ environment }: Scope): CardAcquirer {
    return required(this.#acquirers[environment], 'the acquirer of production, without which no attempt begins');
  }
}

import type { ActivityRecorder } from '@pos/core/activities/activity';
import { requireValue } from '@pos/core/refusals/assert';
import type { CardNumber } from '@pos/core/cards/card-number';
import type { PaymentMethodId, Scope } from '@pos/core/identity/identity';
import type { SavedCard } from '@pos/core/cards/saved-card';
import { findCardNumber, insertCardNumber } from '@pos/store/payments/card-numbers';
import type { Reader, Tx } from '@pos/store/database/database';
import type { CardAcquirerClients } from '../acquirer/card-acquirer-clients.js';
import { LoggedCardAcquirer } from '../acquirer/logged-card-acquirer.js';
import type { CardNumberCipher } from './card-number-cipher.js';

/** What only this process has: the acquirer clients for card numbers, and the cipher. */
export class Vault {
  readonly safe: CardNumberCipher;
  readonly deviceDataUrl: string;
  readonly #acquirers: CardAcquirerClients;
  readonly #activities: ActivityRecorder;

  constructor(parts: {
    readonly acquirers: CardAcquirerClients;
    readonly safe: CardNumberCipher;
    readonly deviceDataUrl: string;
    readonly activities: ActivityRecorder;
  }) {
    this.safe = parts.safe;
    this.deviceDataUrl = parts.deviceDataUrl;
    this.#acquirers = parts.acquirers;
    this.#activities = parts.activities;
  }

  /** Inserts the encrypted number of a card, in the transaction that inserts the card. */
  createCardWriter(number: CardNumber): (tx: Tx, cardId: PaymentMethodId) => void {
    return (tx, cardId) => insertCardNumber(tx, cardId, this.safe.seal({ scope: tx.scope, cardId }, number));
  }

  /** Decrypts the number of a card that is not erased. */
  async openNumber(reader: Reader, { id: cardId }: SavedCard): Promise<CardNumber> {
    const sealed = requireValue(await findCardNumber(reader, cardId), `the number of ${cardId}`);
    return this.safe.open({ scope: reader.scope, cardId }, sealed);
  }

  /** The acquirer of a call. An attempt begins only with one that this process has. */
  getAcquirer({ scope, acquirer }: { readonly scope: Scope; readonly acquirer: string }): LoggedCardAcquirer {
    const client = requireValue(this.#acquirers.find(scope.environment, acquirer), `the acquirer "${acquirer}"`);
    return new LoggedCardAcquirer(client, scope, this.#activities);
  }
}

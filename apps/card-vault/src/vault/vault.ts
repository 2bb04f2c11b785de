import type { ActivityRecorder } from '@pos/core/activities';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { CardNumber, SavedCard } from '@pos/core/cards';
import { isId, type PaymentMethodId, type Scope } from '@pos/core/identity';
import { findCardNumber, insertCardNumber, type SealedCardNumber } from '@pos/store/payments';
import type { Database, Reader, Tx } from '@pos/store/database';
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

  /**
   * Makes the key of the number of a card that may be stored, before the transaction that stores it. While the master key
   * cannot be used, the returned function refuses with `service_unavailable`, so a card that is not stored is accepted.
   */
  async createCardWriter(number: CardNumber): Promise<(tx: Tx, cardId: PaymentMethodId) => void> {
    const prepared = await settle(this.safe.createDataKey());
    return (tx, cardId) => {
      const key = readSettled(prepared);
      insertCardNumber(tx, cardId, this.safe.seal({ scope: tx.scope, cardId }, number, key));
    };
  }

  /** Decrypts the number of a card that is not erased. It may need a call, so it runs outside of transactions. */
  async openNumber(scope: Scope, cardId: PaymentMethodId, sealed: SealedCardNumber): Promise<CardNumber> {
    return this.safe.open({ scope, cardId }, sealed);
  }

  /** The sealed number of a card that is not erased. */
  async getSealedNumber(reader: Reader, { id: cardId }: SavedCard): Promise<SealedCardNumber> {
    return requireValue(await findCardNumber(reader, cardId), `the number of ${cardId}`);
  }

  /**
   * Decrypts the number of a card before the transaction that charges it, which calls the returned function under its
   * locks. That refuses with `service_unavailable` what was not decrypted.
   */
  async openNumberAhead(
    database: Database,
    scope: Scope,
    cardId: string,
  ): Promise<(tx: Tx, card: SavedCard) => Promise<CardNumber>> {
    const sealed = isId('paymentMethod', cardId)
      ? await database.read(scope, (reader) => findCardNumber(reader, cardId))
      : null;
    const opened =
      sealed === null || !isId('paymentMethod', cardId)
        ? null
        : await settle(this.safe.open({ scope, cardId }, sealed));
    return async (tx, card) => {
      const { ciphertext } = await this.getSealedNumber(tx, card);
      if (opened === null || sealed?.ciphertext.equals(ciphertext) !== true) {
        throw new Refusal('service_unavailable', 'the card has been stored at this moment: send the request again');
      }
      return readSettled(opened);
    };
  }

  /** The acquirer of a call. An attempt begins only with one that this process has. */
  getAcquirer({ scope, acquirer }: { readonly scope: Scope; readonly acquirer: string }): LoggedCardAcquirer {
    const client = requireValue(this.#acquirers.find(scope.environment, acquirer), `the acquirer "${acquirer}"`);
    return new LoggedCardAcquirer(client, scope, this.#activities);
  }
}

/** How a promise has ended, for a reader who comes later, or never. */
type Settled<T> = { readonly value: T } | { readonly error: unknown };

async function settle<T>(work: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

function readSettled<T>(settled: Settled<T>): T {
  if ('value' in settled) return settled.value;
  throw settled.error;
}

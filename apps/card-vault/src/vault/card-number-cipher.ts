import { formatScope } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import { CardNumber } from '@pos/core/cards';
import type { CardNumberReference, SealedCardNumber } from '@pos/store/payments';
import type { NewDataKey, StoredKey, WrappedKey } from '../keys/master-key-provider.js';
import type { MasterKeys } from '../keys/master-keys.js';
import { openBytes, sealBytes } from '../keys/sealed-bytes.js';

/**
 * Encrypts card numbers before they leave the process (AES-256-GCM), each under a key of its own that a master key wraps.
 * A number is bound to account, environment and card, so that bytes in another row cannot be decrypted.
 */
export class CardNumberCipher {
  constructor(private readonly masters: MasterKeys) {}

  /** The id of the master key that wraps new data keys. */
  findCurrentKeyId(): Promise<string> {
    return this.masters.findCurrentKeyId();
  }

  /** A key for the next number. It may need a call, so no transaction may wait for it. */
  createDataKey(): Promise<NewDataKey> {
    return this.masters.createDataKey();
  }

  /** Encrypts a number by a key that no other number has. */
  seal(cardReference: CardNumberReference, number: CardNumber, key: NewDataKey): SealedCardNumber {
    const clear = Buffer.from(number.reveal(), 'ascii');
    const ciphertext = sealBytes(key.dataKey, buildNumberData(cardReference), clear);
    return { ...key.wrapFor(cardReference), ciphertext };
  }

  /**
   * Decrypts a number. Throws for changed bytes, bytes of another row and an unknown key, which are defects. Refuses with
   * `service_unavailable` while the master key cannot be used. It may need a call, as `createDataKey`.
   */
  async open(
    cardReference: CardNumberReference,
    { keyId, wrappedKey, ciphertext }: SealedCardNumber,
  ): Promise<CardNumber> {
    const dataKey = await this.masters.unwrap({ cardReference, keyId, wrappedKey });
    const digits = openBytes(dataKey, buildNumberData(cardReference), ciphertext).toString('ascii');
    return requireValue(CardNumber.read(digits), 'a card number in the vault');
  }

  /** The same keys under the current master key, in their order. No number is decrypted. */
  rewrap(keys: readonly StoredKey[]): Promise<WrappedKey[]> {
    return this.masters.rewrap(keys);
  }

  close(): void {
    this.masters.close();
  }
}

function buildNumberData({ scope, cardId }: CardNumberReference): Buffer {
  return Buffer.from(`${formatScope(scope)}/${cardId}/number`, 'utf8');
}

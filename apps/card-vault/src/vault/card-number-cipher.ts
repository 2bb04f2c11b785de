import { formatScope } from '@pos/core/identity/identity';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert, requireValue } from '@pos/core/refusals/assert';
import { CardNumber } from '@pos/core/cards/card-number';
import type { CardNumberReference, SealedCardNumber } from '@pos/store/payments/card-numbers';
import type { Secret } from '@pos/service-kit/config/secret';
import { readVaultKeys, type VaultKeys } from '../config/vault-keys.js';

const CIPHER = 'aes-256-gcm';
const FORMAT_VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts card numbers before they leave the process (AES-256-GCM). A master key wraps the data key of each number.
 * Both are bound to account, environment and card, so that bytes in another row cannot be decrypted.
 */
export class CardNumberCipher {
  constructor(private readonly masters: VaultKeys) {}

  /** The id of the master key that wraps new data keys. */
  get currentKeyId(): string {
    return this.masters.currentId;
  }

  hasKey(keyId: string): boolean {
    return this.masters.keys.has(keyId);
  }

  seal(cardReference: CardNumberReference, number: CardNumber): SealedCardNumber {
    const dataKey = randomBytes(KEY_BYTES);
    const ciphertext = encrypt(dataKey, buildAssociatedData(cardReference), Buffer.from(number.reveal(), 'ascii'));
    return { ...this.#wrapKey(cardReference, dataKey), ciphertext };
  }

  /** Decrypts a number. Throws for changed bytes, bytes of another row and an unknown key, which are defects. */
  open(cardReference: CardNumberReference, { keyId, wrappedKey, ciphertext }: SealedCardNumber): CardNumber {
    const dataKey = decrypt(this.#getMasterKey(keyId), buildAssociatedData(cardReference, keyId), wrappedKey);
    const digits = decrypt(dataKey, buildAssociatedData(cardReference), ciphertext).toString('ascii');
    return requireValue(CardNumber.read(digits), 'a card number in the vault');
  }

  /** The same number with its data key under the current master key. The number itself is not decrypted. */
  rewrap(cardReference: CardNumberReference, { keyId, wrappedKey, ciphertext }: SealedCardNumber): SealedCardNumber {
    const dataKey = decrypt(this.#getMasterKey(keyId), buildAssociatedData(cardReference, keyId), wrappedKey);
    return { ...this.#wrapKey(cardReference, dataKey), ciphertext };
  }

  #wrapKey(cardReference: CardNumberReference, dataKey: Uint8Array): Pick<SealedCardNumber, 'keyId' | 'wrappedKey'> {
    const keyId = this.masters.currentId;
    return {
      keyId,
      wrappedKey: encrypt(this.#getMasterKey(keyId), buildAssociatedData(cardReference, keyId), dataKey),
    };
  }

  #getMasterKey(keyId: string): Uint8Array {
    return requireValue(this.masters.keys.get(keyId), `the master key ${keyId}`);
  }
}

function encrypt(key: Uint8Array, associatedData: Buffer, clear: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(associatedData);
  const ciphertextBytes = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT_VERSION]), nonce, cipher.getAuthTag(), ciphertextBytes]);
}

function decrypt(key: Uint8Array, associatedData: Buffer, bytes: Buffer): Buffer {
  assert(bytes[0] === FORMAT_VERSION && bytes.length > HEADER_BYTES, 'these bytes were not sealed by the vault');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData);
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
}

/** A number and its wrapped key have different associated data, so one is never accepted for the other. */
function buildAssociatedData({ scope, cardId }: CardNumberReference, keyId?: string): Buffer {
  const purpose = keyId === undefined ? 'number' : `key ${keyId}`;
  return Buffer.from(`${formatScope(scope)}/${cardId}/${purpose}`, 'utf8');
}

/** The cipher by the settings of the app, which were checked when they were read. */
export function createCardNumberCipher({ VAULT_KEYS }: { readonly VAULT_KEYS: Secret }): CardNumberCipher {
  return new CardNumberCipher(requireValue(readVaultKeys(VAULT_KEYS.reveal()), 'the keys of the vault'));
}

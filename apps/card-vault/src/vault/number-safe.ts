import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert, required } from '@pos/core/assert';
import { CardNumber } from '@pos/core/card-number';
import type { CardNumberReference, SealedCardNumber } from '@pos/store/card-numbers';
import type { VaultKeys } from './vault-keys.js';

const CIPHER = 'aes-256-gcm';
const FORM = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Seals card numbers before they leave the process (AES-256-GCM). Each has a key of its own, which a master key seals;
 * both are bound to account, environment and card, so that bytes moved to another row do not open.
 */
export class NumberSafe {
  constructor(private readonly masters: VaultKeys) {}

  /** Names the master key that seals now. */
  get currentKeyId(): string {
    return this.masters.currentId;
  }

  knows(keyId: string): boolean {
    return this.masters.keys.has(keyId);
  }

  seal(place: CardNumberReference, number: CardNumber): SealedCardNumber {
    const own = randomBytes(KEY_BYTES);
    const ciphertext = sealed(own, boundTo(place), Buffer.from(number.reveal(), 'ascii'));
    return { ...this.#wrap(place, own), ciphertext };
  }

  /** The number. Changed bytes, another row's or an unknown key are a defect: nobody may act on them. */
  open(place: CardNumberReference, { keyId, wrappedKey, ciphertext }: SealedCardNumber): CardNumber {
    const own = opened(this.#master(keyId), boundTo(place, keyId), wrappedKey);
    const digits = opened(own, boundTo(place), ciphertext).toString('ascii');
    return required(CardNumber.read(digits), 'a card number in the vault');
  }

  /** The same number with its key under the current master key; the number itself is not opened. */
  rewrap(place: CardNumberReference, { keyId, wrappedKey, ciphertext }: SealedCardNumber): SealedCardNumber {
    const own = opened(this.#master(keyId), boundTo(place, keyId), wrappedKey);
    return { ...this.#wrap(place, own), ciphertext };
  }

  #wrap(place: CardNumberReference, own: Uint8Array): Pick<SealedCardNumber, 'keyId' | 'wrappedKey'> {
    const keyId = this.masters.currentId;
    return { keyId, wrappedKey: sealed(this.#master(keyId), boundTo(place, keyId), own) };
  }

  #master(keyId: string): Uint8Array {
    return required(this.masters.keys.get(keyId), `the master key ${keyId}`);
  }
}

function sealed(key: Uint8Array, bound: Buffer, clear: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(bound);
  const closed = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([Buffer.from([FORM]), nonce, cipher.getAuthTag(), closed]);
}

function opened(key: Uint8Array, bound: Buffer, bytes: Buffer): Buffer {
  assert(bytes[0] === FORM && bytes.length > HEAD_BYTES, 'these bytes were not sealed by the vault');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
}

/** A number and its wrapped key are bound to different words, so that one never passes for the other. */
function boundTo({ scope, cardId }: CardNumberReference, keyId?: string): Buffer {
  const what = keyId === undefined ? 'number' : `key ${keyId}`;
  return Buffer.from(`${scope.accountId}/${scope.environment}/${cardId}/${what}`, 'utf8');
}

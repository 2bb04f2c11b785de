import type { CardNumberReference, SealedCardNumber } from '@pos/store/payments';

/** The key of a number as it is stored: its bytes under the master key that the id names. */
export type WrappedKey = Pick<SealedCardNumber, 'keyId' | 'wrappedKey'>;

/** A wrapped key, and the card whose number it opens. */
export interface StoredKey extends WrappedKey {
  readonly cardReference: CardNumberReference;
}

/** The key of a number, and the card whose number it opens. */
export interface OpenedKey {
  readonly cardReference: CardNumberReference;
  readonly dataKey: Buffer;
}

/** A key for one number that is not stored yet. */
export interface NewDataKey {
  readonly dataKey: Buffer;
  /** The key as it is stored with this card. It makes no call, so a transaction may use it. */
  readonly wrapFor: (cardReference: CardNumberReference) => WrappedKey;
}

/**
 * Keeps master keys and wraps the keys of numbers with them. A provider that cannot answer now refuses with
 * `service_unavailable`: nothing was done. Every other error is about the key or the bytes, and a repeat does not help.
 */
export interface MasterKeyProvider {
  /** Whether a key with this id belongs to this provider, whether it still exists or not. */
  hasKey(keyId: string): boolean;
  /** The id of the key that wraps from now on. */
  findCurrentKeyId(): Promise<string>;
  /** A random key for one number, wrapped by the current master key. */
  createDataKey(): Promise<NewDataKey>;
  /** Wraps keys by the current master key, in their order. */
  wrap(keys: readonly OpenedKey[]): Promise<WrappedKey[]>;
  /** Unwraps keys of this provider, in their order. */
  unwrap(keys: readonly StoredKey[]): Promise<Buffer[]>;
  /** Wraps keys of this provider by the current master key, in their order. */
  rewrap(keys: readonly StoredKey[]): Promise<WrappedKey[]>;
  close(): void;
}

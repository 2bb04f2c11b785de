import { randomBytes } from 'node:crypto';
import { formatScope } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import type { CardNumberReference } from '@pos/store/payments';
import type { VaultKeys } from '../config/vault-keys.js';
import { KEY_BYTES, openBytes, sealBytes } from './sealed-bytes.js';
import type { MasterKeyProvider, NewDataKey, OpenedKey, StoredKey, WrappedKey } from './master-key-provider.js';

/** The master keys of the settings. They wrap in this process, and bind each key to its card. */
export class SettingsKeyProvider implements MasterKeyProvider {
  constructor(private readonly masters: VaultKeys) {}

  hasKey(keyId: string): boolean {
    return this.masters.keys.has(keyId);
  }

  findCurrentKeyId(): Promise<string> {
    return Promise.resolve(this.masters.currentId);
  }

  createDataKey(): Promise<NewDataKey> {
    const dataKey = randomBytes(KEY_BYTES);
    return Promise.resolve({ dataKey, wrapFor: (cardReference) => this.#wrap({ cardReference, dataKey }) });
  }

  wrap(keys: readonly OpenedKey[]): Promise<WrappedKey[]> {
    return Promise.resolve(keys.map((key) => this.#wrap(key)));
  }

  async unwrap(keys: readonly StoredKey[]): Promise<Buffer[]> {
    return Promise.resolve(keys.map((key) => this.#unwrap(key)));
  }

  async rewrap(keys: readonly StoredKey[]): Promise<WrappedKey[]> {
    const opened = keys.map((key) => ({ cardReference: key.cardReference, dataKey: this.#unwrap(key) }));
    return this.wrap(opened);
  }

  close(): void {
    // There is no connection.
  }

  #wrap({ cardReference, dataKey }: OpenedKey): WrappedKey {
    const keyId = this.masters.currentId;
    return { keyId, wrappedKey: sealBytes(this.#getKey(keyId), buildKeyData(cardReference, keyId), dataKey) };
  }

  #unwrap({ cardReference, keyId, wrappedKey }: StoredKey): Buffer {
    return openBytes(this.#getKey(keyId), buildKeyData(cardReference, keyId), wrappedKey);
  }

  #getKey(keyId: string): Uint8Array {
    return requireValue(this.masters.keys.get(keyId), `the master key ${keyId}`);
  }
}

/** A number and its wrapped key have different associated data, so one is never accepted for the other. */
function buildKeyData({ scope, cardId }: CardNumberReference, keyId: string): Buffer {
  return Buffer.from(`${formatScope(scope)}/${cardId}/key ${keyId}`, 'utf8');
}

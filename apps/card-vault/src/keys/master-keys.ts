import { assert, requireValue } from '@pos/core/refusals';
import type { MasterKeyProvider, NewDataKey, StoredKey, WrappedKey } from './master-key-provider.js';

/**
 * The master keys of the vault, from one or more providers: the first wraps new keys, and each unwraps what it has
 * wrapped. So stored numbers move from one provider to another while payments continue.
 */
export class MasterKeys {
  readonly #providers: readonly [MasterKeyProvider, ...MasterKeyProvider[]];

  constructor(providers: readonly [MasterKeyProvider, ...MasterKeyProvider[]]) {
    this.#providers = providers;
  }

  /** The id of the master key that wraps from now on. */
  findCurrentKeyId(): Promise<string> {
    return this.#providers[0].findCurrentKeyId();
  }

  createDataKey(): Promise<NewDataKey> {
    return this.#providers[0].createDataKey();
  }

  /** Throws for a key that no provider has, and for bytes that are not of this key. */
  async unwrap(key: StoredKey): Promise<Buffer> {
    const [dataKey] = await this.#getProvider(key).unwrap([key]);
    return requireValue(dataKey, 'the unwrapped key');
  }

  /** Wraps keys by the current master key, in their order. */
  async rewrap(keys: readonly StoredKey[]): Promise<WrappedKey[]> {
    const [current] = this.#providers;
    const rewrapped = new Map<StoredKey, WrappedKey>();
    for (const provider of new Set(keys.map((key) => this.#getProvider(key)))) {
      const own = keys.filter((key) => this.#getProvider(key) === provider);
      const wrapped = provider === current ? await provider.rewrap(own) : await moveKeys(own, provider, current);
      assert(wrapped.length === own.length, 'each key was wrapped');
      for (const [index, key] of own.entries()) rewrapped.set(key, requireValue(wrapped[index], 'the wrapped key'));
    }
    return keys.map((key) => requireValue(rewrapped.get(key), 'the wrapped key'));
  }

  close(): void {
    for (const provider of this.#providers) provider.close();
  }

  #getProvider({ keyId }: Pick<StoredKey, 'keyId'>): MasterKeyProvider {
    return requireValue(
      this.#providers.find((provider) => provider.hasKey(keyId)),
      `the master key ${keyId}`,
    );
  }
}

async function moveKeys(
  keys: readonly StoredKey[],
  from: MasterKeyProvider,
  to: MasterKeyProvider,
): Promise<WrappedKey[]> {
  const dataKeys = await from.unwrap(keys);
  return to.wrap(
    keys.map(({ cardReference }, index) => ({
      cardReference,
      dataKey: requireValue(dataKeys[index], 'the unwrapped key'),
    })),
  );
}

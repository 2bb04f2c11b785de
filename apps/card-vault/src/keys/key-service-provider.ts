import { randomBytes } from 'node:crypto';
import { assert, requireValue } from '@pos/core/refusals';
import { z } from 'zod';
import { KEY_BYTES } from './sealed-bytes.js';
import type { KeyServiceAnswer, KeyServiceClient, KeyServiceOperation } from './key-service-client.js';
import type { MasterKeyProvider, NewDataKey, OpenedKey, StoredKey, WrappedKey } from './master-key-provider.js';

/** Ids of this provider are `key-service/NAME/vVERSION`. A slash is in no id of the settings. */
const KEY_ID = /^key-service\/([A-Za-z0-9_.-]{1,128})\/v([1-9]\d{0,8})$/;
/** What the service returns for a wrapped key; it contains the version of the key. */
const CIPHERTEXT = /^[a-z][a-z0-9_-]{0,30}:v([1-9]\d{0,8}):[A-Za-z0-9+/]+={0,2}$/;

const BATCH = z.object({
  data: z.object({
    batch_results: z.array(
      z.object({
        ciphertext: z.string().optional(),
        plaintext: z.string().optional(),
        error: z.string().optional(),
      }),
    ),
  }),
});
const KEY = z.object({ data: z.object({ latest_version: z.number().int().min(1) }) });
type Result = z.output<typeof BATCH>['data']['batch_results'][number];

/**
 * Master keys in the Transit engine of OpenBao or HashiCorp Vault, which they never leave. The key of each number is
 * wrapped and unwrapped by one call. A wrapped key is not bound to its card here; the number is, so a wrapped key of
 * another row decrypts nothing.
 */
export class KeyServiceProvider implements MasterKeyProvider {
  constructor(
    private readonly client: KeyServiceClient,
    /** The name of the key that wraps. */
    private readonly keyName: string,
  ) {}

  hasKey(keyId: string): boolean {
    return KEY_ID.test(keyId);
  }

  async findCurrentKeyId(): Promise<string> {
    const answer = await this.client.call('keys', this.keyName);
    assert(answer.status !== 404, `the key service has no key ${this.keyName}`);
    const version = KEY.safeParse(answer.body).data?.data.latest_version;
    assert(version !== undefined, `the key service does not describe the key ${this.keyName}`);
    return formatKeyId(this.keyName, version);
  }

  async createDataKey(): Promise<NewDataKey> {
    const dataKey = randomBytes(KEY_BYTES);
    const [wrapped] = await this.#encrypt([dataKey]);
    assert(wrapped !== undefined, 'the key service has wrapped the key');
    return { dataKey, wrapFor: () => wrapped };
  }

  wrap(keys: readonly OpenedKey[]): Promise<WrappedKey[]> {
    return this.#encrypt(keys.map(({ dataKey }) => dataKey));
  }

  async unwrap(keys: readonly StoredKey[]): Promise<Buffer[]> {
    const opened = new Map<StoredKey, Buffer>();
    for (const name of new Set(keys.map(({ keyId }) => readKeyName(keyId)))) {
      const ofName = keys.filter(({ keyId }) => readKeyName(keyId) === name);
      const items = ofName.map(({ wrappedKey }) => ({ ciphertext: wrappedKey.toString('latin1') }));
      const results = await this.#callBatch('decrypt', name, items);
      for (const [index, key] of ofName.entries()) opened.set(key, readDataKey(results[index]));
    }
    return keys.map((key) => requireValue(opened.get(key), 'the key that was unwrapped'));
  }

  async rewrap(keys: readonly StoredKey[]): Promise<WrappedKey[]> {
    // The service wraps again without showing the key, where the name stays the same.
    if (keys.every(({ keyId }) => readKeyName(keyId) === this.keyName)) {
      const items = keys.map(({ wrappedKey }) => ({ ciphertext: wrappedKey.toString('latin1') }));
      return (await this.#callBatch('rewrap', this.keyName, items)).map((result) => this.#readWrappedKey(result));
    }
    return this.#encrypt(await this.unwrap(keys));
  }

  close(): void {
    this.client.close();
  }

  async #encrypt(dataKeys: readonly Buffer[]): Promise<WrappedKey[]> {
    const items = dataKeys.map((dataKey) => ({ plaintext: dataKey.toString('base64') }));
    return (await this.#callBatch('encrypt', this.keyName, items)).map((result) => this.#readWrappedKey(result));
  }

  async #callBatch(operation: KeyServiceOperation, key: string, items: readonly object[]): Promise<Result[]> {
    const answer = await this.client.call(operation, key, { batch_input: items });
    const results = BATCH.safeParse(answer.body).data?.data.batch_results;
    assert(results?.length === items.length, describeProblem(operation, key, answer));
    return results;
  }

  #readWrappedKey({ ciphertext = '' }: Result): WrappedKey {
    const [, version] = CIPHERTEXT.exec(ciphertext) ?? [];
    assert(version !== undefined, `the key service has wrapped no key by ${this.keyName}`);
    return { keyId: formatKeyId(this.keyName, Number(version)), wrappedKey: Buffer.from(ciphertext, 'latin1') };
  }
}

function formatKeyId(name: string, version: number): string {
  return `key-service/${name}/v${version}`;
}

function readKeyName(keyId: string): string {
  const [, name] = KEY_ID.exec(keyId) ?? [];
  assert(name !== undefined, `the key ${keyId} is none of the key service`);
  return name;
}

function readDataKey(result: Result | undefined): Buffer {
  const dataKey = Buffer.from(result?.plaintext ?? '', 'base64');
  assert(dataKey.length === KEY_BYTES, 'the key service cannot unwrap the key of a number');
  return dataKey;
}

/** Without the body of the answer, which may contain keys. */
function describeProblem(operation: KeyServiceOperation, key: string, { status }: KeyServiceAnswer): string {
  return `the key service answers ${status} to ${operation} with the key ${key}`;
}

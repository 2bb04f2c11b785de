import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IssuedCertificate } from '@pos/service-kit/network';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What the service does instead of answering. */
export type KeyServiceFault = 'hangs' | 'isSealed' | 'dropsConnections' | 'answersHtml';

interface BatchItem {
  readonly plaintext?: string;
  readonly ciphertext?: string;
}

/** A key of the engine: its versions, the newest last, and the first one that still decrypts. */
interface TransitKey {
  readonly versions: Buffer[];
  decryptsFrom: number;
}

/**
 * The Transit engine of OpenBao and HashiCorp Vault as their public documents describe it: encrypt, decrypt and rewrap in
 * batches, description of keys, tokens, versions. Each operation is counted, and plaintexts are kept for a search.
 */
export class KeyServiceSimulator {
  readonly calls: string[] = [];
  readonly plaintexts: string[] = [];
  fault: KeyServiceFault | null = null;
  token: string;
  readonly #keys = new Map<string, TransitKey>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {
    this.token = `hvs.${randomBytes(24).toString('base64url')}`;
    this.createKey('card-numbers');
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async open(certificate: IssuedCertificate | null = null): Promise<KeyServiceSimulator> {
    const server = certificate === null ? createHttpServer() : createHttpsServer(certificate);
    const simulator = new KeyServiceSimulator(server, certificate === null ? 'http' : 'https');
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return simulator;
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  createKey(name: string): void {
    this.#keys.set(name, { versions: [randomBytes(32)], decryptsFrom: 1 });
  }

  rotateKey(name: string): void {
    this.#keys.get(name)!.versions.push(randomBytes(32));
  }

  setMinDecryptionVersion(name: string, version: number): void {
    this.#keys.get(name)!.decryptsFrom = version;
  }

  /** How often each operation was called since the last time. */
  takeCalls(): string[] {
    return this.calls.splice(0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [, , mount, operation = '', name = ''] = (request.url ?? '').split('/');
    this.calls.push(operation);
    if (this.fault === 'hangs') return;
    if (this.fault === 'dropsConnections') {
      response.destroy();
      return;
    }
    if (this.fault === 'answersHtml') {
      response.writeHead(502).end('<html>Bad gateway</html>');
      return;
    }
    const isKnown = request.headers['x-vault-token'] === this.token;
    const key = mount === 'transit' ? this.#keys.get(name) : undefined;
    const [status, content] = this.#answer({ isKnown, operation, key }, Buffer.concat(parts).toString('utf8'));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  }

  #answer(
    call: { readonly isKnown: boolean; readonly operation: string; readonly key: TransitKey | undefined },
    body: string,
  ): [number, object] {
    const { isKnown, operation, key } = call;
    if (this.fault === 'isSealed') return [503, { errors: ['Vault is sealed'] }];
    if (!isKnown) return [403, { errors: ['permission denied'] }];
    if (key === undefined) return [404, { errors: [] }];
    if (operation === 'keys') return [200, { data: { latest_version: key.versions.length } }];
    const { batch_input: items } = JSON.parse(body) as { batch_input: BatchItem[] };
    const results = items.map((item) => this.#apply(operation, key, item));
    return [results.some((result) => 'error' in result) ? 400 : 200, { data: { batch_results: results } }];
  }

  #apply(operation: string, key: TransitKey, item: BatchItem): object {
    if (operation === 'encrypt') {
      const plaintext = item.plaintext ?? '';
      this.plaintexts.push(plaintext);
      return { ciphertext: encrypt(key, Buffer.from(plaintext, 'base64')), key_version: key.versions.length };
    }
    try {
      const clear = decrypt(key, item.ciphertext ?? '');
      if (operation === 'decrypt') return { plaintext: clear.toString('base64') };
      return { ciphertext: encrypt(key, clear), key_version: key.versions.length };
    } catch (error) {
      return { error: (error as Error).message };
    }
  }
}

function encrypt({ versions }: TransitKey, clear: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', versions.at(-1)!, nonce);
  const bytes = Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
  return `vault:v${versions.length}:${bytes.toString('base64')}`;
}

function decrypt({ versions, decryptsFrom }: TransitKey, text: string): Buffer {
  const [, number = '0', base64 = ''] = /^vault:v(\d+):(.+)$/.exec(text) ?? [];
  const version = versions[Number(number) - 1];
  if (version === undefined) throw new Error('invalid ciphertext: unable to decode');
  if (Number(number) < decryptsFrom)
    throw new Error('ciphertext or signature version is disallowed by policy (too old)');
  const bytes = Buffer.from(base64, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', version, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

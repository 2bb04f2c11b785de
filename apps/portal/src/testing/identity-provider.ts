import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test changes of an otherwise correct answer. Claims that are undefined are left out. */
export interface TokenChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the provider does not publish. */
  readonly isForged?: boolean;
}

const CLIENT = { id: 'portal', secret: 'a secret of the portal' };
const KEY_ID = 'one';
const LIFE_S = 300;

/** A small OpenID Connect provider on a real socket. It checks the code, PKCE, the secret and the redirect address. */
export class IdentityProvider {
  readonly #keys = { right: createKeys(), wrong: createKeys() };
  readonly #requests = new Map<string, URLSearchParams>();
  readonly #server: Server;
  changes: TokenChanges = {};
  /** The address of the portal that is registered. */
  readonly portalUrl = 'https://portal.example';

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async open(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The settings of a portal whose users may sign in here. */
  get settings(): Readonly<Record<string, string>> {
    return {
      ...{ OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
      PORTAL_BASE_URL: this.portalUrl,
    };
  }

  /** The user signs in at the address that the portal leads to. Returns the query of the callback. */
  authorize(address: string): string {
    const { origin, pathname, searchParams } = new URL(address);
    const expected = { response_type: 'code', client_id: CLIENT.id, code_challenge_method: 'S256' };
    for (const [name, value] of Object.entries(expected)) {
      if (searchParams.get(name) !== value) throw new Error(`${name} is ${searchParams.get(name) ?? 'absent'}`);
    }
    if (origin !== this.issuer || pathname !== '/authorize') throw new Error(`the portal leads to ${address}`);
    if (searchParams.get('redirect_uri') !== `${this.portalUrl}/portal/oidc/callback`) throw new Error('redirect_uri');
    const code = randomUUID();
    this.#requests.set(code, searchParams);
    return `?${new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [status, body] = this.#respond(request, new URLSearchParams(Buffer.concat(parts).toString('utf8')));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  #respond({ url, headers }: IncomingMessage, form: URLSearchParams): [number, unknown] {
    if (url === '/.well-known/openid-configuration') return [200, this.#describe()];
    if (url === '/jwks') {
      const key = this.#keys.right.publicKey.export({ format: 'jwk' });
      return [200, { keys: [{ ...key, kid: KEY_ID, use: 'sig', alg: 'RS256' }] }];
    }
    if (url !== '/token') return [404, {}];
    const code = form.get('code') ?? '';
    const authorization = this.#requests.get(code);
    this.#requests.delete(code);
    if (headers.authorization !== formatBasic(CLIENT)) return [401, { error: 'invalid_client' }];
    if (authorization === undefined) return [400, { error: 'invalid_grant' }];
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isProven = challenge === authorization.get('code_challenge');
    const isLedBack = form.get('redirect_uri') === authorization.get('redirect_uri');
    if (!isProven || !isLedBack) return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'x', token_type: 'Bearer', id_token: this.#createToken(authorization) }];
  }

  #createToken(authorization: URLSearchParams): string {
    const { claims = {}, isForged = false } = this.changes;
    const now = Math.floor(Date.now() / 1_000);
    const { privateKey } = isForged ? this.#keys.wrong : this.#keys.right;
    return signToken(privateKey, {
      ...{ iss: this.issuer, aud: CLIENT.id, sub: 'ann', iat: now, exp: now + LIFE_S },
      ...{ nonce: authorization.get('nonce'), email_verified: true },
      ...claims,
    });
  }

  #describe() {
    const { issuer } = this;
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }
}

function createKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 });
}

function signToken(key: KeyObject, claims: Readonly<Record<string, unknown>>): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** Both parts are form-encoded first (RFC 6749, 2.3.1). */
function formatBasic({ id, secret }: typeof CLIENT): string {
  const encode = (part: string): string => encodeURIComponent(part).replaceAll('%20', '+');
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

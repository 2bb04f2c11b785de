import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AccountId, MemberRole, Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { createPortalUser, grantPortalRole } from '@pos/administration/portal';
import { makeAttemptsCheap } from '@pos/administration/testing';
import { readConfig } from '@pos/service-kit/config';
import type { HttpServer } from '@pos/service-kit/http';
import { createLog } from '@pos/service-kit/telemetry';
import { createTestDatabase, createTestScope, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { createAccount } from '@pos/store/repositories';
import { TestLog } from '@pos/testing';
import { Config } from '../config/config.js';
import { startPortal } from '../portal-server.js';
import { type ApiProcess, startApiProcess } from './api-process.js';

/** An answer as it arrived. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The reason of a problem; null for another answer. */
  readonly reason: string | null;
}

export interface TestRequest {
  /** The cookie of a session; none when left out. */
  readonly cookie?: string | null;
  readonly body?: unknown;
  /** Replaces or, by null, leaves out a header that a page of the portal sends. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export const PASSWORD = 'a heron for 7 tests';
export const PORTAL_KEY = 'a key of the portal for tests, which is long enough';
const CHANGE = { actor: 'test', reason: 'a test' };
const PAGE_HEADERS = { 'sec-fetch-site': 'same-origin', version: '2026-02-27' };

/** Where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

/** The portal on a real socket, before the built API, on one database with two accounts. Its sign-ins cost little. */
export class PortalTestEnvironment {
  readonly own = createTestScope();
  readonly other = createTestScope();
  #owner: ReturnType<TestDatabase['open']> | null = null;
  #users = 0;
  #addresses = 0;
  readonly #restoreCost = makeAttemptsCheap();

  private constructor(
    readonly testDatabase: TestDatabase,
    private readonly api: ApiProcess | null,
    readonly portal: HttpServer,
    readonly log: TestLog,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<PortalTestEnvironment> {
    const testDatabase = await createTestDatabase();
    return PortalTestEnvironment.#openOn(testDatabase, await startApiProcess(testDatabase, PORTAL_KEY), settings);
  }

  /** For tests of what the portal does itself: to start the API takes longer than most of them. */
  static async openWithoutApi(settings: Readonly<Record<string, string>> = {}): Promise<PortalTestEnvironment> {
    return PortalTestEnvironment.#openOn(await createTestDatabase(), null, settings);
  }

  static async #openOn(
    testDatabase: TestDatabase,
    api: ApiProcess | null,
    settings: Readonly<Record<string, string>>,
  ): Promise<PortalTestEnvironment> {
    const log = new TestLog();
    const portal = await startTestPortal({ testDatabase, api, log, settings });
    const environment = new PortalTestEnvironment(testDatabase, api, portal, log);
    await environment.addAccount(environment.own.accountId);
    await environment.addAccount(environment.other.accountId);
    return environment;
  }

  /** Starts another portal on the database of an environment, which is expected to refuse. */
  static async startPortalBeside(
    { testDatabase, api, log }: PortalTestEnvironment,
    settings: Readonly<Record<string, string>>,
  ): Promise<void> {
    await (await startTestPortal({ testDatabase, api, log, settings })).close();
  }

  async close(): Promise<void> {
    await this.portal.close();
    if (this.api !== null) {
      this.api.child.kill('SIGTERM');
      await once(this.api.child, 'exit');
    }
    await this.testDatabase.close();
    this.#restoreCost();
    this.log.expectNoLeaks();
  }

  async addAccount(id: AccountId): Promise<void> {
    await createAccount(this.testDatabase.database, {
      ...{ id, name: `account ${id}`, tradingName: 'The Corner Table', currencies: ['GBP'], settings: {} },
      locationId: createId('location', 'sandbox', randomBytes(16)),
      merchantId: randomBytes(5).toString('hex'),
      createdAt: new Date('2026-01-01T00:00:00.000Z'),
    });
  }

  /** A new user with a role in the own account; an operator without one. Returns the address. */
  async createUser(role: MemberRole | 'operator' | null, scope: Scope = this.own): Promise<string> {
    const email = `user${(this.#users += 1)}@corner.example`;
    const { database } = this.testDatabase;
    await createPortalUser(database, CHANGE, {
      ...{ email, name: 'Ann Lee', password: PASSWORD, isOperator: role === 'operator', isPasswordFinal: true },
    });
    if (role !== null && role !== 'operator') {
      await grantPortalRole(database, CHANGE, { email, membership: { ...scope, role } });
    }
    return email;
  }

  /** The cookie of a new session of a new user, who works in the own account. */
  async signInAs(role: MemberRole | 'operator'): Promise<string> {
    const cookie = await this.signIn(await this.createUser(role));
    if (role === 'operator') await this.send('PUT', '/portal/session/account', { cookie, body: this.own });
    return cookie;
  }

  async signIn(email: string, password = PASSWORD): Promise<string> {
    const answer = await this.send('POST', '/portal/session', { body: { email, password } });
    const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat();
    if (answer.status !== 200) throw new Error(`sign-in: ${answer.text}`);
    return cookie.split(';', 1)[0] ?? '';
  }

  /** Changes rows as the owner of the database. */
  async change(sql: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    // It is closed with the test database.
    this.#owner ??= this.testDatabase.open({ url: this.testDatabase.ownerUrl });
    return (await this.#owner).dataSource.query(sql, [...values]);
  }

  /** Sends a request as a page of the portal does; each from an address of its own. */
  send(method: string, path: string, { cookie = null, body, headers = {} }: TestRequest = {}): Promise<TestAnswer> {
    return sendRequest(this.portal.url, method, {
      ...{ path, body },
      headers: {
        ...PAGE_HEADERS,
        'x-forwarded-for': `10.1.${(this.#addresses += 1) >> 8}.${this.#addresses & 255}`,
        ...(cookie !== null && { cookie }),
        ...headers,
      },
    });
  }

  /** Sends a payment to the API itself, with this header `authorization`. */
  sendPaymentToApi(authorization: string, body: string): Promise<TestAnswer> {
    const headers = { version: '2026-02-27', authorization };
    return sendRequest(this.api?.url ?? NOWHERE, 'POST', { path: '/payment-intents', body, headers });
  }
}

function startTestPortal({
  testDatabase,
  api,
  log,
  settings,
}: Pick<PortalTestEnvironment, 'testDatabase' | 'log'> & {
  readonly api: ApiProcess | null;
  readonly settings: Readonly<Record<string, string>>;
}): Promise<HttpServer> {
  const config = readConfig(Config, {
    DATABASE_URL: testDatabase.url,
    DATABASE_CONNECTIONS: '4',
    ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
    KEY_PEPPER: TEST_SECRETS.pepper,
    ...{ API_URL: api?.url ?? NOWHERE, PORTAL_KEY, HTTP_PORT: '0', NODE_ENV: 'test', TRUSTED_PROXIES: '127.0.0.1' },
    ...settings,
  });
  return startPortal(config, createLog({ app: 'portal', level: 'debug', write: log.write }));
}

function sendRequest(
  baseUrl: string,
  method: string,
  { path, headers, body }: { path: string; headers: Readonly<Record<string, string | null>>; body?: unknown },
): Promise<TestAnswer> {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const all: Record<string, string | null> = {
    ...(payload !== undefined && {
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(payload)}`,
    }),
    ...headers,
  };
  const sent = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, method, path, headers: sent, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, reason: readReason(text) });
      });
    });
    asking.on('error', reject);
    asking.end(payload);
  });
}

/** The JSON of an answer, as the test expects it. */
export function readBody<T>(text: string): T {
  return JSON.parse(text) as T;
}

function readReason(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'reason' in value ? String(value.reason) : null;
  } catch {
    return null;
  }
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PERMISSIONS, ROLES } from '@pos/core/identity';
import type { RefusalCode } from '@pos/core/refusals';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation';
import { Problem, PROBLEMS } from '@pos/rest-contracts/testing';
import {
  CuttableProxy,
  expectCovered,
  findUntestedRefusals,
  formatStatusTable,
  getSuccessStatus,
  selectRows,
} from '@pos/testing';
import type { CardVaultServer } from './vault-server.js';
import {
  type AcceptedRequest,
  createAcceptedRequests,
  type RefusalCase,
  createOwnRefusals,
  restoreEnvironment,
} from './testing/vault-requests.js';
import { VaultTestEnvironment } from './testing/vault-test-environment.js';
import { type VaultResponse, type VaultRequest } from './testing/card-requests.js';
import { changeTestSettings } from '@pos/payments/testing';

let testEnvironment: VaultTestEnvironment;
/** A vault with a short deadline for the acquirer's answers. */
let shortDeadlineVault: CardVaultServer;
/** A vault whose connection to the database can be cut. */
let remote: CardVaultServer;
let proxy: CuttableProxy;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  shortDeadlineVault = await testEnvironment.startWithShortDeadline();
  proxy = await CuttableProxy.open();
  remote = await testEnvironment.startAnother({
    DATABASE_URL: proxy.connectTo(testEnvironment.buildEnvironment()['DATABASE_URL'] ?? ''),
  });
});
beforeEach(() => restoreEnvironment(testEnvironment));
afterAll(async () => {
  await testEnvironment.close();
  await proxy.close();
});

const ACCEPTED = createAcceptedRequests(() => testEnvironment);
const OWN_REFUSALS: readonly RefusalCase[] = createOwnRefusals(
  () => testEnvironment,
  () => shortDeadlineVault,
);
/** Tested below for all operations at once; a lost COMMIT is tested in the store. */
const NOT_TESTED_REFUSALS: readonly RefusalCode[] = ['rate_limited', 'service_unavailable', 'commit_unknown'];

async function getAcceptedRequest({ id }: Operation): Promise<AcceptedRequest> {
  const created = await ACCEPTED[id]?.();
  if (created === undefined) throw new Error(`no accepted request of ${id}`);
  return created;
}

/** Sends the request with these overrides. */
function sendRequest(
  { path, body, ...sent }: Omit<AcceptedRequest, 'invalid'>,
  overrides: VaultRequest & { readonly body?: unknown } = {},
) {
  const headers = { ...sent.headers, ...overrides.headers };
  return testEnvironment.postJson(path, 'body' in overrides ? overrides.body : body, {
    ...sent,
    ...overrides,
    headers,
  });
}

/** The code of a refusal, which only the log contains. */
function findCode({ headers }: VaultResponse): unknown {
  const traceId = String(headers['trace-id']).split('-')[1] ?? '';
  const published = testEnvironment.logLines.find(
    (each) => each.includes(`"${traceId}"`) && each.includes('"http.answered"'),
  );
  return published === undefined ? null : (JSON.parse(published) as Record<string, unknown>)['refusal'];
}

/** Checks a refusal's code and problem. A payer's refusal is also a result that contains the status. */
function expectRefusal(answer: VaultResponse, code: RefusalCode, { clientSecret }: Operation): void {
  const { status } = PROBLEMS[code];
  expect([findCode(answer), answer.status, answer.body['status']]).toEqual([code, status, status]);
  expect(Problem.parse(answer.body)).toMatchObject({ type: PROBLEMS[code].type });
  expect(answer.body['statusCode']).toBe(clientSecret === true ? status : undefined);
}

const createUnknownKey = (): string => `Basic sk_sandbox_${randomBytes(32).toString('base64url')}`;

/** How an accepted request is changed so that it is refused with the code. */
const MALFORMED_REQUESTS: Partial<Record<RefusalCode, (operation: Operation) => Promise<VaultResponse>>> = {
  unauthenticated: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { headers: { authorization: createUnknownKey() } }),
  permission_missing: async (operation) => {
    const authorization = `Basic ${await testEnvironment.createKey(ROLES.full)}`;
    return sendRequest(await getAcceptedRequest(operation), { headers: { authorization } });
  },
  version_invalid: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { headers: { version: '2022-04-06' } }),
  partner_not_registered: async (operation) => {
    const authorization = `Basic ${await testEnvironment.createKey(PERMISSIONS, testEnvironment.production)}`;
    const headers = { authorization, 'reseller-id': 'nobody' };
    return sendRequest(await getAcceptedRequest(operation), { headers });
  },
  validation_failed: async (operation) => {
    const request = await getAcceptedRequest(operation);
    return sendRequest(request, { body: request.invalid });
  },
  media_type_unsupported: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { headers: { 'content-type': 'text/plain' } }),
  body_too_large: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { body: `"${'x'.repeat(1024 * 1024)}"` }),
  body_malformed: async (operation) => sendRequest(await getAcceptedRequest(operation), { body: '{"cardNumber":' }),
  idempotency_key_invalid: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { headers: { idempotencyKey: 'a b' } }),
  idempotency_key_reused: async (operation) => {
    const request = await getAcceptedRequest(operation);
    const headers = { idempotencyKey: 'once' };
    expect((await sendRequest(request, { headers })).status).toBe(200);
    return sendRequest(request, { headers, body: { ...request.body, reference: 'another' } });
  },
  idempotency_in_progress: async (operation) => {
    const request = await getAcceptedRequest(operation);
    const headers = { idempotencyKey: 'running' };
    // The acquirer answers only when its clock is moved, so one request finds the other in progress.
    testEnvironment.setRules({ match: {}, effect: 'delay', delayMs: 1_000, times: 1 });
    const both = [sendRequest(request, { headers }), sendRequest(request, { headers })];
    const answer = await Promise.race(both);
    const ended = Promise.all(both);
    while ((await Promise.race([ended, pause(20)])) === undefined) await testEnvironment.outside.clock.advanceBy(1_000);
    const statuses = (await ended).map(({ status }) => status);
    expect([answer.headers['retry-after'], statuses.sort()]).toEqual(['1', [200, 409]]);
    return answer;
  },
};

describe('one change makes an accepted request refused', () => {
  test.each(CARD_VAULT_OPERATIONS.map((operation) => [operation.id, getSuccessStatus(operation), operation] as const))(
    '%s: %i',
    async (_, status, operation) => {
      expect((await sendRequest(await getAcceptedRequest(operation))).status).toBe(status);
    },
  );

  const rows = CARD_VAULT_OPERATIONS.flatMap((operation) =>
    commonRefusals(operation)
      .filter((code) => !NOT_TESTED_REFUSALS.includes(code))
      .map((code) => [operation.id, code, operation] as const),
  );
  // Each code once, and each permission.
  const kindOf = ([id, code]: (typeof rows)[number]) => (code === 'permission_missing' ? `${id} ${code}` : code);
  test.each(selectRows(rows, kindOf))('%s: %s', async (_, code, operation) => {
    const sendRefused = MALFORMED_REQUESTS[code];
    if (sendRefused === undefined) throw new Error(`no test sends a request that is refused with ${code}`);
    expectRefusal(await sendRefused(operation), code, operation);
  });
});

describe('an operation refuses what its state or its rules forbid', () => {
  test.each(selectRows(OWN_REFUSALS, ([, code]) => code))('%s: %s', async (id, code, make) => {
    const operation = CARD_VAULT_OPERATIONS.find((each) => each.id === id)!;
    expectRefusal(await sendRequest(await make()), code, operation);
  });

  test('every declared refusal is tested', () => {
    expect(findUntestedRefusals(CARD_VAULT_OPERATIONS, OWN_REFUSALS)).toEqual([]);
  });

  test('docs/reference/response-coverage.md lists every status and its refusals', () => {
    expectCovered('vault statuses', formatStatusTable(CARD_VAULT_OPERATIONS));
  });
});

test('a merchant with too many requests gets 429 with retry-after', async () => {
  await setRateLimit(1);
  const request = await getAcceptedRequest(CARD_VAULT_OPERATIONS.find(({ clientSecret }) => clientSecret !== true)!);
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendRequest(request, { body: {} })));
  await setRateLimit(null);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
});

function setRateLimit(rateLimitPerSecond: number | null): Promise<void> {
  return changeTestSettings(testEnvironment.database, testEnvironment.sandbox, { rateLimitPerSecond });
}

test('without its database every operation answers 503 with retry-after, and succeeds again afterwards', async () => {
  const requests = await Promise.all(CARD_VAULT_OPERATIONS.map(getAcceptedRequest));
  proxy.cutConnections();
  for (const [index, operation] of CARD_VAULT_OPERATIONS.entries()) {
    const answer = await sendRequest({ ...requests[index]!, at: remote });
    expectRefusal(answer, 'service_unavailable', operation);
    expect(answer.headers['retry-after']).toBe('1');
  }
  proxy.restoreConnections();
  for (const request of requests) expect((await sendRequest({ ...request, at: remote })).status).toBe(200);
});

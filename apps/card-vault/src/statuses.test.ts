import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ROLES } from '@pos/core/identity/permissions';
import type { RefusalCode } from '@pos/core/refusals/refusal';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault/client-payments';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation/operation';
import { Problem, PROBLEMS } from '@pos/rest-contracts/problems/problems';
import { expectCovered, findUntestedRefusals, formatStatusTable, getSuccessStatus } from '@pos/testing/coverage';
import { CuttableProxy } from '@pos/testing/cuttable-proxy';
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

let testEnvironment: VaultTestEnvironment;
/** Gives up on the acquirer soon. */
let shortDeadlineVault: CardVaultServer;
/** A process whose way to the database can be cut. */
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
/** Shown below of all operations at once, and a lost COMMIT by its owner. */
const NOT_TESTED_REFUSALS: readonly RefusalCode[] = ['rate_limited', 'service_unavailable', 'commit_unknown'];

async function getAcceptedRequest({ id }: Operation): Promise<AcceptedRequest> {
  const created = await ACCEPTED[id]?.();
  if (created === undefined) throw new Error(`no accepted request of ${id}`);
  return created;
}

/** The request, with what is said of it changed. */
function sendRequest(
  { path, body, ...sent }: Omit<AcceptedRequest, 'wrong'>,
  overrides: VaultRequest & { readonly body?: unknown } = {},
) {
  const headers = { ...sent.headers, ...overrides.headers };
  return testEnvironment.postJson(path, 'body' in overrides ? overrides.body : body, {
    ...sent,
    ...overrides,
    headers,
  });
}

/** The code behind a refused request, which only the log tells. */
function findCode({ headers }: VaultResponse): unknown {
  const traceId = String(headers['trace-id']).split('-')[1] ?? '';
  const published = testEnvironment.logLines.find(
    (each) => each.includes(`"${traceId}"`) && each.includes('"http.answered"'),
  );
  return published === undefined ? null : (JSON.parse(published) as Record<string, unknown>)['refusal'];
}

/** The refusal of the code; a payer's is also a result that carries the status. */
function expectRefusal(answer: VaultResponse, code: RefusalCode, { clientSecret }: Operation): void {
  const { status } = PROBLEMS[code];
  expect([findCode(answer), answer.status, answer.body['status']]).toEqual([code, status, status]);
  expect(Problem.parse(answer.body)).toMatchObject({ type: PROBLEMS[code].type });
  expect(answer.body['statusCode']).toBe(clientSecret === true ? status : undefined);
}

const createUnknownKey = (): string => `Basic sk_sandbox_${randomBytes(32).toString('base64url')}`;

/** How an accepted request becomes one that is refused so. */
const MALFORMED_REQUESTS: Partial<Record<RefusalCode, (operation: Operation) => Promise<VaultResponse>>> = {
  unauthenticated: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { headers: { authorization: createUnknownKey() } }),
  permission_missing: async (operation) => {
    const authorization = `Basic ${await testEnvironment.createKey(ROLES.full)}`;
    return sendRequest(await getAcceptedRequest(operation), { headers: { authorization } });
  },
  version_invalid: async (operation) =>
    sendRequest(await getAcceptedRequest(operation), { headers: { version: '2022-04-06' } }),
  validation_failed: async (operation) => {
    const request = await getAcceptedRequest(operation);
    return sendRequest(request, { body: request.wrong });
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
    // The acquirer takes its time until its clock is moved, so one of the two finds the other at work.
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

describe('what an operation accepts becomes refused by one change', () => {
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
  test.each(rows)('%s: %s', async (_, code, operation) => {
    const spoil = MALFORMED_REQUESTS[code];
    if (spoil === undefined) throw new Error(`nobody shows how a request is refused with ${code}`);
    expectRefusal(await spoil(operation), code, operation);
  });
});

describe('an operation refuses what its state or its rules forbid', () => {
  test.each(OWN_REFUSALS)('%s: %s', async (id, code, make) => {
    const operation = CARD_VAULT_OPERATIONS.find((each) => each.id === id)!;
    expectRefusal(await sendRequest(await make()), code, operation);
  });

  test('every refusal that is declared is shown', () => {
    expect(findUntestedRefusals(CARD_VAULT_OPERATIONS, OWN_REFUSALS)).toEqual([]);
  });

  test('stands in docs/reference/response-coverage.md, with every status and what is behind it', () => {
    expectCovered('vault statuses', formatStatusTable(CARD_VAULT_OPERATIONS));
  });
});

test('a merchant who asks too often is told when to come again', async () => {
  await setRateLimit('{"rateLimitPerSecond": 1}');
  const request = await getAcceptedRequest(CARD_VAULT_OPERATIONS.find(({ clientSecret }) => clientSecret !== true)!);
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendRequest(request, { body: {} })));
  await setRateLimit('{}');
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
});

function setRateLimit(settings: string): Promise<unknown> {
  const account = testEnvironment.sandbox.accountId;
  return testEnvironment.queryRows('update accounts set settings = $2 where account_id = $1 returning account_id', [
    account,
    settings,
  ]);
}

test('without its database every operation answers 503 and says when to come back; afterwards all is as before', async () => {
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

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ROLES } from '@pos/core/permissions';
import type { RefusalCode } from '@pos/core/refusal';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/client-payments';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation';
import { Problem, PROBLEMS } from '@pos/rest-contracts/problems';
import { expectCovered, notShown, statusTable, successOf } from '@pos/service-kit/testing-coverage';
import { CuttableLine } from '@pos/service-kit/testing-line';
import type { RunningVault } from './boot.js';
import { type Accepted, acceptedRequests, type Own, ownRefusals, restore } from './testing-rows.js';
import { type Answered, type Sent, VaultWorld } from './testing.js';

let world: VaultWorld;
/** Gives up on the acquirer soon. */
let hasty: RunningVault;
/** A process whose way to the database can be cut. */
let remote: RunningVault;
let line: CuttableLine;

beforeAll(async () => {
  world = await VaultWorld.open();
  hasty = await world.hasty();
  line = await CuttableLine.open();
  remote = await world.another({ DATABASE_URL: line.to(world.env()['DATABASE_URL'] ?? '') });
});
beforeEach(() => restore(world));
afterAll(async () => {
  await world.close();
  await line.close();
});

const ACCEPTED = acceptedRequests(() => world);
const OWN: readonly Own[] = ownRefusals(
  () => world,
  () => hasty,
);
/** Shown below of all operations at once, and a lost COMMIT by its owner. */
const NOT_OF_A_REQUEST: readonly RefusalCode[] = ['rate_limited', 'service_unavailable', 'commit_unknown'];

async function accepted({ id }: Operation): Promise<Accepted> {
  const made = await ACCEPTED[id]?.();
  if (made === undefined) throw new Error(`no accepted request of ${id}`);
  return made;
}

/** The request, with what is said of it changed. */
function send({ path, body, ...sent }: Omit<Accepted, 'wrong'>, spoilt: Sent & { readonly body?: unknown } = {}) {
  const headers = { ...sent.headers, ...spoilt.headers };
  return world.post(path, 'body' in spoilt ? spoilt.body : body, { ...sent, ...spoilt, headers });
}

/** The code behind a refused request, which only the log tells. */
function codeOf({ headers }: Answered): unknown {
  const traceId = String(headers['trace-id']).split('-')[1] ?? '';
  const told = world.lines.find((each) => each.includes(`"${traceId}"`) && each.includes('"http.answered"'));
  return told === undefined ? null : (JSON.parse(told) as Record<string, unknown>)['refusal'];
}

/** The refusal of the code; a payer's is also a result that carries the status. */
function expectRefusal(answer: Answered, code: RefusalCode, { clientSecret }: Operation): void {
  const { status } = PROBLEMS[code];
  expect([codeOf(answer), answer.status, answer.body['status']]).toEqual([code, status, status]);
  expect(Problem.parse(answer.body)).toMatchObject({ type: PROBLEMS[code].type });
  expect(answer.body['statusCode']).toBe(clientSecret === true ? status : undefined);
}

const someKey = (): string => `Basic sk_sandbox_${randomBytes(32).toString('base64url')}`;

/** How an accepted request becomes one that is refused so. */
const SPOILT: Partial<Record<RefusalCode, (operation: Operation) => Promise<Answered>>> = {
  unauthenticated: async (operation) => send(await accepted(operation), { headers: { authorization: someKey() } }),
  permission_missing: async (operation) => {
    const authorization = `Basic ${await world.key(ROLES.full)}`;
    return send(await accepted(operation), { headers: { authorization } });
  },
  version_invalid: async (operation) => send(await accepted(operation), { headers: { version: '2022-04-06' } }),
  validation_failed: async (operation) => {
    const request = await accepted(operation);
    return send(request, { body: request.wrong });
  },
  media_type_unsupported: async (operation) =>
    send(await accepted(operation), { headers: { 'content-type': 'text/plain' } }),
  body_too_large: async (operation) => send(await accepted(operation), { body: `"${'x'.repeat(1024 * 1024)}"` }),
  body_malformed: async (operation) => send(await accepted(operation), { body: '{"cardNumber":' }),
  idempotency_key_invalid: async (operation) => send(await accepted(operation), { headers: { idempotencyKey: 'a b' } }),
  idempotency_key_reused: async (operation) => {
    const request = await accepted(operation);
    const headers = { idempotencyKey: 'once' };
    expect((await send(request, { headers })).status).toBe(200);
    return send(request, { headers, body: { ...request.body, reference: 'another' } });
  },
  idempotency_in_progress: async (operation) => {
    const request = await accepted(operation);
    const headers = { idempotencyKey: 'running' };
    // The acquirer takes its time until its clock is moved, so one of the two finds the other at work.
    world.rule({ match: {}, effect: 'delay', delayMs: 1_000, times: 1 });
    const both = [send(request, { headers }), send(request, { headers })];
    const answer = await Promise.race(both);
    const ended = Promise.all(both);
    while ((await Promise.race([ended, pause(20)])) === undefined) await world.outside.clock.advance(1_000);
    const statuses = (await ended).map(({ status }) => status);
    expect([answer.headers['retry-after'], statuses.sort()]).toEqual(['1', [200, 409]]);
    return answer;
  },
};

describe('what an operation accepts becomes refused by one change', () => {
  test.each(CARD_VAULT_OPERATIONS.map((operation) => [operation.id, successOf(operation), operation] as const))(
    '%s: %i',
    async (_, status, operation) => {
      expect((await send(await accepted(operation))).status).toBe(status);
    },
  );

  const rows = CARD_VAULT_OPERATIONS.flatMap((operation) =>
    commonRefusals(operation)
      .filter((code) => !NOT_OF_A_REQUEST.includes(code))
      .map((code) => [operation.id, code, operation] as const),
  );
  test.each(rows)('%s: %s', async (_, code, operation) => {
    const spoil = SPOILT[code];
    if (spoil === undefined) throw new Error(`nobody shows how a request is refused with ${code}`);
    expectRefusal(await spoil(operation), code, operation);
  });
});

describe('an operation refuses what its state or its rules forbid', () => {
  test.each(OWN)('%s: %s', async (id, code, make) => {
    const operation = CARD_VAULT_OPERATIONS.find((each) => each.id === id)!;
    expectRefusal(await send(await make()), code, operation);
  });

  test('every refusal that is declared is shown', () => {
    expect(notShown(CARD_VAULT_OPERATIONS, OWN)).toEqual([]);
  });

  test('stands in docs/reference/response-coverage.md, with every status and what is behind it', () => {
    expectCovered('vault statuses', statusTable(CARD_VAULT_OPERATIONS));
  });
});

test('a merchant who asks too often is told when to come again', async () => {
  await rate('{"rateLimitPerSecond": 1}');
  const request = await accepted(CARD_VAULT_OPERATIONS.find(({ clientSecret }) => clientSecret !== true)!);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(request, { body: {} })));
  await rate('{}');
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
});

function rate(settings: string): Promise<unknown> {
  const account = world.sandbox.accountId;
  return world.look('update accounts set settings = $2 where account_id = $1 returning account_id', [
    account,
    settings,
  ]);
}

test('without its database every operation answers 503 and says when to come back; afterwards all is as before', async () => {
  const requests = await Promise.all(CARD_VAULT_OPERATIONS.map(accepted));
  line.cut();
  for (const [index, operation] of CARD_VAULT_OPERATIONS.entries()) {
    const answer = await send({ ...requests[index]!, at: remote });
    expectRefusal(answer, 'service_unavailable', operation);
    expect(answer.headers['retry-after']).toBe('1');
  }
  line.mend();
  for (const request of requests) expect((await send({ ...request, at: remote })).status).toBe(200);
});

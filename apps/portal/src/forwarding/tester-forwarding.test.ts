import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { toSecret } from '@pos/service-kit/config';
import { verifyPortalToken } from '@pos/service-kit/portal';
import { readPortalToken } from '@pos/service-kit/testing';
import { PORTAL_KEY, PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

const RUN = '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f';
const FLOW = { flow: 'ListSessions' };

/** What stands in for the tester received, with the bytes of the body. */
const received: { readonly request: IncomingMessage; readonly body: Buffer }[] = [];
const tester = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push({ request, body: Buffer.concat(parts) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RUN));
  });
});

let environment: PortalTestEnvironment;
beforeAll(async () => {
  tester.listen(0, '127.0.0.1');
  await once(tester, 'listening');
  const { port } = tester.address() as AddressInfo;
  environment = await PortalTestEnvironment.open({ EPOS_TESTER_URL: `http://127.0.0.1:${port}/` });
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  await environment.close();
  tester.close();
});

const start = (cookie: string) => environment.send('POST', '/portal/api/flows', { cookie, body: FLOW });

test.each(['developer', 'admin', 'operator'] as const)(
  'a %s starts a run of the own account at the tester',
  async (role) => {
    const answer = await start(await environment.signInAs(role));
    expect([answer.status, readBody(answer.text)]).toEqual([200, RUN]);
    expect(received).toHaveLength(1);
    const { request, body } = received[0]!;
    const token = readPortalToken(request.headers.authorization ?? '') ?? '';
    const claims = verifyPortalToken(token, {
      ...{ method: 'POST', path: '/flows', keys: [toSecret(PORTAL_KEY)], nowMs: Date.now() },
    });
    expect(claims?.scope).toEqual(environment.own);
    expect(claims?.permissions).toContain('tester.run');
    expect(claims?.isBody(body)).toBe(true);
    expect(request.headers.cookie).toBeUndefined();
  },
);

test.each(['viewer', 'support'] as const)('what a %s sends does not reach the tester', async (role) => {
  const cookie = await environment.signInAs(role);
  expect(await start(cookie)).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(await environment.send('GET', '/portal/api/flows', { cookie })).toMatchObject({ status: 403 });
  expect(received).toEqual([]);
});

test('requests of the API do not reach the tester', async () => {
  const cookie = await environment.signInAs('admin');
  expect((await environment.send('GET', '/portal/api/terminals', { cookie })).status).toBe(200);
  expect((await environment.send('GET', '/portal/api/epos/tester-runs', { cookie })).status).toBe(200);
  expect(received).toEqual([]);
});

test('without a tester its paths are unknown, and one that does not answer is named', async () => {
  for (const [settings, reason] of [
    [{}, 'path_unknown'],
    [{ EPOS_TESTER_URL: 'http://127.0.0.1:1' }, 'service_unavailable'],
  ] as const) {
    const bare = await PortalTestEnvironment.openWithoutApi(settings);
    try {
      const cookie = await bare.signInAs('admin');
      expect(await bare.send('POST', '/portal/api/flows', { cookie, body: FLOW })).toMatchObject({ reason });
    } finally {
      await bare.close();
    }
  }
});

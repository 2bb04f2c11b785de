import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { serveHealth } from './health.js';
import { startOrderServer } from '../testing/order-server.js';

const servers: { readonly name: string; readonly url: string; readonly close: () => Promise<void> }[] = [];

beforeAll(async () => {
  const orders = await startOrderServer();
  const health = await serveHealth({ port: 0, host: '127.0.0.1', checks: [] });
  servers.push({ name: 'app', url: orders.url, close: () => orders.close() }, { name: 'health', ...health });
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

const get = (name: string, path: string) =>
  fetch(`${servers.find((server) => server.name === name)?.url ?? ''}${path}`, { redirect: 'manual' });

describe.each(['app', 'health'])('the error pages of a port: %s', (name) => {
  test.each(['/errors', '/errors/validation_failed', '/errors/service_unavailable'])(
    '%s needs no key, and loads nothing but the style of its own server',
    async (path) => {
      const answer = await get(name, path);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
      const sent = await get(name, style);
      const css = await sent.text();
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
      // The name is the hash of the content, so a browser that keeps it for ever never has an old one.
      expect(style).toContain(createHash('sha256').update(css).digest('hex').slice(0, 16));
      expect(sent.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    },
  );

  test.each([
    '/errors/nothing',
    '/errors/VALIDATION_FAILED',
    '/errors/style.css',
    '/errors/__proto__',
    '/errors/%3Cscript%3E',
    '/errors/validation_failed/more',
  ])('%s is an unknown path', async (path) => {
    const answer = await get(name, path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({ status: 404, reason: 'path_unknown' });
  });
});

test('the page of a reason lists the operations of its own server', async () => {
  expect(await (await get('app', '/errors/payment_intent_not_found')).text()).toContain('<code>GET /orders/{orderId}');
  expect(await (await get('health', '/errors/payment_intent_not_found')).text()).not.toContain('<ul>');
});

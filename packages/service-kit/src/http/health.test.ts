import { afterEach, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { serveHealth, type ReadinessCheck } from './health.js';

const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function requestHealth(checks: readonly ReadinessCheck[], path: string, method = 'GET') {
  const served = await serveHealth({ port: 0, host: '127.0.0.1', checks });
  opened.push(served.close);
  const answer = await fetch(`${served.url}${path}`, { method });
  return { status: answer.status, body: await answer.text() };
}

const passingCheck: ReadinessCheck = { name: 'database', check: () => Promise.resolve() };

test.each([
  ['alive although nothing is ready', [createFailingCheck('database')], '/health/live', 200, { status: 'ok' }],
  ['ready when every check passes', [passingCheck, passingCheck], '/health/ready', 200, { status: 'ok' }],
  ['ready when there is nothing to check', [], '/health/ready', 200, { status: 'ok' }],
  [
    'not ready when one fails',
    [passingCheck, createFailingCheck('acquirer')],
    '/health/ready',
    503,
    { detail: 'Not ready: acquirer.' },
  ],
  [
    'not ready when one throws at once',
    [createThrowingCheck('epos')],
    '/health/ready',
    503,
    { detail: 'Not ready: epos.' },
  ],
  [
    'not ready when one never answers',
    [createHangingCheck('lanes')],
    '/health/ready',
    503,
    { detail: 'Not ready: lanes.' },
  ],
])('%s', async (_, checks, path, status, body) => {
  const answer = await requestHealth(checks, path);
  expect({ status: answer.status, body: JSON.parse(answer.body) as unknown }).toMatchObject({ status, body });
  expect(answer.body).not.toContain('hunter2');
});

test('the error catalogue has the address that every problem contains', async () => {
  const { body } = await requestHealth([createFailingCheck('database')], '/health/ready');
  const { reason, documentation } = JSON.parse(body) as Record<string, string>;
  expect([reason, documentation]).toEqual(['service_unavailable', '/errors#service_unavailable']);
  expect((await requestHealth([passingCheck], '/errors')).body).toContain('id="service_unavailable"');
});

test.each([
  ['another path', '/metrics', 'GET'],
  ['a write', '/health/live', 'POST'],
])('%s is not found', async (_, path, method) => {
  const answer = await requestHealth([passingCheck], path, method);
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ reason: 'path_unknown', documentation: '/errors#path_unknown' });
});

test.each(['/health/live', '/health/ready', '/errors', '/nowhere'])('two hosts are refused: %s', async (path) => {
  const served = await serveHealth({ port: 0, host: '127.0.0.1', checks: [passingCheck] });
  opened.push(served.close);
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\nHost: x\r\nconnection: close\r\n\r\n`);
  let answered = '';
  for await (const chunk of socket) answered += String(chunk);
  expect(answered).toMatch(/^HTTP\/1.1 400 /);
  expect(answered).toContain('"errors":{"host":["May be sent once only."]}');
});

function createFailingCheck(name: string): ReadinessCheck {
  return { name, check: () => Promise.reject(new Error('password hunter2')) };
}

function createThrowingCheck(name: string): ReadinessCheck {
  return {
    name,
    check: () => {
      throw new Error('at once');
    },
  };
}

function createHangingCheck(name: string): ReadinessCheck {
  return { name, check: () => new Promise(() => undefined) };
}

test('a process that is shutting down is alive and not ready, even if its checks pass', async () => {
  const shutdown = new AbortController();
  const served = await serveHealth({ port: 0, host: '127.0.0.1', checks: [passingCheck], shutdown: shutdown.signal });
  opened.push(served.close);
  expect((await fetch(`${served.url}/health/ready`)).status).toBe(200);
  shutdown.abort();
  const answer = await fetch(`${served.url}/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ detail: 'Not ready: the process is stopping.' });
  expect((await fetch(`${served.url}/health/live`)).status).toBe(200);
});

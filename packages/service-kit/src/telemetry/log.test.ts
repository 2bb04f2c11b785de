import { expect, test } from '@jest/globals';
import { createLog, type Log } from './log.js';
import { Secret } from '../config/secret.js';
import { continueTrace, runInTrace } from './trace.js';

function createCapturedLog(level = 'info'): { log: Log; lines: Record<string, unknown>[]; text: () => string } {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    app: 'api',
    level,
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  return { log, lines, text: () => JSON.stringify(lines) };
}

test('a line has its event, the app, the trace and flat fields', () => {
  const { log, lines } = createCapturedLog();
  const trace = continueTrace();
  runInTrace(trace, () => {
    log.info('delivery.attempted', { attempt: 2, retry_at: new Date(0), size: 10n, none: null });
  });
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'delivery.attempted',
      app: 'api',
      trace_id: trace.traceId,
      attempt: 2,
      retry_at: '1970-01-01T00:00:00.000Z',
      size: '10',
      none: null,
    }),
  ]);
});

test('below its level nothing is written', () => {
  const { log, lines } = createCapturedLog('warn');
  log.info('quiet');
  log.warn('loud');
  expect(lines.map(({ event }) => event)).toEqual(['loud']);
});

test.each([
  ['an API key', { detail: 'key sk_sandbox_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_ABCDE was used' }, 'AbCdEf'],
  ['a client secret', { detail: `secret ${'aB3_'.repeat(40)} was used` }, 'aB3_'],
  ['an authorization header', { headers: { Authorization: 'Basic hunter2hunter2' } }, 'hunter2'],
  ['credentials in prose', { detail: 'sent Basic hunter2hunter2 along' }, 'hunter2'],
  ['a database password', { detail: 'postgres://me:hunter2@db/pos refused' }, 'hunter2'],
  ['a client secret by name', { clientSecret: 'hunter2' }, 'hunter2'],
  ['the same in snake case', { client_secret: 'hunter2' }, 'hunter2'],
  ['a password deep inside', { epos: { login: [{ password: 'hunter2' }] } }, 'hunter2'],
  ['a card number', { detail: 'card 4111111111111111 declined' }, '4111111111111111'],
  ['a card number in groups', { detail: '4111 1111 1111 1111' }, '1111 1111'],
  ['a card number with dashes', { detail: '5555-5555-5555-4444' }, '5555-4444'],
  ['a CV2 by name', { cv2: '123x' }, '123x'],
  ['a wrapped secret', { value: new Secret('hunter2') }, 'hunter2'],
  ['raw bytes', { body: Buffer.from('hunter2') }, Buffer.from('hunter2').toString('base64')],
  ['bytes as text', { body: Buffer.from('hunter2') }, 'hunter2'],
  ['an error message', { error: new Error('no sk_prod_AbCdEfGhIjKlMnOpQrStUv') }, 'AbCdEf'],
  ['the cause of an error', { error: new Error('x', { cause: new Error('postgres://me:hunter2@db') }) }, 'hunter2'],
  ['a map', { headers: new Map([['authorization', 'hunter2']]) }, 'hunter2'],
])('%s cannot be printed', (_, fields, secret) => {
  const { log, text } = createCapturedLog();
  log.info('event', fields);
  expect(text()).not.toContain(secret);
});

test.each([
  ['an order number of 16 digits', '1234567890123456'],
  ['a subscription', 'ws_OYsyzcrH70GpJfs8MMkKpg'],
  ['an id', 'pi_sandbox_4111111111111111'],
  ['a uuid', '4b3f1d2e-1111-4111-8111-111111111111'],
  ['a masked card', '************1096'],
  ['a time', '2026-03-01T12:00:08.700Z'],
])('%s is printed unchanged', (_, value) => {
  const { log, lines } = createCapturedLog();
  log.info('event', { value });
  expect(lines[0]?.['value']).toBe(value);
});

test('an endless field is truncated', () => {
  const { log, text } = createCapturedLog();
  const round: Record<string, unknown> = {};
  round['again'] = round;
  log.info('event', { round, long: 'x '.repeat(50_000), many: Array.from({ length: 10_000 }, () => 1) });
  expect(text().length).toBeLessThan(6_000);
  expect(text()).toContain('[deeper]');
});

test('an error keeps its name, code and stack', () => {
  const { log, lines } = createCapturedLog();
  log.error('failed', { error: Object.assign(new TypeError('no'), { code: 'E_NO' }) });
  expect(lines[0]?.['error']).toMatchObject({
    type: 'TypeError',
    message: 'no',
    code: 'E_NO',
    stack: expect.stringContaining('log.test'),
  });
});

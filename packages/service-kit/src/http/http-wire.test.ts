import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { Problem } from '@pos/rest-contracts/testing';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { startOrderServer, VALID_BODY } from '../testing/order-server.js';

type OrderServer = Awaited<ReturnType<typeof startOrderServer>>;
let orderServer: OrderServer;

beforeAll(async () => {
  orderServer = await startOrderServer();
});
afterAll(() => orderServer.close());

describe('over the wire', () => {
  /** Writes raw bytes and returns the answer until the connection ends, or until `untilText` matches. */
  function sendRaw(parts: readonly (string | Buffer)[], untilText: RegExp = /\r\n\r\n[^]*\}$/): Promise<string> {
    const { port } = new URL(orderServer.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      const done = (): void => {
        socket.destroy();
        resolve(received);
      };
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (received === '') reject(error);
        else done();
      });
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        if (untilText.test(received)) done();
      });
      socket.on('close', done);
      for (const part of parts) socket.write(part);
    });
  }

  const head = (extra: string): string =>
    `POST /orders HTTP/1.1\r\nhost: x\r\nauthorization: Basic full\r\nversion: 2026-02-27\r\ncontent-type: application/json\r\n${extra}\r\n\r\n`;
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  test('a body in chunks is read', async () => {
    const body = JSON.stringify(VALID_BODY);
    const answered = await sendRaw([
      head('transfer-encoding: chunked'),
      chunk(body.slice(0, 20)),
      chunk(body.slice(20)),
      '0\r\n\r\n',
    ]);
    expect(answered).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each(['GET *orders/1', 'GET *health/live', 'POST *orders', 'OPTIONS *orders', 'GET *'])(
    'a target that is no path is refused, and the process continues: %s',
    async (line) => {
      const answered = await sendRaw([`${line} HTTP/1.1\r\nhost: x\r\nversion: 2026-02-27\r\n\r\n`]);
      expect(answered).toMatch(/^HTTP\/1.1 404 /);
      expect(answered).toContain('"reason":"path_unknown"');
      expect(answered).toContain('trace-id: ');
      expect(await sendRaw(['GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'])).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  test.each(['GET /orders/1', 'GET /health/live', 'GET /openapi.json', 'GET /nowhere', 'OPTIONS /orders'])(
    'two hosts are refused, equal or not: %s',
    async (line) => {
      for (const second of ['x', 'y']) {
        const answered = await sendRaw([
          `${line} HTTP/1.1\r\nhost: x\r\nHost: ${second}\r\nversion: 2026-02-27\r\n\r\n`,
        ]);
        expect(answered).toMatch(/^HTTP\/1.1 400 /);
        expect(answered).toContain('"errors":{"host":["May be sent once only."]}');
      }
    },
  );

  test.each([
    ['authorization', 'Basic full'],
    ['Content-Type', 'application/json'],
    ['Version', '2026-02-27'],
    ['idempotencyKey', 'once'],
    ['Idempotency-Key', 'once'],
    ['software-house-id', 'house'],
    ['reseller-id', 'reseller'],
    ['client-session-secret', 'secret'],
    ['customer-secret', 'secret'],
    ['accountName', 'account'],
    ['user-agent', 'agent'],
  ])('a repeated single-value header is refused, with equal values or not: %s', async (name, value) => {
    const first = name.toLowerCase();
    for (const second of [value, 'other']) {
      const rest = head(`content-length: 0\r\nx-list: a\r\nx-list: b`).replace(new RegExp(`${first}: .*\r\n`), '');
      const answered = await sendRaw([
        rest.replace('\r\n\r\n', `\r\n${first}: ${value}\r\n${name}: ${second}\r\n\r\n`),
      ]);
      expect(answered).toMatch(/^HTTP\/1.1 400 /);
      expect(answered).toContain('"May be sent once only."');
      const problem = Problem.parse(JSON.parse(answered.slice(answered.indexOf('\r\n\r\n') + 4)));
      expect(Object.keys(problem.errors).map((each) => each.toLowerCase())).toEqual([first]);
    }
  });

  test('all repeated headers are named at once, in the documented spelling', async () => {
    const repeatedHeaders =
      'IDEMPOTENCYKEY: a\r\nidempotencykey: b\r\nVERSION: 2026-02-27\r\nauthorization: Basic full';
    const answered = await sendRaw([head(`content-length: 0\r\n${repeatedHeaders}`)]);
    const problem = Problem.parse(JSON.parse(answered.slice(answered.indexOf('\r\n\r\n') + 4)));
    expect([problem.reason, Object.keys(problem.errors)]).toEqual([
      'body_malformed',
      ['authorization', 'version', 'idempotencyKey'],
    ]);
  });

  test('an empty body in chunks is no body', async () => {
    const answered = await sendRaw([head('transfer-encoding: chunked').replace(/content-type.*\r\n/, ''), '0\r\n\r\n']);
    expect(answered).toContain('"reference":["Is required."]');
  });

  test('chunks beyond the limit are refused before the last one', async () => {
    const mebibyte = chunk('x'.repeat(1024 * 1024));
    const answered = await sendRaw([head('transfer-encoding: chunked'), mebibyte, mebibyte]);
    expect(answered).toMatch(/^HTTP\/1.1 413 /);
  });

  test('an unauthorised caller is refused before its body arrives', async () => {
    const answered = await sendRaw([head('content-length: 1000').replace('Basic full', 'Basic nobody')]);
    expect(answered).toMatch(/^HTTP\/1.1 401 /);
  });

  test('an announced endless body closes its connection', async () => {
    const answered = await sendRaw([head('content-length: 99999999999')]);
    expect(answered).toMatch(/^HTTP\/1.1 413 [^]*connection: close/i);
  });

  test.each<[string, string, number, string[], string?]>([
    ['endless headers', head(`x-endless: ${'x'.repeat(20_000)}`), 431, [], 'header_fields_too_large'],
    ['what is not HTTP', 'hello\r\n\r\n', 400, []],
    ['a malformed request line', 'GET /orders/1 HTTP/x\r\n\r\n', 400, []],
    ['an unknown method', head('content-length: 0').replace('POST', 'PUSH'), 400, []],
    ['a header without a name', head(': nameless'), 400, []],
    ['two lengths of one body', head('content-length: 1\r\ncontent-length: 2'), 400, []],
    [
      'an unknown expectation',
      head('expect: foo\r\nconnection: close\r\ncontent-length: 0'),
      400,
      ['expect'],
      'body_malformed',
    ],
  ])(
    'to %s is answered with a problem and its trace',
    async (_, sent, status, members, reason = 'request_malformed') => {
      const answered = await sendRaw([sent], /never/);
      const [first = '', ...headers] = answered.slice(0, answered.indexOf('\r\n\r\n')).split('\r\n');
      const body = answered.slice(answered.indexOf('\r\n\r\n') + 4);
      const problem = Problem.parse(JSON.parse(body));
      expect([first.split(' ')[1], problem.status, Object.keys(problem.errors)]).toEqual([
        `${status}`,
        status,
        members,
      ]);
      expect(problem.reason).toBe(reason);
      expect(headers).toEqual(
        expect.arrayContaining([
          `version: ${LATEST_RELEASE}`,
          `trace-id: ${problem.traceId}`,
          'content-type: application/problem+json; charset=utf-8',
          `content-length: ${Buffer.byteLength(body)}`,
        ]),
      );
    },
  );

  test('a request with expect: 100-continue gets the interim answer', async () => {
    const body = JSON.stringify(VALID_BODY);
    const answered = await sendRaw([head(`expect: 100-Continue\r\ncontent-length: ${body.length}`), body]);
    expect(answered).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  test('each request on one connection gets its own answer', async () => {
    const body = JSON.stringify(VALID_BODY);
    const one = head(`content-length: ${body.length}`) + body;
    const invalidRequest = head('content-length: 1') + '{';
    const answered = await sendRaw([one, invalidRequest, one], /(HTTP\/1\.1 [^]*){3}\r\n\r\n[^]*\}$/);
    expect([...answered.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400', '200']);
  });
});

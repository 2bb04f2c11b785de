import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { startHttpServer, type HttpServer } from './http-server.js';
import { createLog } from '../telemetry/log.js';

@Module({})
class EmptyPageModule {}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const FORM = 'application/x-www-form-urlencoded';
let app: HttpServer;

beforeAll(async () => {
  app = await startHttpServer({
    ...{ module: EmptyPageModule, port: 0, host: '127.0.0.1', operations: [], ready: [] },
    pages: [{ path: '/bills/:id', text: 'a bill', headers: HTML }],
    forms: [
      { path: '/tips', renderForm: (form) => ({ text: `a tip of ${form.get('tip') ?? 'nothing'}`, headers: HTML }) },
    ],
    log: createLog({ app: 'pages', level: 'silent' }),
    openapi: { title: 'Pages', description: 'Pages.' },
  });
});
afterAll(() => app.close());

test.each([
  // method  path               content type   body                                status  says
  ['GET', '/bills/1', null, null, 200, 'a bill'],
  ['GET', '/bills/2/', null, null, 200, 'a bill'],
  ['GET', '/bills', null, null, 404, '"status":404'],
  ['POST', '/bills/1', FORM, 'a=b', 404, '"status":404'],
  ['POST', '/tips', FORM, 'tip=5%20%3C', 200, 'a tip of 5 <'],
  ['POST', '/tips', FORM, '', 200, 'a tip of nothing'],
  ['POST', '/tips', 'application/json', '{"tip":5}', 200, 'a tip of nothing'],
  ['POST', '/tips', null, null, 200, 'a tip of nothing'],
  ['POST', '/tips', FORM, `tip=${'5'.repeat(70_000)}`, 413, '"status":413'],
  ['GET', '/tips', null, null, 404, '"status":404'],
])('%s %s of %p is answered with %#', async (...row) => {
  const [method, path, type, body, status, expectedText] = row;
  const headers = type === null ? {} : { 'content-type': type };
  const answer = await fetch(`${app.url}${path}`, { method, headers, body });
  expect({ status: answer.status, text: await answer.text() }).toEqual({
    status,
    text: expect.stringContaining(expectedText) as unknown,
  });
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createLog } from '../telemetry/log.js';
import { startHttpServer, type HttpServer } from '../http/http-server.js';
import { readWebSite } from './web-site.js';

@Module({})
class EmptySiteModule {}

const SCRIPT = 'console.log("a bill");\n'.repeat(50);
const DATA = JSON.stringify({ bills: Array.from({ length: 50 }, (_, table) => ({ table })) });
const folder = mkdtempSync(path.join(tmpdir(), 'web-site-'));
let app: HttpServer;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Bills</title>');
  writeFileSync(path.join(folder, 'assets', 'index-4f2a.js'), SCRIPT);
  writeFileSync(path.join(folder, 'assets', 'bills-1c9d.json'), DATA);
  app = await startHttpServer({
    ...{ module: EmptySiteModule, port: 0, host: '127.0.0.1', operations: [], ready: [] },
    pages: readWebSite({ folder, paths: ['/', '/bills/:id'], policy: { connections: ['https://api.example'] } }),
    log: createLog({ app: 'site', level: 'silent' }),
    openapi: { title: 'Site', description: 'Site.' },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Without the decompression of `fetch`. */
function get(address: string, encoding?: string): Promise<Answer> {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  return new Promise((resolve, reject) => {
    request(`${app.url}${address}`, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['br, gzip', 'br'],
  ['gzip, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0', undefined],
  ['identity', undefined],
  [undefined, undefined],
])('a browser that accepts %s gets the script as %s', async (accepted, encoding) => {
  const { status, headers, body } = await get('/assets/index-4f2a.js', accepted);
  const decoded = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
  expect({ status, text: decoded.toString() }).toEqual({ status: 200, text: SCRIPT });
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(headers['content-encoding']).toBe(encoding);
});

test.each(['br', 'gzip', 'gzip', 'identity'])('data is read as JSON by a browser that accepts %s', async (accepted) => {
  const { status, headers, body } = await get('/assets/bills-1c9d.json', accepted);
  const decoded = accepted === 'br' ? brotliDecompressSync(body) : accepted === 'gzip' ? gunzipSync(body) : body;
  expect({ status, text: decoded.toString() }).toEqual({ status: 200, text: DATA });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

test.each(['/', '/bills/1'])('%s shows the page, which is asked for each time', async (address) => {
  const { status, headers, body } = await get(address);
  expect({ status, text: body.toString() }).toEqual({ status: 200, text: '<!doctype html><title>Bills</title>' });
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
});

test.each(['/bills', '/assets/other.js', '/assets/..%2findex.html', '/index.html'])(
  '%s is no part of the page',
  async (address) => expect(await get(address)).toMatchObject({ status: 404 }),
);

test('the page may load own scripts and call the named origins only', async () => {
  const { headers } = await get('/');
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self' https://api.example",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
});

test('a folder that was not built is refused at the start', () => {
  expect(() => readWebSite({ folder: path.join(folder, 'missing'), paths: ['/'], policy: {} })).toThrow('ENOENT');
});

test('a file without a known content type is refused at the start', () => {
  const odd = mkdtempSync(path.join(tmpdir(), 'web-site-'));
  mkdirSync(path.join(odd, 'assets'));
  writeFileSync(path.join(odd, 'index.html'), '');
  writeFileSync(path.join(odd, 'assets', 'notes.txt'), '');
  expect(() => readWebSite({ folder: odd, paths: ['/'], policy: {} })).toThrow('notes.txt');
  rmSync(odd, { recursive: true });
});

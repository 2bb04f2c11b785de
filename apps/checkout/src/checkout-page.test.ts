import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@pos/service-kit/config';
import type { HttpServer } from '@pos/service-kit/http';
import { createLog } from '@pos/service-kit/telemetry';
import { startCheckout } from './boot.js';
import { Config } from './config.js';

const SETTINGS = {
  NODE_ENV: 'test',
  HTTP_PORT: '0',
  API_BASE_URL: 'https://api.example/v/',
  CARD_VAULT_URL: 'https://vault.example',
};
/** With the 12 kB of the card fields, at most 40 kB. */
const FIRST_LOAD_BYTES_MAX = 28_000;
const running: HttpServer[] = [];

beforeAll(() => startTestCheckout());
afterAll(async () => {
  for (const app of running) await app.close();
});

async function startTestCheckout(settings: Readonly<Record<string, string>> = {}): Promise<HttpServer> {
  const config = readConfig(Config, { ...SETTINGS, ...settings });
  const app = await startCheckout(config, createLog({ app: 'checkout', level: 'silent' }));
  running.push(app);
  return app;
}

async function fetchPage(path: string, app: HttpServer = running[0]!) {
  const answer = await fetch(`${app.url}${path}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('the page calls only the API, the vault and issuers, and no page may embed it', async () => {
  const { headers, text } = await fetchPage('/checkout/pi_sandbox_x');
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https:",
    'connect-src https://api.example https://vault.example',
    'frame-src https://vault.example https:',
    'form-action https:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
});

test.each([
  ['https://bank.example', 'https://bank.example'],
  ['https://bank.example, http://127.0.0.1:3005', 'https://bank.example http://127.0.0.1:3005'],
])('where only some issuers may be framed (%s), forms may be posted only to them', async (origins, listed) => {
  const policy = (await fetchPage('/checkout/x', await startTestCheckout({ CHALLENGE_ORIGINS: origins }))).headers.get(
    'content-security-policy',
  );
  expect(policy).toContain(`frame-src https://vault.example ${listed};`);
  expect(policy).toContain(`form-action ${listed};`);
});

test.each([
  ['http://127.0.0.1:3005/wallet', 'https: http://127.0.0.1:3005'],
  ['https://wallet.example/sheet?a=1', 'https: https://wallet.example'],
])('the simulated wallets of %s may be framed too', async (sheet, listed) => {
  const { headers, text } = await fetchPage('/checkout/x', await startTestCheckout({ SANDBOX_WALLET_URL: sheet }));
  expect(headers.get('content-security-policy')).toContain(`frame-src https://vault.example ${listed};`);
  expect(headers.get('content-security-policy')).toContain(`form-action ${listed};`);
  expect(text).toContain(`walletSheet&quot;:&quot;${sheet}`);
});

test.each([
  ['CHALLENGE_ORIGINS', '*'],
  ['SANDBOX_WALLET_URL', 'javascript:alert(1)'],
  ['SANDBOX_WALLET_URL', '/wallet'],
  ['CHALLENGE_ORIGINS', "https://a.example; script-src 'unsafe-inline'"],
  ['API_BASE_URL', 'ftp://api.example'],
  ['CARD_VAULT_URL', 'vault'],
])('%s may not be %s', (name, value) => {
  expect(() => readConfig(Config, { ...SETTINGS, [name]: value })).toThrow(`${name}:`);
});

/** The addresses that the page names. */
async function listAssets(): Promise<string[]> {
  const { text } = await fetchPage('/checkout/si_sandbox_x');
  return [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path);
}

test('the tags of the page have the hashes of the inventory, and browsers run no script without one', async () => {
  const { headers, text } = await fetchPage('/checkout/x');
  expect(headers.get('integrity-policy')).toBe('blocked-destinations=(script)');
  const tags = [...text.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]+)"[^>]*>/g)];
  expect(tags.map(([, file = '']) => file.replace(/^.*\./, '.')).sort()).toEqual(['.css', '.js']);
  for (const [tag, file = ''] of tags) {
    const hash = createHash('sha384')
      .update((await fetchPage(file)).text)
      .digest('base64');
    expect(tag).toContain(` integrity="sha384-${hash}"`);
  }
  expect(JSON.parse(readFileSync(new URL('../dist/site/scripts.json', import.meta.url), 'utf8'))).toMatchObject([
    { file: expect.stringMatching(/\.js$/), purpose: expect.stringContaining('Shows the payment') },
    { file: expect.stringMatching(/\.css$/), purpose: '' },
    { file: 'index.html', purpose: '' },
  ]);
});

test('the page has one script and one style, which browsers may keep for ever', async () => {
  const paths = await listAssets();
  expect(paths.map((path) => path.replace(/^.*\./, '.')).sort()).toEqual(['.css', '.js']);
  for (const path of paths) {
    const { status, headers, text } = await fetchPage(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(path).toMatch(/-[\w-]{8}\.(js|css)$/);
    // A bundle imports nothing, so no import causes a later request.
    expect(text).not.toMatch(/\bimport\s*[({'"]|@import/);
  }
  expect((await fetchPage('/checkout/x')).headers.get('cache-control')).toBe('no-cache');
});

test('the first load has at most 28 kB, compressed; the card fields have the rest of 40 kB', async () => {
  let bytes = 0;
  for (const path of ['/checkout/x', ...(await listAssets())]) {
    const answer = await fetch(`${running[0]!.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    // `fetch` has already decompressed the text.
    bytes += gzipSync(await answer.text(), { level: 9 }).length;
  }
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
});

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0, br;q=0.0', null],
  ['deflate', null],
  ['identity', null],
])('a browser that accepts %s gets the page as %s', async (accepted, encoding) => {
  const answer = await fetch(`${running[0]!.url}/checkout/x`, { headers: { 'accept-encoding': accepted } });
  expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([encoding, 'accept-encoding']);
  expect(await answer.text()).toContain('</html>');
});

test('every id gets the same page, and health is served beside it', async () => {
  expect((await fetchPage('/checkout/pi_sandbox_a')).text).toBe((await fetchPage('/checkout/%3Cscript%3E')).text);
  expect((await fetchPage('/health/ready')).status).toBe(200);
  expect((await fetchPage('/checkout')).status).toBe(404);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@pos/service-kit/config/config';
import type { HttpServer } from '@pos/service-kit/http/http-server';
import { createLog } from '@pos/service-kit/telemetry/log';
import { startCheckout } from './boot.js';
import { Config } from './config.js';

const SETTINGS = {
  NODE_ENV: 'test',
  HTTP_PORT: '0',
  API_BASE_URL: 'https://api.example/v/',
  CARD_VAULT_URL: 'https://vault.example',
};
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

test('every file that the page and its scripts name is served with the right content type', async () => {
  const { text } = await fetchPage('/checkout/si_sandbox_x');
  const named = new Set([...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path));
  expect(named).toContain('/assets/main.js');
  for (const path of named) {
    const { status, headers, text: content } = await fetchPage(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    // The page preloads every import, so no import causes a later request.
    for (const [, imported = ''] of content.matchAll(/from '([^']+)'/g)) {
      expect(named).toContain(imported.replace(/^\.\//, '/assets/'));
    }
  }
});

test('every id gets the same page, and health is served beside it', async () => {
  expect((await fetchPage('/checkout/pi_sandbox_a')).text).toBe((await fetchPage('/checkout/%3Cscript%3E')).text);
  expect((await fetchPage('/health/ready')).status).toBe(200);
  expect((await fetchPage('/checkout')).status).toBe(404);
});

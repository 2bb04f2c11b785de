import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { REPOSITORY } from '../repository/repository.js';
import { APPROVED, CV2, EXPIRY, NAME } from './cards.js';
import { listEmbeddingFiles } from './embedding-files.js';
import type { ScenarioContext } from './scenario.js';

const FILES = listEmbeddingFiles();

/**
 * A web view in which a payer types an approved card. Like the frame of the vault it submits the card itself, and its
 * answer has no card.
 */
const APP = `import { payInApp } from './app-payment.js';
const [paymentIntentId, apiUrl, cardVaultUrl] = process.argv.slice(2);
const card = ${JSON.stringify({ cardNumber: APPROVED.number, cardName: NAME, expiryDate: EXPIRY, cV2: CV2 })};
const seen = [];
let listen;
const webView = {
  onMessage: (listener) => (listen = listener),
  load: async (address) => {
    seen.push((await fetch(address)).status);
    listen({ type: 'ready' });
  },
  showPayButton: (press) => void press(),
  showNotice: (notice) => seen.push(notice),
  post: async ({ type, id, secret }) => {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    const answer = await fetch(cardVaultUrl + '/client/payments', { method: 'POST', headers, body: JSON.stringify(card) });
    listen({ type: 'result', id, result: await answer.json(), fields: [] });
  },
};
const service = { apiUrl, cardVaultUrl };
const code = await payInApp({ paymentIntentId, service, webView, showIssuer: async () => null });
console.log(JSON.stringify({ code, seen, dom: typeof document }));
`;

/** The shop and the app of the integrator's page, as the page prints them. */
export function runEmbeddingPageScenario(cast: ScenarioContext): void {
  let folder: string;
  let server: ChildProcessByStdio<null, Readable, null>;
  let address: string;

  beforeAll(async () => {
    const { addresses, accounts, receiverPorts } = cast().shop.world;
    folder = await mkdtemp(path.join(tmpdir(), 'shop-'));
    await mkdir(path.join(folder, 'node_modules/@pos'), { recursive: true });
    await symlink(path.join(REPOSITORY, 'packages/sdk'), path.join(folder, 'node_modules/@pos/sdk'));
    await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    for (const { name, text } of [...FILES, { name: 'app.js', text: APP }])
      await writeFile(path.join(folder, name), text);
    // The first port is that of the other scenarios.
    const env = {
      ...{ PATH: process.env['PATH'] ?? '', PORT: String(receiverPorts[1]), POS_API_URL: addresses.api[0] },
      ...{ POS_API_KEY: accounts[0]?.keys.full, POS_VAULT_URL: addresses.cardVault[0] },
    };
    server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    address = line.toString().trim();
  });
  afterAll(async () => {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test('the page has every file of its shop and its app', () => {
    expect(FILES.map(({ name }) => name)).toEqual([
      ...['server.mjs', 'shop.html', 'shop.js', 'shop.css', 'wallets.js', 'app-payment.js'],
    ]);
  });

  test('its shop takes a payment by its own button, and one in a sheet', async () => {
    const { payer } = cast();
    await payer.page.goto(address);
    const thanks = payer.page.getByRole('status').filter({ hasText: 'Thank you' });
    await payer.page.getByRole('button', { name: 'Buy' }).and(payer.page.locator(':enabled')).waitFor();
    await payer.type(APPROVED);
    await payer.fields.getByLabel('Security code').press('Enter');
    await thanks.waitFor();
    await payer.page.getByRole('button', { name: 'Pay in a sheet' }).click();
    await payer.page.getByText('Espresso cups, set of 4', { exact: true }).waitFor();
    const sheet = payer.page.locator('pos-payment-sheet').frameLocator('iframe');
    for (const [label, value] of [
      ['Card number', APPROVED.number],
      ['Name on card', NAME],
      ['Expires', EXPIRY],
      ['Security code', CV2],
    ] as const)
      await sheet.getByLabel(label).fill(value);
    await payer.page.getByRole('button', { name: 'Pay £42.00' }).click();
    await payer.page.locator('pos-payment-sheet').waitFor({ state: 'detached' });
    await thanks.waitFor();
  });

  test('its app pays without a DOM', async () => {
    const { shop } = cast();
    const id = await shop.payment();
    const { api, cardVault } = shop.world.addresses;
    const words = ['app.js', id, api[0] ?? '', cardVault[0] ?? ''];
    const app = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = (await once(app.stdout, 'data')) as [Buffer];
    expect(JSON.parse(output.toString())).toEqual({ code: 0, seen: [200], dom: 'undefined' });
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });
}

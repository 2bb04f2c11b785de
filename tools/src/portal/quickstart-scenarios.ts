import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { PosClient, verifyWebhook } from '@pos/sdk';
import type { Page } from 'playwright-core';
import { CHALLENGED } from '../checkout/cards.js';
import { pollUntil } from '../dev/testing.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;

/** What the scenario needs of the test: the running service, and the page of its admin. */
export interface QuickstartScene {
  readonly stage: () => PortalStage;
  readonly page: () => Page;
}

/** The endpoint of an integrator, which stores what arrives. */
class Endpoint {
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array<ArrayBuffer> }[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Endpoint> {
    const server = createServer();
    const endpoint = new Endpoint(server);
    server.on('request', (request, response) => {
      void buffer(request).then((body) => {
        endpoint.received.push({ headers: request.headers, body: Uint8Array.from(body) });
        response.writeHead(204).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

/** The steps of docs/integrate/quickstart.md that the portal offers, in their order and with their amounts. */
export function testQuickstart({ stage, page }: QuickstartScene): void {
  test(
    'the quickstart by portal: a payer with 3-D Secure, a capture, a refund, and signed webhooks of all of it',
    async () => {
      const endpoint = await Endpoint.open();
      const client = openSdk(stage());
      await deleteSubscriptions(client);
      await subscribe(page(), stage().url, endpoint.url);
      const id = await createHeldLink(page(), stage().url);

      const payer = await stage().openPayer();
      await payer.open(id);
      await payer.pay(CHALLENGED);
      await payer.outside.getByRole('button', { name: 'Pass' }).click();
      await payer.waitForHeading('authorised');
      await payer.leave();

      await page().goto(`${stage().url}/payments/${id}`);
      await fillAmount(page(), { action: 'Capture', amount: '20' });
      await page().getByText('Captured £20.00').waitFor();
      await fillAmount(page(), { action: 'Refund', amount: '5' });
      await page().getByText('Refunded £5.00').waitFor();

      await pollUntil(() => endpoint.received.length >= 2, `only ${endpoint.received.length} webhooks have arrived`);
      expect(await readVerified(client, endpoint)).toEqual([
        [id, 'Authorized'],
        [id, 'Captured'],
      ]);
      await deleteSubscriptions(client);
      await endpoint.close();
    },
    2 * MINUTE,
  );
}

/** A kind of event has one subscription at most, and scenarios before may have one. */
async function deleteSubscriptions(client: PosClient): Promise<void> {
  for (const { id } of await client.webhooks.list()) await client.webhooks.delete(id);
}

async function subscribe(page: Page, portal: string, url: string): Promise<void> {
  await page.goto(`${portal}/developers/webhooks`);
  await page.getByRole('button', { name: 'Add subscription' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(url);
  await dialog.getByRole('button', { name: 'Add subscription' }).click();
  await page.getByRole('link', { name: url }).waitFor();
}

/** Creates a link of a payment that is captured later; returns the id of the payment. */
async function createHeldLink(page: Page, portal: string): Promise<string> {
  await page.goto(`${portal}/payment-links`);
  await page.getByLabel('Amount').fill('25');
  await page.getByLabel('Reference').fill('booking 17');
  await page.getByLabel('Later, when you capture it').check();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('link', { name: 'Open the payment page' }).getAttribute('href');
  return new URL(link ?? '').pathname.split('/').at(-1) ?? '';
}

async function fillAmount(
  page: Page,
  { action, amount }: { readonly action: 'Capture' | 'Refund'; readonly amount: string },
): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** What arrived, once each signature is verified with the secret of the subscription. Rejects at a forged one. */
async function readVerified(client: PosClient, { received }: Endpoint) {
  const [subscription] = await client.webhooks.list();
  const { secrets } = await client.webhooks.read(subscription?.id ?? '');
  const values = secrets.map(({ value }) => value);
  const events = await Promise.all(
    received.map(async ({ body, headers }) => verifyWebhook(body, headers, { secrets: values })),
  );
  return events.map(({ data }) =>
    'paymentIntentId' in data && 'paymentStatus' in data ? [data.paymentIntentId, data.paymentStatus] : [],
  );
}

/** The client of the integrator whose account the admin of the portal works in. */
function openSdk({ world }: PortalStage): PosClient {
  return new PosClient({ baseUrl: world.addresses.api[0] ?? '', apiKey: world.accounts[0]?.keys.full ?? '' });
}

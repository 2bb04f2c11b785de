import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;

/** What the scenarios of developers need of the test: the running service, and the page of its admin. */
export interface DeveloperScene {
  readonly stage: () => PortalStage;
  readonly page: () => Page;
  /** A payment that was made before. */
  readonly paid: () => string;
}

/** A receiver of webhooks on this machine; it answers with what `answer` is at that time. */
class LocalReceiver {
  answer = { status: 503, body: '{"error":"the counter is closed"}' };
  readonly bodies: string[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<LocalReceiver> {
    const server = createServer();
    const receiver = new LocalReceiver(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        receiver.bodies.push(Buffer.concat(parts).toString('utf8'));
        response.writeHead(receiver.answer.status).end(receiver.answer.body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

/** Subscriptions, their deliveries, secrets and links; the log of requests. They follow each other on one page. */
export function testDevelopers(scene: DeveloperScene): void {
  testDeliveries(scene);
  testSecrets(scene);
  testRequests(scene);
}

function testDeliveries({ stage, page }: DeveloperScene): void {
  test(
    'a test event that the receiver refuses shows its body, the answer and the next attempt, and arrives later',
    async () => {
      const receiver = await LocalReceiver.open();
      const view = page();
      await deleteSubscriptions(stage());
      await view.goto(`${stage().url}/developers/webhooks`);
      await view.getByRole('button', { name: 'Add subscription' }).first().click();
      const dialog = view.getByRole('dialog');
      await dialog.getByLabel('Address').fill(receiver.url);
      await dialog.getByRole('button', { name: 'Add subscription' }).click();
      await view.getByRole('link', { name: receiver.url }).click();
      await view.getByRole('button', { name: 'Send a test event' }).click();
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      await dialog.getByRole('link', { name: 'Show its delivery' }).click();
      await view.getByRole('heading', { level: 1, name: 'payment_intent.status_updated' }).waitFor();
      const attempt = view.getByRole('listitem').filter({ hasText: 'Attempt 1' });
      await attempt.getByText('{"error":"the counter is closed"}').waitFor();
      await attempt.getByText('503').waitFor();
      await view.getByText('Waiting').waitFor();
      expect(await view.locator('pre').filter({ hasText: '"paymentStatus": "Captured"' }).count()).toBe(1);
      expect(await findAccessibilityFindings(view)).toEqual([]);
      receiver.answer = { status: 200, body: '' };
      await advanceClock(stage());
      await view.getByText('Delivered').first().waitFor();
      expect(new Set(receiver.bodies).size).toBe(1);
      await receiver.close();
    },
    MINUTE,
  );

  test(
    'a link opens the deliveries for somebody without a session, and says when it was altered',
    async () => {
      const view = page();
      await view.getByRole('link', { name: /The subscription/ }).click();
      await view.getByRole('button', { name: 'Link to deliveries' }).click();
      const dialog = view.getByRole('dialog');
      await dialog.getByLabel('Pages that may embed it').fill('https://*.shop.example');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      await dialog.getByText('Must be an origin such as https://shop.example, without a path.').waitFor();
      await dialog.getByLabel('Pages that may embed it').fill('https://shop.example');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      const address = (await dialog.locator('code').textContent()) ?? '';
      await dialog.getByRole('button', { name: 'Done' }).click();
      const stranger = await stage().openBrowser();
      await stranger.page.goto(address);
      await stranger.page.getByRole('heading', { name: 'Webhook deliveries' }).waitFor();
      await stranger.page.locator('summary').first().click();
      await stranger.page.getByText('Attempt 1:').waitFor();
      expect(await findAccessibilityFindings(stranger.page)).toEqual([]);
      await stranger.page.goto(`${address.slice(0, -2)}AA`);
      await stranger.page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
      expect(stranger.report).toEqual({ errors: [], foreignRequests: [] });
      await stranger.context.close();
    },
    MINUTE,
  );
}

function testSecrets({ stage, page }: DeveloperScene): void {
  test(
    'a secret is replaced while two are valid, and the one that signs cannot be deleted',
    async () => {
      const view = page();
      const { id } = await createSubscription(stage());
      await answerPasswordDialogs(view, stage());
      await view.goto(`${stage().url}/developers/webhooks/${id}`);
      const rows = view.getByRole('region', { name: 'Signing secrets' }).getByRole('row');
      await rows.nth(1).waitFor();
      expect(
        await rows
          .nth(1)
          .getByRole('button', { name: /Delete/ })
          .count(),
      ).toBe(0);
      await view.getByRole('button', { name: 'Add a secret' }).click();
      await rows.nth(2).waitFor();
      const value = rows.nth(2).locator('code');
      const hidden = (await value.textContent()) ?? '';
      await rows.nth(2).getByRole('button', { name: /Show/ }).click();
      await value.filter({ hasText: /^[\w-]{43}$/ }).waitFor();
      expect(hidden).toMatch(/^sc_.{6}…$/);
      await rows
        .nth(2)
        .getByRole('button', { name: /Let it sign/ })
        .click();
      await rows.nth(1).getByText('Does not sign').waitFor();
      await rows
        .nth(1)
        .getByRole('button', { name: /Delete/ })
        .click();
      await view.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await view.getByRole('dialog').waitFor({ state: 'detached' });
      await rows.nth(2).waitFor({ state: 'detached' });
      expect(await findAccessibilityFindings(view)).toEqual([]);
    },
    MINUTE,
  );
}

function testRequests({ stage, page, paid }: DeveloperScene): void {
  test(
    'a refused request is found among the errors, with what was sent and the reason',
    async () => {
      const view = page();
      await refuseRefund(stage(), paid());
      await view.goto(`${stage().url}/developers/requests`);
      const errors = view.getByRole('region', { name: 'Errors of the last 24 hours' });
      const group = errors.getByRole('row').filter({ hasText: 'refund_exceeds_captured' });
      await group.getByRole('link', { name: 'refundPaymentIntent' }).click();
      await view.waitForURL(/operation=refundPaymentIntent/);
      const rows = view.getByRole('region', { name: 'Request log' }).getByRole('row');
      await rows.filter({ hasText: 'refund_exceeds_captured' }).first().getByRole('link').click();
      await view.getByRole('heading', { level: 1, name: 'refundPaymentIntent' }).waitFor();
      await view.getByText('"amount": 999900').waitFor();
      await view.getByRole('link', { name: paid() }).waitFor();
      expect(await findAccessibilityFindings(view)).toEqual([]);
    },
    MINUTE,
  );

  test(
    'a trace that no request has says so, and what is no trace is not looked for',
    async () => {
      const view = page();
      await view.goto(`${stage().url}/developers/requests?status=404&operation=nothing`);
      await view.getByRole('heading', { name: 'No requests' }).waitFor();
      await view.getByLabel('Trace id').fill('4bf92f35');
      await view.getByRole('button', { name: 'Find' }).click();
      await view.getByText('A trace id has 32 hex digits.').waitFor();
      await view.getByLabel('Trace id').fill(`00-${'4bf92f35'.repeat(4)}-00f067aa0ba902b7-01`);
      await view.getByRole('button', { name: 'Find' }).click();
      await view.getByRole('heading', { name: 'No request has this trace' }).waitFor();
    },
    MINUTE,
  );
}

/** Secrets need the password within five minutes, which the steps before may have taken. */
async function answerPasswordDialogs(view: Page, stage: PortalStage): Promise<void> {
  const dialog = view.getByRole('dialog', { name: 'Enter your password' });
  await view.addLocatorHandler(dialog, async () => {
    await dialog.getByLabel('Password').fill(stage.signIns.admin.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
  });
}

async function advanceClock(stage: PortalStage): Promise<void> {
  await callApi(stage, { method: 'POST', path: 'sandbox/clock/advance', body: { by: '00:01:00' }, status: 200 });
}

/** The amount is more than any payment of the tests. */
async function refuseRefund(stage: PortalStage, paymentId: string): Promise<void> {
  const path = `payment-intents/${paymentId}/refunds`;
  await callApi(stage, { method: 'POST', path, body: { amount: 999_900 }, status: 400 });
}

/** A kind belongs to one subscription, so a scenario that runs again begins without any. */
async function deleteSubscriptions(stage: PortalStage): Promise<void> {
  const answer = await callApi(stage, { method: 'GET', path: 'webhooks', status: 200 });
  for (const { id } of answer as readonly { readonly id: string }[]) {
    await callApi(stage, { method: 'DELETE', path: `webhooks/${id}`, body: {}, status: 204 });
  }
}

async function createSubscription(stage: PortalStage): Promise<{ readonly id: string }> {
  await deleteSubscriptions(stage);
  const body = { events: ['payment_intent.created'], url: 'https://shop.example/hooks' };
  const answer = await callApi(stage, { method: 'POST', path: 'webhooks', body, status: 200 });
  return answer as { readonly id: string };
}

interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** What must be answered. */
  readonly status: number;
}

async function callApi({ world }: PortalStage, { method, path, body, status }: ApiCall): Promise<unknown> {
  const [account] = world.accounts;
  const answer = await fetch(`${world.addresses.api[0] ?? ''}/${path}`, {
    method,
    headers: {
      ...{ 'content-type': 'application/json', version: '2026-02-27' },
      authorization: `Basic ${account?.keys.full ?? ''}`,
      ...(method !== 'GET' && { idempotencyKey: randomUUID() }),
      ...{ 'software-house-id': 'tests', 'reseller-id': 'tests' },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect({ path, status: answer.status }).toEqual({ path, status });
  return status === 204 ? null : answer.json();
}

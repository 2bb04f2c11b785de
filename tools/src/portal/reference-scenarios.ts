import { expect, test } from '@jest/globals';
import { openClient } from '@pos/rest-contracts/client';
import * as intents from '@pos/rest-contracts/payment-intents';
import type { BrowserContext, Page } from 'playwright-core';
import { findAccessibilityFindings, type PageReport } from '../web/page-audit.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;

/** The browser of a user who is signed in to the sandbox of the first account. */
export interface ReferenceStage {
  readonly stage: PortalStage;
  readonly page: Page;
}

/** What readers of the reference do, with and without a session. */
export function testReference(open: () => ReferenceStage): void {
  testStranger(open);
  testReading(open);
  testTrials(open);
  testRefusedTrials(open);
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** A browser without a session, which is closed at the end. */
async function readAsStranger(
  stage: PortalStage,
  language: string,
  read: (opened: { context: BrowserContext; page: Page; report: PageReport }) => Promise<void>,
): Promise<void> {
  const opened = await stage.openBrowser({ locale: language });
  await read(opened);
  expect(opened.report).toEqual({ errors: [], foreignRequests: [] });
  await opened.context.close();
}

function testStranger(open: () => ReferenceStage): void {
  test(
    'a stranger finds an operation, reads it in an older release, and follows it to its guide and its errors',
    () =>
      readAsStranger(open().stage, 'en-GB', async ({ page }) => {
        await page.goto(`${open().stage.url}/reference`);
        await page.getByRole('searchbox').fill('create payment');
        await page.getByRole('link', { name: /Create a payment intent/ }).waitFor();
        await page.getByRole('searchbox').press('Enter');
        await title(page, 'Create a payment intent').waitFor();
        await page.getByRole('group', { name: 'curl', exact: true }).getByText("'version: 2026-02-27'").waitFor();
        await page.getByRole('button', { name: 'TypeScript' }).click();
        await page.getByText('await pos.paymentIntents.create(').waitFor();
        await page.getByLabel('Release').selectOption('2022-04-07');
        await page.getByText("'version: 2022-04-07'").waitFor();
        expect(await page.getByText('await pos.paymentIntents.create(').count()).toBe(0);
        expect(new URL(page.url()).searchParams.get('release')).toBe('2022-04-07');
        // Links keep the release of the reader.
        await page.getByRole('link', { name: 'idempotency_key_reused' }).first().click();
        await title(page, 'idempotency_key_reused').waitFor();
        expect(new URL(page.url()).searchParams.get('release')).toBe('2022-04-07');
        await page.goBack();
        await page.getByRole('main').getByRole('link', { name: 'Quickstart: first payments with curl' }).last().click();
        await title(page, 'Quickstart: first payments with curl').waitFor();
      }),
    MINUTE,
  );

  test(
    'a stranger is asked to sign in before a trial, and sees no page of an account',
    () =>
      readAsStranger(open().stage, 'en-GB', async ({ page }) => {
        const { url } = open().stage;
        await page.goto(`${url}/reference/operations/createPaymentIntent`);
        await page.getByText('Sign in to the portal to send this request in your sandbox.').waitFor();
        expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
        await page.goto(`${url}/referenced`);
        await page.goto(`${url}/payments`);
        await title(page, 'Sign in').waitFor();
      }),
    MINUTE,
  );
}

function testReading(open: () => ReferenceStage): void {
  test(
    'a browser in German gets the reference in German, and what the contract says in English',
    () =>
      readAsStranger(open().stage, 'de-DE', async ({ page }) => {
        await page.goto(`${open().stage.url}/reference/operations/refundPaymentIntent`);
        await page.getByRole('heading', { name: 'Antworten' }).waitFor();
        const heading = page.locator('[lang=en] h1');
        expect(await heading.textContent()).toBe('Refund all or part of what was captured');
      }),
    MINUTE,
  );

  test(
    'a link inside a guide opens the page at its heading',
    () =>
      readAsStranger(open().stage, 'en-GB', async ({ page }) => {
        await page.goto(`${open().stage.url}/reference/guides/quickstart`);
        await page.getByRole('link', { name: 'Verify webhook signatures' }).last().click();
        await title(page, 'Verify webhook signatures').waitFor();
        await page.goto(`${open().stage.url}/reference/guides/quickstart#verify-the-webhooks`);
        const heading = page.getByRole('heading', { name: 'Verify the webhooks' });
        await heading.waitFor();
        await page.waitForFunction(
          // A text and not a function: the policy of the page forbids to evaluate one.
          "document.getElementById('verify-the-webhooks').getBoundingClientRect().top < window.innerHeight",
        );
      }),
    MINUTE,
  );
}

function testTrials(open: () => ReferenceStage): void {
  test(
    'a user sends an example in the sandbox, and sees the answer with its time and its trace id',
    async () => {
      const { page, stage } = open();
      await page.goto(`${stage.url}/reference/operations/createPaymentIntent`);
      await page
        .getByLabel('Body', { exact: true })
        .fill('{"amount": {"value": 4321, "currencyCode": "GBP"}, "reference": "trial 1"}');
      const [request] = await Promise.all([
        page.waitForRequest(
          (sent) => sent.method() === 'POST' && new URL(sent.url()).pathname === '/portal/api/payment-intents',
        ),
        page.getByRole('button', { name: 'Send' }).click(),
      ]);
      await page.getByText('Answer of the sandbox').waitFor();
      await page.getByRole('status').filter({ hasText: '200' }).filter({ hasText: / ms/ }).waitFor();
      const answer = await page.getByRole('group', { name: 'Answer of the sandbox' }).textContent();
      const { id } = JSON.parse(answer?.replace(/(Copy|Copied)$/, '') ?? '') as { id: string };
      // The payment exists in the account, and the browser has sent no key.
      const [account] = stage.world.accounts;
      const client = openClient({ baseUrl: stage.world.addresses.api[0] ?? '', apiKey: account?.keys.full ?? '' });
      const { reference } = await client(intents.readPaymentIntent, { params: { paymentIntentId: id }, query: {} });
      expect(reference).toBe('trial 1');
      expect(request.headers()).not.toHaveProperty('authorization');
      const traceId = await page.locator('dt', { hasText: 'Trace id' }).locator('xpath=..').locator('dd').textContent();
      expect(traceId).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    MINUTE,
  );

  test(
    'a repeat under the same key is the same payment, and a new key makes another one',
    async () => {
      const { page } = open();
      const send = () => page.getByRole('button', { name: 'Send' }).click();
      await send();
      await page.locator('dt', { hasText: 'idempotent-replayed' }).waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      await send();
      await page.locator('dt', { hasText: 'idempotent-replayed' }).waitFor({ state: 'detached' });
    },
    MINUTE,
  );
}

function testRefusedTrials(open: () => ReferenceStage): void {
  test(
    'a form names its mistakes, and a refusal leads to the page of its reason',
    async () => {
      const { page, stage } = open();
      const body = page.getByLabel('Body', { exact: true });
      await body.fill('{"amount": ');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').filter({ hasText: 'This is no JSON' }).waitFor();
      await body.fill('{"amount": {"value": 0, "currencyCode": "GBP"}, "reference": "trial 2"}');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('status').filter({ hasText: '400' }).waitFor();
      await page.getByRole('region', { name: 'Try it' }).getByRole('link', { name: 'validation_failed' }).click();
      await title(page, 'validation_failed').waitFor();
      await page.goto(`${stage.url}/reference/operations/readPaymentIntent`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Is needed for the address.').waitFor();
    },
    MINUTE,
  );

  test(
    'operations of payers and of an EPOS have no form, because the portal does not forward them',
    async () => {
      const { page, stage } = open();
      for (const [id, name] of [
        ['readPublicPaymentIntent', 'Read what a payer may see of a payment intent'],
        ['payByCard', 'Pay a payment intent by card, or set the card up for later'],
        ['CreateOrder', /order/i],
      ] as const) {
        await page.goto(`${stage.url}/reference/operations/${id}`);
        await page.getByRole('heading', { level: 1, name }).waitFor();
        expect(await page.getByRole('heading', { name: 'Try it' }).count()).toBe(0);
      }
    },
    MINUTE,
  );
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { findChromium } from '../../chromium/places.js';
import { findAccessibilityFindings, measureTransfer, type PageReport } from '../web/page-audit.js';
import { testDevelopers } from './developer-scenarios.js';
import { testOperations } from './operation-scenarios.js';
import { ACCOUNT_PAGES, REFERENCE_PAGES } from './portal-pages.js';
import { PortalStage } from './portal-stage.js';
import { testQuickstart } from './quickstart-scenarios.js';
import { testReference } from './reference-scenarios.js';
import { testRestaurant } from './restaurant-scenarios.js';
import { testSessionEnd } from './session-scenarios.js';
import { testSettings } from './settings-scenarios.js';
import { testSimulator } from './simulator-scenarios.js';
import { testTesterRuns } from './tester-scenarios.js';

const MINUTE = 60_000;
const FIRST_LOAD_BYTES_MAX = 150 * 1024;
const ROUTE_BYTES_MAX = 60 * 1024;
const executable = findChromium(process.env);
const PAGES = [...ACCOUNT_PAGES, ...REFERENCE_PAGES];

describe('the portal, in a browser', () => {
  if (executable === null) reportNotRun();
  else openStage(executable);
});

/** It passes, because a machine without a browser is no failure; its title makes it visible in the log. */
function reportNotRun(): void {
  test('NOT RUN: this machine has no Chromium, so the portal was not tested', () => expect(executable).toBeNull());
}

let stage: PortalStage;
let context: BrowserContext;
let page: Page;
let report: PageReport;
let paid: string;
let firstLoad = 0;

const title = (name: string, on = page) => on.getByRole('heading', { level: 1, name });

/** Opens a page, and waits for its data. */
async function open(address: string, name: string, on = page): Promise<void> {
  await on.goto(`${stage.url}${address}`);
  await title(name, on).waitFor();
  // Not a function of the page: its content policy forbids to evaluate one.
  await on.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

function openStage(path: string): void {
  beforeAll(async () => {
    stage = await PortalStage.open(path);
    ({ context, page, report } = await stage.openBrowser());
    firstLoad = await measureTransfer(page, stage.url, async () => {
      await page.goto(stage.url);
      await title('Sign in').waitFor();
    });
  }, 3 * MINUTE);
  afterAll(async () => {
    // Undefined when the stage could not be opened.
    await (stage as PortalStage | undefined)?.close();
  }, MINUTE);

  testAccess();
  testSettings(() => ({ stage, page, open }));
  testMoney();
  testCreation();
  testKeyPermissions();
  testRestaurant(() => ({ stage, page, open }));
  testSimulator(() => ({ stage, page, open }));
  testTesterRuns(() => ({ page, open }));
  testDevelopers({ stage: () => stage, page: () => page, paid: () => paid });
  testReference(() => ({ stage, page }));
  testQuickstart({ stage: () => stage, page: () => page });
  testAudits();
  testAccounts();
  testOperations(() => ({ stage, firstLoad, routeBytesMax: ROUTE_BYTES_MAX }));
  testSessionEnd(() => stage);
  testEnd();
}

function testAccess(): void {
  test(
    'a stranger sees the sign-in only, and a wrong password says no more than that',
    async () => {
      await page.goto(`${stage.url}/payments`);
      await title('Sign in').waitFor();
      await page.getByLabel('E-mail address').fill(stage.signIns.admin.email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' }).waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
    },
    MINUTE,
  );

  test(
    'a user signs in, and the cookie of the session is bound to the origin',
    async () => {
      await stage.signIn(page);
      const cookies = await context.cookies();
      expect(cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite }))).toEqual([
        { name: '__Host-pos-portal', httpOnly: true, secure: true, sameSite: 'Strict' },
      ]);
      expect(await page.evaluate('document.cookie')).toBe('');
    },
    MINUTE,
  );
}

function testMoney(): void {
  test(
    'a payment appears on the open page without a reload, and is refunded in part',
    async () => {
      await open('/payments', 'Payments');
      paid = await stage.createPaidPayment({});
      await page.locator(`a[href="/payments/${paid}"]`, { hasText: '£12.50' }).click();
      await page.getByRole('button', { name: 'Refund' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount').fill('12.51');
      await dialog.getByRole('button', { name: 'Refund' }).click();
      await dialog.getByText('At most £12.50.').waitFor();
      await dialog.getByLabel('Amount').fill('5');
      await dialog.getByRole('button', { name: 'Refund' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Refunded £5.00').waitFor();
      await page.getByText('£7.50').waitFor();
    },
    MINUTE,
  );

  test(
    'the timeline has the request, the call to the acquirer and the new state of a refund, with their bodies',
    async () => {
      await page.goto(`${stage.url}/payments/${paid}`);
      const steps = page.getByRole('listitem');
      const request = steps.filter({ hasText: 'API request' }).filter({ hasText: 'refundPaymentIntent' }).first();
      await request.getByText('Done').waitFor();
      await request.getByText('Request', { exact: true }).click();
      await request.getByText('"amount": 500').waitFor();
      await steps.filter({ hasText: 'Acquirer' }).filter({ hasText: 'Refund' }).first().waitFor();
      await steps.filter({ hasText: 'New state' }).filter({ hasText: 'Refunded £5.00' }).waitFor();
      await steps.filter({ hasText: 'Acquirer' }).filter({ hasText: 'Authorise' }).waitFor();
      // To look at a payment is no step of it.
      expect(await steps.filter({ hasText: 'readPaymentIntent' }).count()).toBe(0);
    },
    MINUTE,
  );

  test(
    'held money is captured with the keyboard alone',
    async () => {
      const id = await stage.createPaidPayment({ captureMode: 'Manual', reference: 'table 12' });
      await page.goto(`${stage.url}/payments/${id}`);
      await page.getByRole('button', { name: 'Capture' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('Captured £12.50').waitFor();
      // The dialog returns the focus to the page.
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
    },
    MINUTE,
  );
}

function testCreation(): void {
  test(
    'a link is created with its code, and its payment names where it comes from',
    async () => {
      await open('/payment-links', 'Payment links');
      await page.getByLabel('Amount').fill('7.25');
      await page.getByLabel('Reference').fill('gift card');
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
      await page.getByRole('link', { name: 'Show the payment' }).click();
      await page.getByText('Payment link', { exact: true }).waitFor();
    },
    MINUTE,
  );

  test(
    'a key is shown once, and is gone after the dialog',
    async () => {
      await open('/developers/api-keys', 'API keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Label').fill('counter 3');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const key = await page.getByRole('dialog').locator('code', { hasText: /^sk_/ }).textContent();
      expect(key).toMatch(/^sk_sandbox_/);
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.content()).not.toContain(key);
    },
    MINUTE,
  );
}

function testKeyPermissions(): void {
  test(
    'a key gets a permission that no role has by its tick box, and is listed with its role and this permission',
    async () => {
      await open('/developers/api-keys', 'API keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Label').fill('brand portal');
      await dialog.getByLabel('Role').selectOption('read-only');
      await dialog.getByRole('checkbox', { name: /^Change the look/ }).focus();
      await page.keyboard.press('Space');
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: 'brand portal' });
      await row.getByRole('cell', { name: 'read-only + branding.write', exact: true }).waitFor();
    },
    MINUTE,
  );
}

function testAudits(): void {
  test.each(PAGES)(
    '%s is accessible in both themes and widths',
    async (address, name) => {
      await open(address, name);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    MINUTE,
  );

  test(
    'the page of a payment and its dialog are accessible',
    async () => {
      await page.goto(`${stage.url}/payments/${paid}`);
      await page.getByRole('button', { name: 'Refund' }).waitFor();
      // An open dialog hides the page from screen readers, so each is looked at alone.
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Refund' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    MINUTE,
  );

  test(
    'the first load and each page stay within their budgets',
    async () => {
      expect(firstLoad).toBeGreaterThan(50 * 1024);
      expect(firstLoad).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
      for (const [address, name] of PAGES) {
        const bytes = await measureTransfer(page, stage.url, () => open(address, name));
        expect({ address, isWithin: bytes - firstLoad <= ROUTE_BYTES_MAX }).toEqual({ address, isWithin: true });
      }
    },
    MINUTE,
  );
}

function testAccounts(): void {
  test(
    'what a page starts never happens in the account that another page has chosen since',
    async () => {
      const { context: shared, page: left } = await stage.openBrowser();
      await stage.signIn(left);
      await left.goto(`${stage.url}/developers/test-clock`);
      await title('Test clock', left).waitFor();
      const right = await shared.newPage();
      await right.goto(stage.url);
      await right.getByLabel('Account').selectOption({ label: 'The Oyster Shed · Production' });
      await right.getByText('Production', { exact: true }).waitFor();
      const answered = left.waitForResponse(/clock\/advance/);
      await left.getByRole('button', { name: '1 hour' }).click();
      expect((await answered).status()).toBe(409);
      await left.getByText('Production', { exact: true }).waitFor();
      await shared.close();
    },
    MINUTE,
  );
}

function testEnd(): void {
  test(
    'a browser in German gets German pages',
    async () => {
      const german = await stage.openBrowser({ locale: 'de-DE' });
      await german.page.goto(stage.url);
      await german.page.getByRole('heading', { name: 'Anmelden' }).waitFor();
      await german.context.close();
    },
    MINUTE,
  );

  test(
    'after signing out the pages show nothing of the account',
    async () => {
      const leaving = await stage.openBrowser();
      await stage.signIn(leaving.page);
      await open('/payments', 'Payments', leaving.page);
      expect(await leaving.page.content()).toContain('£12.50');
      await leaving.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await title('Sign in', leaving.page).waitFor();
      expect(await leaving.page.content()).not.toContain('£12.50');
      expect(await leaving.context.cookies()).toEqual([]);
      await leaving.page.goBack();
      await title('Sign in', leaving.page).waitFor();
      expect(leaving.report).toEqual({ errors: [], foreignRequests: [] });
      await leaving.context.close();
    },
    MINUTE,
  );

  test(
    'a sign-out that does not reach the portal says so, and can be repeated',
    async () => {
      const leaving = await stage.openBrowser();
      await stage.signIn(leaving.page);
      await leaving.context.route('**/portal/session', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      );
      await leaving.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await leaving.page.getByRole('alert').filter({ hasText: 'You are still signed in' }).waitFor();
      await leaving.context.unroute('**/portal/session');
      await leaving.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await title('Sign in', leaving.page).waitFor();
      expect(await leaving.context.cookies()).toEqual([]);
      await leaving.context.close();
    },
    MINUTE,
  );

  test('no page broke the content policy, failed, or called another origin', () => {
    expect(report).toEqual({ errors: [], foreignRequests: [] });
  });
}

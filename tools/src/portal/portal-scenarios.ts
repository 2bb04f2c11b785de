import type { BrowserContext } from 'playwright-core';
import { expect, test } from '@jest/globals';
import type { DevWorld } from '../dev/world.js';
import { findAccessibilityFindings } from '../web/page-audit.js';
import { describePortal, findTitle, MINUTE, type PortalScene, testAudits, testBudgets } from './portal-browser.js';
import { ACCOUNT_PAGES } from './portal-pages.js';
import { testQuickstart } from './quickstart-scenarios.js';

/** The pages that the wide test looks at; the long test beside it has all. */
const PAGES = ACCOUNT_PAGES.filter(([address]) => ['/', '/payments', '/developers/webhooks'].includes(address));

let paid: string;

/**
 * The scenarios of the portal: `npm test` plays a sign-in, a payment with its refund and a sign-out, the long run all.
 * Call it in the file of tests that has started the world.
 */
export function describePortalPages(getWorld: () => DevWorld): void {
  const isLong = process.env['LONG'] === '1';
  describePortal((getScene) => {
    testAccess(getScene);
    testMoney(getScene);
    if (isLong) {
      testTimelineAndCapture(getScene);
      testCreation(getScene);
      testQuickstart({ stage: () => getScene().stage, page: () => getScene().page });
      testAudits(getScene, PAGES);
      testBudgets(getScene, PAGES);
    }
    testSignOut(getScene);
    if (isLong) testEnd(getScene);
  }, getWorld);
}

function testAccess(getScene: () => PortalScene): void {
  test(
    'a stranger sees the sign-in only, and a wrong password says no more than that',
    async () => {
      const { stage, page } = getScene();
      await page.goto(`${stage.url}/payments`);
      await findTitle(page, 'Sign in').waitFor();
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
      const { stage, context, page } = getScene();
      await stage.signIn(page);
      const cookies = await context.cookies();
      expect(cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite }))).toEqual([
        { name: '__Host-pos-portal', httpOnly: true, secure: true, sameSite: 'Strict' },
        {
          ...{ name: expect.stringMatching(/^__Host-pos-portal-device-\w{12}$/), httpOnly: true },
          ...{ secure: true, sameSite: 'Strict' },
        },
      ]);
      expect(await page.evaluate('document.cookie')).toBe('');
    },
    MINUTE,
  );
}

function testMoney(getScene: () => PortalScene): void {
  test(
    'a payment appears on the open page without a reload, and is refunded in part',
    async () => {
      const { stage, page, open } = getScene();
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
}

function testTimelineAndCapture(getScene: () => PortalScene): void {
  test(
    'the timeline has the request, the call to the acquirer and the new state of a refund, with their bodies',
    async () => {
      const { stage, page } = getScene();
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
      const { stage, page } = getScene();
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

function testCreation(getScene: () => PortalScene): void {
  test(
    'a link is created with its code, and its payment names where it comes from',
    async () => {
      const { page, open } = getScene();
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
      const { page, open } = getScene();
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

function testSignOut(getScene: () => PortalScene): void {
  test(
    'after signing out the pages show nothing of the account',
    async () => {
      const { stage, open } = getScene();
      const leaving = await stage.openBrowser();
      await stage.signIn(leaving.page);
      await open('/payments', 'Payments', leaving.page);
      expect(await leaving.page.content()).toContain('£12.50');
      await leaving.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await findTitle(leaving.page, 'Sign in').waitFor();
      expect(await leaving.page.content()).not.toContain('£12.50');
      expect(await listSessionCookies(leaving.context)).toEqual([]);
      await leaving.page.goBack();
      await findTitle(leaving.page, 'Sign in').waitFor();
      expect(leaving.report).toEqual({ errors: [], foreignRequests: [] });
      await leaving.context.close();
    },
    MINUTE,
  );
}

function testEnd(getScene: () => PortalScene): void {
  test(
    'a browser in German gets German pages',
    async () => {
      const { stage } = getScene();
      const german = await stage.openBrowser({ locale: 'de-DE' });
      await german.page.goto(stage.url);
      await german.page.getByRole('heading', { name: 'Anmelden' }).waitFor();
      await german.context.close();
    },
    MINUTE,
  );

  test(
    'a sign-out that does not reach the portal says so, and can be repeated',
    async () => {
      const { stage } = getScene();
      const leaving = await stage.openBrowser();
      await stage.signIn(leaving.page);
      await leaving.context.route('**/portal/session', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      );
      await leaving.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await leaving.page.getByRole('alert').filter({ hasText: 'You are still signed in' }).waitFor();
      await leaving.context.unroute('**/portal/session');
      await leaving.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await findTitle(leaving.page, 'Sign in').waitFor();
      expect(await listSessionCookies(leaving.context)).toEqual([]);
      await leaving.context.close();
    },
    MINUTE,
  );
}

/** What opens something: the mark of a browser that the user has used stays after a sign-out. */
async function listSessionCookies(context: BrowserContext): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name);
  return names.filter((name) => !name.startsWith('__Host-pos-portal-device-'));
}

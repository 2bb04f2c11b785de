import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import type { PortalStage } from './portal-stage.js';
import { RestaurantSeed } from './restaurant-seed.js';

const MINUTE = 60_000;

/** Where the scenarios are played: a page on which an administrator is signed in. */
export interface RestaurantScene {
  readonly stage: PortalStage;
  readonly page: Page;
  /** Opens a page of the portal, and waits for its title and its data. */
  readonly open: (address: string, title: string) => Promise<void>;
}

type SceneGetter = () => RestaurantScene;

/** Plays what people do about customers, stored cards and the machines and EPOS of a restaurant. */
export function testRestaurant(scene: SceneGetter): void {
  testCustomers(scene);
  testSetupIntents(scene);
  testService(scene);
  testSavedViews(scene);
}

function testCustomers(scene: SceneGetter): void {
  test(
    'a customer is found by the beginning of the name, with the card and the payments',
    async () => {
      const { stage, page, open } = scene();
      const seed = new RestaurantSeed(stage.world);
      const id = await seed.createCustomer('Ada Payer', 'ada@payer.example');
      await open('/customers', 'Customers');
      await page.getByLabel('Find a customer').fill('nobody');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { name: 'No customer matches' }).waitFor();
      await page.getByLabel('Find a customer').fill('ada');
      await page.keyboard.press('Enter');
      // By its address: a repetition of this test has another customer of the same name.
      await page.locator(`a[href="/customers/${id}"]`, { hasText: 'Ada Payer' }).click();
      await page.getByRole('list', { name: 'Saved cards' }).getByText('Visa •••• 1014').waitFor();
      await page.getByRole('link', { name: '£12.50' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/customers/${id}`);
      expect(await page.content()).not.toContain('44565300');
      expect(await findAccessibilityFindings(page)).toEqual([]);
    },
    MINUTE,
  );

  test(
    'a saved card is removed after a question that names it, and only then',
    async () => {
      const { page } = scene();
      const remove = page.getByRole('button', { name: 'Remove: Visa •••• 1014' });
      await remove.click();
      const dialog = page.getByRole('dialog', { name: 'Remove Visa •••• 1014?' });
      await dialog.getByRole('button', { name: 'Keep it' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.reload();
      await remove.focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No card is saved.').waitFor();
      await page.reload();
      await page.getByText('No card is saved.').waitFor();
    },
    MINUTE,
  );

  test(
    'an id of no customer says so',
    async () => {
      const { stage, page } = scene();
      await page.goto(`${stage.url}/customers/cust_sandbox_AAAAAAAAAAAAAAAAAAAAAA`);
      await page.getByRole('heading', { name: 'There is no such customer' }).waitFor();
    },
    MINUTE,
  );
}

function testSetupIntents(scene: SceneGetter): void {
  test(
    'a link to store a card is created, opens the hosted page, and is given up',
    async () => {
      const { page, open } = scene();
      await open('/setup-intents', 'Cards for later');
      await page.getByLabel('Reference').fill('table 4, Saturday');
      await page.getByLabel('Highest charge').fill('25.005');
      await page.getByLabel('Terms').fill('If you do not come, we charge £25.00 to this card.');
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.getByText('Enter an amount such as 12.50, or nothing.').waitFor();
      await page.getByLabel('Highest charge').fill('25');
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
      const link = (await page.getByRole('link', { name: 'Open the hosted page' }).getAttribute('href')) ?? '';
      const answer = await fetch(link);
      expect([answer.status, new URL(link).pathname.startsWith('/checkout/si_')]).toEqual([200, true]);
      await page.getByRole('link', { name: 'Show the setup intent' }).click();
      await page.getByRole('heading', { level: 1, name: 'table 4, Saturday' }).waitFor();
      await page.getByText('Waiting for the card').waitFor();
      await page.getByText('£25.00', { exact: true }).waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Give up' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Give up' }).click();
      await page.getByText('Cancelled').waitFor();
      expect(await page.getByRole('img', { name: 'QR code of the link' }).count()).toBe(0);
    },
    MINUTE,
  );

  test(
    'an unknown id is refused in words',
    async () => {
      const { page, open } = scene();
      await open('/setup-intents', 'Cards for later');
      await page.getByLabel('Id').fill('si_sandbox_AAAAAAAAAAAAAAAAAAAAAA');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'there is no such setup intent' }).waitFor();
    },
    MINUTE,
  );
}

function testService(scene: SceneGetter): void {
  test(
    'a machine lists its sessions, and another machine is paired with a reason only',
    async () => {
      const { stage, page, open } = scene();
      const tid = await new RestaurantSeed(stage.world).startSale();
      await open('/restaurant/terminals', 'Card machines');
      await page.getByRole('link', { name: tid }).click();
      await page.getByRole('heading', { level: 1, name: `Card machine ${tid}` }).waitFor();
      const row = page.getByRole('row').filter({ hasText: '£20.00' }).first();
      // How it ends depends on the speed of the machine.
      await row.getByText('Sale').waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Pair another machine' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Pair another machine' }).click();
      expect(await dialog.isVisible()).toBe(true);
      await dialog.getByLabel('Reason').fill('the machine was replaced');
      await dialog.getByRole('button', { name: 'Pair another machine' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('The next machine that connects under this TID is paired.').waitFor();
    },
    MINUTE,
  );

  test(
    'an order that was paid in advance arrives at the EPOS, and the call to it is listed',
    async () => {
      const { stage, page, open } = scene();
      await new RestaurantSeed(stage.world).placeOrder();
      await open('/restaurant/orders', 'Orders paid in advance');
      const row = page.getByRole('row').filter({ hasText: '£13.00' });
      await row.getByText('Done').waitFor();
      await open('/restaurant/epos', 'EPOS');
      await page.getByRole('heading', { name: 'Registrations' }).waitFor();
      const call = page.getByRole('row').filter({ hasText: 'CreateOrder' }).first();
      await call.getByText('Done').waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
    },
    MINUTE,
  );

  test(
    'the report of a test run opens the step that failed',
    async () => {
      const { stage, page, open } = scene();
      const id = await new RestaurantSeed(stage.world).storeTesterRun();
      await open('/restaurant/tester-runs', 'EPOS tests');
      await page.locator(`a[href="/restaurant/tester-runs/${id}"]`).click();
      await page.getByText('The step RecordPayment failed.').waitFor();
      await page.getByText('clause R-4: a repeat gives the first answer').waitFor();
      expect(await page.getByText('LockSession answered in 12 ms').isVisible()).toBe(false);
      expect(await findAccessibilityFindings(page)).toEqual([]);
    },
    MINUTE,
  );
}

function testSavedViews(scene: SceneGetter): void {
  test(
    'filters are saved under a name, found again in the address, renamed and deleted',
    async () => {
      const { page, open } = scene();
      await open('/payments', 'Payments');
      expect(await page.getByRole('button', { name: 'Save this view' }).count()).toBe(0);
      await page.getByLabel('Status').selectOption('Created');
      await page.getByRole('button', { name: 'Save this view' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Unpaid');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const view = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'Unpaid' });
      await view.waitFor();
      await page.getByRole('link', { name: 'All payments' }).click();
      await page.waitForURL(`${scene().stage.url}/payments`);
      await view.click();
      await page.waitForURL(`${scene().stage.url}/payments?status=Created`);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Rename' }).click();
      await dialog.getByLabel('Name').fill('Still unpaid');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('link', { name: 'Still unpaid' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('navigation', { name: 'Saved views' }).waitFor({ state: 'detached' });
      await page.waitForURL(`${scene().stage.url}/payments`);
    },
    MINUTE,
  );
}

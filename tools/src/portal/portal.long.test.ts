import { beforeAll, expect, test } from '@jest/globals';
import { findAccessibilityFindings } from '../web/page-audit.js';
import { testBookings } from './booking-scenarios.js';
import { testDevelopers } from './developer-scenarios.js';
import { testOperations } from './operation-scenarios.js';
import {
  describePortal,
  findTitle,
  MINUTE,
  type PortalScene,
  ROUTE_BYTES_MAX,
  testAudits,
  testBudgets,
} from './portal-browser.js';
import { ACCOUNT_PAGES, REFERENCE_PAGES } from './portal-pages.js';
import { testFirstPassword } from './password-scenarios.js';
import { testReference } from './reference-scenarios.js';
import { testRefusals } from './refusal-scenarios.js';
import { testRestaurant } from './restaurant-scenarios.js';
import { testSecondFactors } from './second-factor-scenarios.js';
import { testShownSecrets } from './secret-scenarios.js';
import { testSessionEnd } from './session-scenarios.js';
import { testSettings } from './settings-scenarios.js';
import { testSimulator } from './simulator-scenarios.js';
import { testTesterRuns } from './tester-scenarios.js';

const PAGES = [...ACCOUNT_PAGES, ...REFERENCE_PAGES];

/** Longer than the list of pages is wide. */
const LONG_NAME = 'The Oyster Shed and Crab Bar at the Old Harbour · Production';

let paid: string;

// Everything that portal-scenarios.ts leaves out, which `npm test` plays.
describePortal((getScene) => {
  beforeAll(async () => {
    const { stage, page } = getScene();
    await stage.signIn(page);
    paid = await stage.createPaidPayment({});
  }, MINUTE);

  testSettings(getScene);
  testKeyPermissions(getScene);
  testTestClock(getScene);
  testWideTables(getScene);
  testShownSecrets(getScene);
  testRefusals({ getScene, getPaid: () => paid });
  testRestaurant(getScene);
  testBookings(getScene);
  testSimulator(getScene);
  testTesterRuns(getScene);
  testDevelopers({ stage: () => getScene().stage, page: () => getScene().page, paid: () => paid });
  testReference(getScene);
  testAudits(getScene, PAGES);
  testPayment(getScene);
  testBudgets(getScene, PAGES);
  testAccounts(getScene);
  testOperations(() => ({ ...getScene(), routeBytesMax: ROUTE_BYTES_MAX }));
  testSecondFactors(getScene);
  testSessionEnd(() => getScene().stage);
  testFirstPassword(() => getScene().stage);
});

function testPayment(getScene: () => PortalScene): void {
  test(
    'the page of a payment and its dialog are accessible',
    async () => {
      const { stage, page } = getScene();
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
}

function testAccounts(getScene: () => PortalScene): void {
  test(
    'what a page starts never happens in the account that another page has chosen since',
    async () => {
      const { stage } = getScene();
      const { context: shared, page: left } = await stage.openBrowser();
      await stage.signIn(left);
      await left.goto(`${stage.url}/developers/test-clock`);
      await findTitle(left, 'Test clock').waitFor();
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

  test(
    'the name of the account and its environment are readable in full at every width',
    async () => {
      const { stage } = getScene();
      const { context, page } = await stage.openBrowser();
      await stage.signIn(page);
      await page.getByLabel('Account').selectOption({ label: 'The Oyster Shed · Production' });
      await page.getByText('Production', { exact: true }).waitFor();
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 860 });
        await page.goto(stage.url);
        if (width < 900) await page.getByRole('button', { name: 'Menu' }).click();
        await page.locator('#navigation span', { hasText: 'The Oyster Shed · Production' }).waitFor();
        await page.evaluate(`document.querySelector('#account').previousElementSibling.textContent = '${LONG_NAME}'`);
        // A part that is hidden would make the content wider than the box that shows it, or the box wider than the list.
        const cut = await page.evaluate(
          `[document.querySelector('#account').previousElementSibling].filter((each) => each.scrollWidth > each.clientWidth
            || each.getBoundingClientRect().right > document.querySelector('#navigation').getBoundingClientRect().right)
            .map((each) => each.textContent)`,
        );
        expect(cut).toEqual([]);
      }
      await context.close();
    },
    MINUTE,
  );
}

function testTestClock(getScene: () => PortalScene): void {
  test(
    'the test clock shows the time of the sandbox at once, and its new time after an advance',
    async () => {
      const { page, open } = getScene();
      await open('/developers/test-clock', 'Test clock');
      const time = page.getByRole('status').filter({ hasText: /^It is now .*\d in this sandbox\.$/ });
      const before = (await time.textContent()) ?? '';
      await page.getByRole('button', { name: '1 day', exact: true }).click();
      await time.filter({ hasNotText: before }).waitFor();
    },
    MINUTE,
  );
}

function testWideTables(getScene: () => PortalScene): void {
  test(
    'a table that is wider than a phone is marked at the edge beyond which there is more, and scrolls by keyboard',
    async () => {
      const { page, open } = getScene();
      await page.setViewportSize({ width: 390, height: 860 });
      await open('/developers/api-keys', 'API keys');
      const table = page.getByRole('region', { name: 'API keys' });
      const measure = (expression: string): Promise<unknown> =>
        page.evaluate(`((frame) => ${expression})(document.querySelector('main [role="region"]'))`);
      // What is behind the content: covers that scroll with it, and shadows that do not.
      const layers = 'local, local, scroll, scroll, scroll';
      expect(await measure('getComputedStyle(frame).backgroundAttachment')).toBe(layers);
      expect(await measure('frame.scrollWidth > frame.clientWidth')).toBe(true);
      await table.focus();
      while ((await measure('frame.scrollLeft')) === 0) await page.keyboard.press('ArrowRight');
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    MINUTE,
  );
}

function testKeyPermissions(getScene: () => PortalScene): void {
  test(
    'a key gets a permission that no role has by its tick box, and is listed with its role and this permission',
    async () => {
      const { page, open } = getScene();
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

import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;
const YELLOW = '#ffd400';
/** Processes use a new setting within two seconds. */
const RELOADS_MAX = 10;
const RELOAD_MS = 500;

interface SettingsScene {
  readonly stage: PortalStage;
  readonly page: Page;
  readonly open: (address: string, title: string) => Promise<void>;
}

/** What an administrator changes on the page of settings. */
export function testSettings(getScene: () => SettingsScene): void {
  testBranding(getScene);
  testOrigins(getScene);
  testSwitches(getScene);
}

function testBranding(getScene: () => SettingsScene): void {
  test(
    'a colour is previewed with its contrasts, a wrong logo is refused at its field, and payers see what was saved',
    async () => {
      const { stage, page, open } = getScene();
      await open('/settings', 'Settings');
      const form = page.getByRole('form', { name: 'Look of the payment page' });
      await form.getByLabel('Colour', { exact: true }).fill(YELLOW);
      await form.getByText('Button: black text').waitFor();
      await form.getByText('Links on light pages are darkened').waitFor();
      await form.getByText('Links on dark pages keep your colour').waitFor();
      await form.getByLabel('Logo').fill('http://cdn.example/logo.svg');
      await save(page, 'Look of the payment page', 400);
      await form.getByText('Must be an https address.').waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await form.getByLabel('Logo').fill('');
      await save(page, 'Look of the payment page', 200);
      await form.getByText('Saved').waitFor();
      await page.reload();
      await form.waitFor();
      expect(await form.getByLabel('Colour', { exact: true }).inputValue()).toBe(YELLOW);
      expect(await readPayersStyle(stage, YELLOW)).toContain(YELLOW);
      await form.getByLabel('Colour', { exact: true }).fill('');
      await save(page, 'Look of the payment page', 200);
    },
    MINUTE,
  );
}

function testOrigins(getScene: () => SettingsScene): void {
  test(
    'an origin is added and removed by the keyboard, and a wildcard is refused at the field',
    async () => {
      const { page, open } = getScene();
      await open('/settings', 'Settings');
      const field = page.getByLabel('Origin', { exact: true });
      const listed = page.getByRole('listitem').filter({ hasText: 'https://shop.example' });
      await field.fill('https://*.shop.example');
      await page.keyboard.press('Enter');
      await page.getByText(/^Must be a list without repetition of at most 20 origins/).waitFor();
      await field.fill('https://shop.example');
      await page.keyboard.press('Enter');
      await listed.waitFor();
      expect(await field.inputValue()).toBe('');
      await listed.getByRole('button', { name: 'Remove https://shop.example' }).focus();
      await page.keyboard.press('Enter');
      await listed.waitFor({ state: 'detached' });
    },
    MINUTE,
  );
}

function testSwitches(getScene: () => SettingsScene): void {
  test(
    'a question at the table is switched on and off, and the page names what was saved',
    async () => {
      const { page, open } = getScene();
      await open('/settings', 'Settings');
      const form = page.getByRole('form', { name: 'Pay at table' });
      const asks = form.getByLabel(/^Ask for the waiter/);
      for (const isOn of [true, false]) {
        await asks.focus();
        await page.keyboard.press('Space');
        await save(page, 'Pay at table', 200);
        await form.getByText('Saved').waitFor();
        await page.reload();
        await form.waitFor();
        expect(await asks.isChecked()).toBe(isOn);
      }
    },
    MINUTE,
  );
}

async function save(page: Page, section: string, status: number): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/portal/account-settings') && response.request().method() === 'PATCH',
  );
  await page.getByRole('button', { name: `Save ${section}` }).click();
  const response = await answered;
  // The body says why.
  expect({ status: response.status(), body: await response.text() }).toMatchObject({ status });
}

/** The style of the payment page, once it has the colour. */
async function readPayersStyle(stage: PortalStage, color: string): Promise<string> {
  const payer = await stage.openPayer();
  const id = await stage.createPayment({ reference: 'table 8' });
  let style = '';
  for (let reloads = 0; reloads < RELOADS_MAX && !style.includes(color); reloads += 1) {
    await payer.open(id);
    style = (await payer.page.locator('html').getAttribute('style')) ?? '';
    await payer.page.waitForTimeout(RELOAD_MS);
  }
  await payer.leave();
  return style;
}

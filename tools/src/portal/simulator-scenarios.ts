import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { APPROVED } from '../checkout/cards.js';
import { findAccessibilityFindings } from '../web/page-audit.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;
const TABS_MAX = 80;

interface SimulatorScene {
  readonly stage: PortalStage;
  readonly page: Page;
  readonly open: (address: string, title: string) => Promise<void>;
}

/** Faults that are switched in the portal and happen at the running sandbox. */
export function testSimulator(getScene: () => SimulatorScene): void {
  test(
    'an acquirer that declines is switched by the keyboard, a payer is declined, and pays once it is switched off',
    async () => {
      const { stage, page, open } = getScene();
      await open('/developers/simulator', 'Simulators');
      const declines = page.getByRole('switch', { name: /^Declines cards/ });
      expect(await declines.isChecked()).toBe(false);
      await toggle(page, declines);
      const payer = await stage.openPayer();
      await payer.open(await stage.createPayment({ reference: 'table 7' }));
      await payer.pay(APPROVED);
      await payer.waitForAlert('The card was declined');
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await toggle(page, declines);
      await payer.pay(APPROVED);
      await payer.waitForHeading('Paid');
      await payer.leave();
      // Not only on this page: the sandbox has it.
      await page.reload();
      await declines.waitFor();
      expect(await declines.isChecked()).toBe(false);
    },
    MINUTE,
  );

  test(
    'a busy card machine is chosen by the keyboard, and the sandbox reports it until it is free again',
    async () => {
      const { page, open } = getScene();
      await open('/developers/simulator', 'Simulators');
      const fault = page.getByLabel(/^Fault of machine/).first();
      await reachByTab(page, fault);
      for (const [key, chosen] of [
        ['b', 'busy'],
        ['n', 'none'],
      ] as const) {
        const answered = page.waitForResponse(/simulator\/machines/);
        await page.keyboard.press(key);
        expect((await answered).status()).toBe(200);
        await page.reload();
        await reachByTab(page, fault);
        expect(await fault.inputValue()).toBe(chosen);
      }
    },
    MINUTE,
  );
}

/** Presses the space bar on a switch, and waits for the answer of the portal. */
async function toggle(page: Page, control: Locator): Promise<void> {
  await reachByTab(page, control);
  const answered = page.waitForResponse(/simulator\/acquirer/);
  await page.keyboard.press('Space');
  expect((await answered).status()).toBe(200);
}

async function reachByTab(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await control.and(page.locator(':focus')).count()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${TABS_MAX} tabs did not reach the control`);
}

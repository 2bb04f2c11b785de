import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findTitle, MINUTE, type PortalScene } from './portal-browser.js';

/** Secrets that the service shows once: what happens around their dialog does not take them away. */
export function testShownSecrets(getScene: () => PortalScene): void {
  test(
    'the text of a key stays after Escape, a press beside its dialog, and another account of the session',
    async () => {
      const { stage } = getScene();
      const { context, page } = await stage.openBrowser();
      await page.clock.install();
      await stage.signIn(page);
      await createKey(page, stage.url);
      const dialog = page.getByRole('dialog');
      const key = (await dialog.locator('code', { hasText: /^sk_sandbox_/ }).textContent()) ?? '';
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      const other = await context.newPage();
      await other.goto(stage.url);
      await other.getByLabel('Account').selectOption({ label: 'The Oyster Shed · Production' });
      await other.getByText('Production', { exact: true }).waitFor();
      // The page reads its session again when somebody returns to it after a minute.
      await page.clock.fastForward(MINUTE + 1);
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await page.getByText('Production', { exact: true }).waitFor();
      expect(await dialog.locator('code').textContent()).toBe(key);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(key);
      await context.close();
    },
    MINUTE,
  );

  testLateAnswers(getScene);
}

function testLateAnswers(getScene: () => PortalScene): void {
  test(
    'the text of a key appears although the form was closed before the answer',
    async () => {
      const { stage } = getScene();
      const { context, page } = await stage.openBrowser();
      await stage.signIn(page);
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/portal/api/api-keys', async (route) => {
        if (route.request().method() === 'POST') await released;
        await route.continue();
      });
      await createKey(page, stage.url);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      release();
      await page
        .getByRole('dialog')
        .locator('code', { hasText: /^sk_sandbox_/ })
        .waitFor();
      await context.close();
    },
    MINUTE,
  );

  test(
    'a key whose text was lost with the answer says so, and is not shown as an empty text',
    async () => {
      const { stage } = getScene();
      const { context, page } = await stage.openBrowser();
      await stage.signIn(page);
      // As the service answers a request that it has executed before: only the first answer has the text.
      await page.route('**/portal/api/api-keys', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ json: { label: 'counter 4' } }) : route.continue(),
      );
      await createKey(page, stage.url);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'The text of the key is lost' }).waitFor();
      await dialog.getByText('before the text of counter 4 arrived').waitFor();
      await context.close();
    },
    MINUTE,
  );
}

async function createKey(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/developers/api-keys`);
  await findTitle(page, 'API keys').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill('counter 4');
  await dialog.getByRole('button', { name: 'Create key' }).click();
}

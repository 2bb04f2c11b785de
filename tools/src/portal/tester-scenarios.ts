import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';

const MINUTE = 60_000;

interface TesterScene {
  readonly page: Page;
  readonly open: (address: string, title: string) => Promise<void>;
}

/** Runs of the EPOS tester that are started in the portal. */
export function testTesterRuns(getScene: () => TesterScene): void {
  test(
    'a run is started with a parameter, after a wrong one was refused at its field, and its report appears',
    async () => {
      const { page, open } = getScene();
      await open('/restaurant/tester-runs', 'EPOS tests');
      await page.getByRole('button', { name: 'Start a run' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Flow').selectOption('ListSessions');
      await dialog.getByText(/^Parameters/).click();
      await dialog.getByLabel('timeoutSeconds').fill('0');
      await dialog.getByRole('button', { name: 'Start a run' }).click();
      await dialog
        .locator('[data-invalid] + *', { hasText: /seconds|1 to 600|whole number/i })
        .first()
        .waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await dialog.getByLabel('timeoutSeconds').fill('20');
      await dialog.getByRole('button', { name: 'Start a run' }).click();
      await page.waitForURL(/\/restaurant\/tester-runs\/[0-9a-f-]{36}$/);
      await page.getByRole('heading', { level: 1, name: 'ListSessions' }).waitFor();
      await page.getByText('Passed', { exact: true }).first().waitFor();
      await open('/restaurant/tester-runs', 'EPOS tests');
      await page.getByRole('row').filter({ hasText: 'ListSessions' }).first().waitFor();
    },
    MINUTE,
  );
}

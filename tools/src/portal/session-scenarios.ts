import { expect, test } from '@jest/globals';
import { ageNewestSession } from './operation-rows.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;
const REFERENCE = 'table 77';
/** The stream of events checks its session every 15 seconds, and the browser reconnects after three. */
const END_MS_MAX = 45_000;

/** What a page shows when its session ends while nobody uses it. */
export function testSessionEnd(getStage: () => PortalStage): void {
  test(
    'a page that requests nothing by itself shows the sign-in, and no data, soon after its session was idle for too long',
    async () => {
      const stage = getStage();
      await stage.createPayment({ reference: REFERENCE });
      const { context, page, report } = await stage.openBrowser();
      await stage.signIn(page);
      await page.goto(`${stage.url}/payments`);
      await page.getByText(REFERENCE).waitFor();
      await ageNewestSession(stage.world);
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ timeout: END_MS_MAX });
      expect(await page.content()).not.toContain(REFERENCE);
      expect(report).toEqual({ errors: [], foreignRequests: [] });
      await context.close();
    },
    2 * MINUTE,
  );
}

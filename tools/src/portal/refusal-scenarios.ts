import { expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import { MINUTE, type PortalScene } from './portal-browser.js';
import type { PortalStage } from './portal-stage.js';

/** A payment of a scene: its page has actions that the service refuses. */
interface RefusalScene {
  readonly getScene: () => PortalScene;
  readonly getPaid: () => string;
}

/** What the service sends when it refuses, in the English that it writes for logs. */
const REFUSALS = {
  not_refundable: { status: 400, detail: 'nothing of this payment was captured', errors: {} },
  refund_exceeds_captured: {
    status: 400,
    detail: 'at most 250 can be refunded',
    errors: { amount: ['at most 250 can be refunded'] },
  },
  rate_limited: { status: 429, detail: 'more than 20 requests a second', errors: {} },
  permission_missing: { status: 403, detail: 'Your role lacks the permission payments.write.', errors: {} },
  a_reason_of_a_later_release: { status: 409, detail: 'something new', errors: {} },
} as const;

const GERMAN: readonly (readonly [reason: keyof typeof REFUSALS, text: string, sentence: string])[] = [
  ['not_refundable', 'Für diese Zahlung ist kein Geld eingezogen', 'Nothing of this payment was captured.'],
  ['refund_exceeds_captured', 'Das ist mehr, als noch erstattet werden kann.', 'At most 250 can be refunded.'],
  ['rate_limited', 'Das waren zu viele Anfragen.', 'More than 20 requests a second.'],
  ['permission_missing', 'Ihre Rolle oder Ihr Konto erlaubt das nicht.', 'Your role lacks the permission'],
  ['a_reason_of_a_later_release', 'Der Dienst hat mit einem Fehler geantwortet.', 'Something new.'],
];

/** Refusals on German pages: the reason is in German, and the sentence of the service is marked as English. */
export function testRefusals({ getScene, getPaid }: RefusalScene): void {
  test.each(GERMAN)(
    'a German page gives the reason %s of a refused refund in German, and the service’s sentence as English',
    async (reason, text, sentence) => {
      const { stage } = getScene();
      const { context, page } = await openGerman(stage);
      await page.route('**/refunds', (route) =>
        route.fulfill({
          status: REFUSALS[reason].status,
          contentType: 'application/problem+json',
          json: { title: 'Refused', traceId: '', reason, ...REFUSALS[reason] },
        }),
      );
      await page.goto(`${stage.url}/payments/${getPaid()}`);
      await page.getByRole('button', { name: 'Erstatten' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Erstatten' }).click();
      await dialog.getByText(text).waitFor();
      await dialog.locator('[lang="en"]', { hasText: sentence }).waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await context.close();
    },
    MINUTE,
  );

  test(
    'a German form names the fields that the service refuses in German, and the reason that concerns no field',
    async () => {
      const { stage } = getScene();
      const { context, page } = await openGerman(stage);
      await page.goto(`${stage.url}/developers/webhooks`);
      await page.getByRole('button', { name: 'Abonnement hinzufügen' }).first().click();
      const dialog = page.getByRole('dialog');
      const submit = dialog.getByRole('button', { name: 'Abonnement hinzufügen' });
      await dialog.getByLabel('Adresse').fill('shop');
      await submit.click();
      await dialog.getByText('Muss eine vollständige Adresse mit https:// sein').waitFor();
      await dialog.getByLabel('Adresse').fill('http://shop.example');
      await submit.click();
      await dialog.getByText('Ohne https ruft der Dienst nur Adressen dieses Rechners auf.').waitFor();
      await dialog.getByRole('checkbox', { checked: true }).first().uncheck();
      await dialog.getByLabel('Adresse').fill('https://shop.example/hooks');
      await submit.click();
      await dialog.getByRole('alert').filter({ hasText: 'Muss mindestens einen Eintrag haben.' }).waitFor();
      expect(await dialog.locator('[lang="en"]').count()).toBe(0);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await context.close();
    },
    MINUTE,
  );
}

/** A German browser with the session of a user who has signed in before. */
async function openGerman(stage: PortalStage): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const signedIn = await stage.openBrowser();
  await stage.signIn(signedIn.page);
  const { context, page } = await stage.openBrowser({ locale: 'de-DE' });
  await context.addCookies(await signedIn.context.cookies());
  await signedIn.context.close();
  return { context, page };
}

import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import { createFirstPassword, type FirstPassword } from './operation-rows.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;
const NEXT = 'grey heron lake 7';

/** The first sign-in of a user, whose password an operator has set, and what the user does with the sessions. */
export function testFirstPassword(getStage: () => PortalStage): void {
  test(
    'the first password is changed before anything else, with the keyboard, and every broken rule is named',
    async () => {
      const stage = getStage();
      const user = await createFirstPassword(stage.world);
      const { context, page, report } = await stage.openBrowser();
      await enter(stage, page, user);
      await page.getByRole('heading', { level: 1, name: 'Change your password' }).waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.goto(`${stage.url}/payments`);
      await page.getByRole('heading', { level: 1, name: 'Change your password' }).waitFor();
      await fillChange(page, { present: user.password, password: 'herons', repeated: 'herons' });
      await page.getByText('Must be 12 to 200 characters.').waitFor();
      await page.getByText('Must have a letter and a digit.').waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await fillChange(page, { present: user.password, password: NEXT, repeated: `${NEXT}7` });
      await page.getByText('The two passwords differ.').waitFor();
      await fillChange(page, { present: 'another heron 7', password: NEXT, repeated: NEXT });
      await page.getByText('This is not your present password.').waitFor();
      await fillChange(page, { present: user.password, password: NEXT, repeated: NEXT });
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
      expect(report).toEqual({ errors: [], foreignRequests: [] });
      await endOtherSession(stage, page, { ...user, password: NEXT });
      await context.close();
    },
    2 * MINUTE,
  );

  test(
    'a German page asks for the change, and names what is wrong, in German',
    async () => {
      const stage = getStage();
      const user = await createFirstPassword(stage.world);
      const { context, page } = await stage.openBrowser({ locale: 'de-DE' });
      await page.goto(stage.url);
      await page.getByLabel('E-Mail-Adresse').fill(user.email);
      await page.getByLabel('Passwort').fill(user.password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Passwort ändern' }).waitFor();
      await page.getByLabel('Jetziges Passwort').fill(user.password);
      await page.getByLabel('Neues Passwort', { exact: true }).fill('Passwort2026!');
      await page.getByLabel('Neues Passwort wiederholen').fill('Passwort2026!');
      await page.keyboard.press('Enter');
      await page.getByText('Ist ein häufiges Passwort').waitFor();
      await context.close();
    },
    2 * MINUTE,
  );
}

async function enter(stage: PortalStage, page: Page, { email, password }: FirstPassword): Promise<void> {
  await page.goto(stage.url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

async function fillChange(
  page: Page,
  { present, password, repeated }: { readonly present: string; readonly password: string; readonly repeated: string },
): Promise<void> {
  await page.getByLabel('Present password').fill(present);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again').fill(repeated);
  await page.keyboard.press('Enter');
}

/** The user signs in elsewhere, finds that session in the list, and ends it. */
async function endOtherSession(stage: PortalStage, page: Page, user: FirstPassword): Promise<void> {
  const other = await stage.openBrowser();
  await enter(stage, other.page, user);
  await other.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(`${stage.url}/profile`);
  const rows = page.getByRole('region', { name: 'Your sessions' }).getByRole('row');
  await rows.filter({ hasText: 'this one' }).filter({ hasText: 'Chrome' }).waitFor();
  await rows.getByRole('button', { name: /^End the session/ }).click();
  await rows.getByRole('button', { name: /^End the session/ }).waitFor({ state: 'detached' });
  await other.page.goto(`${stage.url}/payments`);
  await other.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await other.context.close();
}

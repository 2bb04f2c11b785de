import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createPortalUser, grantPortalRole } from '@pos/administration/portal';
import { openDatabase } from '@pos/store/startup';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import { findTitle, MINUTE, type PortalScene } from './portal-browser.js';

const PASSWORD = 'a grey heron of 9';
const CHANGE = { actor: 'test', reason: 'a test' };

/** A user adds a passkey of the browser's virtual authenticator, signs in with it, and with a recovery code. */
export function testSecondFactors(getScene: () => PortalScene): void {
  test(
    'a user adds a passkey, and signs in with it as the second factor, alone, and by a recovery code',
    async () => {
      const { stage } = getScene();
      const email = await createUser(stage);
      const { context, page, report } = await stage.openBrowser();
      const client = await context.newCDPSession(page);
      await client.send('WebAuthn.enable');
      await client.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
          ...{ isUserVerified: true, automaticPresenceSimulation: true },
        },
      });
      // The address that passkeys are bound to.
      const url = stage.url.replace('127.0.0.1', 'localhost');
      await page.goto(url);
      await enterPassword(page, email);
      await findTitle(page, 'Overview').waitFor();
      const code = await addPasskey(page);

      await signOut(page);
      await enterPassword(page, email);
      await findTitle(page, 'Confirm that it is you').waitFor();
      await requireAccessible(page);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('link', { name: 'Your sign-in' }).waitFor();

      await signOut(page);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('link', { name: 'Your sign-in' }).waitFor();

      await signOut(page);
      await enterPassword(page, email);
      await page.getByLabel('Recovery code').fill(code);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Your sign-in' }).waitFor();
      expect(report.errors).toEqual([]);
      await context.close();
    },
    2 * MINUTE,
  );
}

/** The audit tries a narrow window, where the menu is closed. */
async function requireAccessible(page: Page): Promise<void> {
  expect(await findAccessibilityFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 860 });
}

/** A user of its own for each attempt, without second factors. Returns the address. */
async function createUser({ world: { databaseUrl, secrets, accounts } }: PortalScene['stage']): Promise<string> {
  const accountId = accounts[0]?.accountId;
  if (accountId === undefined) throw new Error('the world has no account');
  const database = await openDatabase({
    ...{ url: databaseUrl, applicationName: 'scenario' },
    secrets: { encryptionKey: Buffer.from(secrets.encryptionKey, 'base64'), pepper: secrets.keyPepper },
  });
  try {
    const email = `passkeys-${randomUUID()}@corner.example`;
    const user = { email, name: 'Pat Key', password: PASSWORD, isOperator: false, isPasswordFinal: true };
    await createPortalUser(database, CHANGE, user);
    const membership = { accountId, environment: 'sandbox', role: 'support' } as const;
    await grantPortalRole(database, CHANGE, { email, membership });
    return email;
  } finally {
    await database.close();
  }
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await findTitle(page, 'Sign in').waitFor();
}

/** Returns the first of the recovery codes that come with the first factor. */
async function addPasskey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Your sign-in' }).click();
  await findTitle(page, 'Your sign-in').waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the device').fill('Laptop');
  await requireAccessible(page);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  const codes = (await dialog.locator('pre').textContent()) ?? '';
  await requireAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Laptop').waitFor();
  return codes.split('\n', 1)[0] ?? '';
}

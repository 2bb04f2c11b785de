import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { findAccessibilityFindings, measureTransfer, type PageReport } from '../web/page-audit.js';
import { insertOpenWork, type OpenWork } from './operation-rows.js';
import { OPERATOR_PAGES } from './portal-pages.js';
import type { PortalStage } from './portal-stage.js';

const MINUTE = 60_000;

interface OperationStage {
  readonly stage: PortalStage;
  /** What the sign-in page transfers, and how much more any page may. */
  readonly firstLoad: number;
  readonly routeBytesMax: number;
}

let context: BrowserContext;
let page: Page;
/** Of a user who is no operator. */
let adminPage: Page;
let report: PageReport;
let work: OpenWork;

/** The scenarios of operators; `get` returns the stage once it is open. */
export function testOperations(get: () => OperationStage): void {
  describe('for operators of the service', () => testAsOperator(get));
}

function testAsOperator(get: () => OperationStage): void {
  beforeAll(async () => {
    const { stage } = get();
    work = await insertOpenWork(stage.world);
    ({ context, page, report } = await stage.openBrowser());
    await stage.signIn(page, 'operator');
    ({ page: adminPage } = await stage.openBrowser());
    await stage.signIn(adminPage);
  }, MINUTE);
  afterAll(async () => {
    await (context as BrowserContext | undefined)?.close();
    await (adminPage as Page | undefined)?.context().close();
  });

  // First, while there is open work to be shown.
  testPages(get);
  testMoneyDecisions(get);
  testPasswordEntries(get);
  testDeadLetters();
  testAdministration();
  testUsers(get);
  test('no page of operators broke the content policy, failed, or called another origin', () => {
    expect(report).toEqual({ errors: [], foreignRequests: [] });
  });
}

const dialog = () => page.getByRole('dialog');
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

/** Opens a page by the navigation, as an operator does. */
async function show(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** Gives the reason in the open dialog and presses its button; the dialog closes. */
async function confirm(button: string, reason: string): Promise<void> {
  await dialog().getByLabel('Reason').fill(reason);
  await dialog().getByRole('button', { name: button, exact: true }).click();
}

function testMoneyDecisions(get: () => OperationStage): void {
  test(
    'an operator has an open call of any account repeated, with a reason and the password, and the audit log names them',
    async () => {
      const { operator } = get().stage.signIns;
      await show('Pending money');
      await page.getByLabel('Show').selectOption({ label: 'Unknown outcomes' });
      await row(work.call).getByText('£42.00').waitFor();
      await page.getByRole('button', { name: `Decide about ${work.call}` }).click();
      await confirm('Decide', 'the acquirer was down');
      await dialog().waitFor({ state: 'detached' });

      await show('Audit log');
      const entry = row(work.call).filter({ hasText: 'ResolvePending' });
      await entry.getByText('the acquirer was down').waitFor();
      await entry.getByText(operator.email).waitFor();
    },
    MINUTE,
  );
}

function testPasswordEntries(get: () => OperationStage): void {
  test(
    'a decision is refused when the dialog for the password could not be loaded',
    async () => {
      await context.route('**/ReauthenticationDialog-*.js', (route) => route.abort());
      await context.route('**/differences/answer', refuseForPassword, { times: 1 });
      await show('Differences');
      await page.reload();
      await page.getByRole('button', { name: `Mark as checked: ${work.difference}` }).click();
      await confirm('Mark as checked', 'a fee of the acquirer');
      await dialog()
        .getByText(/^The portal cannot be reached/)
        .waitFor();
      await context.unroute('**/ReauthenticationDialog-*.js');
      await dialog().getByRole('button', { name: 'Not now' }).click();
    },
    MINUTE,
  );

  test(
    'a decision whose password entry is too old asks for the password, and continues with it',
    async () => {
      await show('Differences');
      await page.reload();
      await row(work.difference).getByText('Authorise of £20.01').waitFor();
      await page.getByRole('button', { name: `Mark as checked: ${work.difference}` }).click();
      await context.route('**/differences/answer', refuseForPassword, { times: 1 });
      await confirm('Mark as checked', 'a fee of the acquirer');
      await page.getByRole('heading', { name: 'Enter your password' }).waitFor();
      await page.getByLabel('Password', { exact: true }).fill(get().stage.signIns.operator.password);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await row(work.difference).waitFor({ state: 'detached' });
      await page.getByText('The books agree').waitFor();
    },
    MINUTE,
  );
}

function testDeadLetters(): void {
  test(
    'the dead letters of an account are sent again',
    async () => {
      await show('Dead letters');
      await page.getByRole('button', { name: /^Show: / }).click();
      await row(work.delivery).getByText('503').waitFor();
      await page.getByRole('button', { name: 'Send all again' }).click();
      await confirm('Send all again', 'the receiver is fixed');
      await dialog().waitFor({ state: 'detached' });
      await show('Audit log');
      await row('ReplayDeadLetters').getByText('the receiver is fixed').waitFor();
    },
    MINUTE,
  );
}

/** As the portal answers five minutes after the last password entry. */
async function refuseForPassword(route: { fulfill(answer: object): Promise<void> }): Promise<void> {
  await route.fulfill({
    ...{ status: 403, contentType: 'application/problem+json' },
    body: JSON.stringify({ status: 403, reason: 'reauthentication_needed', detail: '', title: '', errors: {} }),
  });
}

function testAdministration(): void {
  test(
    'an account is created, gets a key and a terminal, and is disabled, and a refused member is shown at its field',
    async () => {
      await show('Accounts');
      await page.getByRole('button', { name: 'Create account' }).click();
      await dialog().getByLabel('Name for operators').fill('lobster-pot');
      await dialog().getByLabel('Name for payers').fill('The Lobster Pot');
      await dialog().getByLabel('Merchant number').fill('777000111');
      await dialog().getByLabel('Currencies').fill('GBP, EURO');
      await confirm('Create account', 'contract 4711');
      await dialog().getByText('Must be an ISO 4217 code of three letters.').waitFor();
      await dialog().getByLabel('Currencies').fill('GBP, EUR');
      await dialog().getByLabel('Time zone').fill('Europe/Berlin');
      await dialog().getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('link', { name: 'The Lobster Pot' }).click();

      await page.getByRole('button', { name: 'Create key' }).click();
      await dialog().getByLabel('Label').fill('web shop');
      await dialog()
        .getByRole('checkbox', { name: /^Change the look/ })
        .check();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await confirm('Create key', 'contract 4711');
      await page.getByRole('heading', { name: 'The new key' }).waitFor();
      expect(await dialog().locator('code').textContent()).toMatch(/^sk_\w+_/);
      await page.getByRole('button', { name: 'Done' }).click();
      await row('web shop').getByRole('cell', { name: 'full + branding.write', exact: true }).waitFor();

      await page.getByRole('button', { name: 'Ignore unknown members: web shop' }).click();
      await confirm('Ignore unknown members', 'its program is old');
      await row('web shop').getByRole('cell', { name: 'ignored', exact: true }).waitFor();

      await row('The Lobster Pot').getByRole('cell', { name: 'Europe/Berlin', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Change time zone: The Lobster Pot' }).click();
      await dialog().getByLabel('Time zone').fill('Berlin');
      await confirm('Change time zone', 'it has moved');
      await dialog().getByText('Must be UTC or a zone such as Europe/London.').waitFor();
      await dialog().getByLabel('Time zone').fill('Europe/Vienna');
      await dialog().getByRole('button', { name: 'Change time zone' }).click();
      await row('The Lobster Pot').getByRole('cell', { name: 'Europe/Vienna', exact: true }).waitFor();

      await page.getByRole('link', { name: 'Show 0 terminals' }).click();
      await page.getByRole('button', { name: 'Register terminal' }).first().click();
      await dialog().getByLabel('TID').fill('70000001');
      await dialog().getByLabel('Name').fill('Bar');
      await confirm('Register terminal', 'order 12');
      await row('70000001').getByText('none yet').waitFor();

      await show('Accounts');
      await page.getByRole('link', { name: 'The Lobster Pot' }).click();
      await page.getByRole('button', { name: 'Disable account' }).click();
      await confirm('Disable account', 'contract ended');
      await page.getByText(/since .*: contract ended$/).waitFor();
      await page.getByRole('button', { name: 'Enable account' }).waitFor();

      await show('Audit log');
      const created = row('CreateApiKey').filter({ hasText: 'contract 4711' }).first();
      await created.getByText('Show').click();
      await created.getByText('"branding.write"').waitFor();
    },
    MINUTE,
  );
}

function testUsers(get: () => OperationStage): void {
  test(
    'a user is created, signs in with the password that was shown once, and loses the session when disabled',
    async () => {
      const { stage } = get();
      await show('Portal users');
      await page.getByRole('button', { name: 'Create user' }).click();
      await dialog().getByLabel('E-mail address').fill('new@corner.example');
      await dialog().getByLabel('Name').fill('Nina New');
      await confirm('Create user', 'new colleague');
      const password = (await dialog().locator('code').textContent()) ?? '';
      await page.getByRole('button', { name: 'Done' }).click();

      const other = await stage.openBrowser();
      await other.page.goto(stage.url);
      await other.page.getByLabel('E-mail address').fill('new@corner.example');
      await other.page.getByLabel('Password').fill(password);
      await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.page.getByRole('heading', { name: 'Change your password' }).waitFor();

      await page.getByRole('button', { name: 'Disable new@corner.example' }).click();
      await confirm('Disable', 'has left');
      await row('new@corner.example').getByText('Disabled').waitFor();
      await other.page.reload();
      await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.context.close();
    },
    MINUTE,
  );
}

function testPages(get: () => OperationStage): void {
  test.each(OPERATOR_PAGES)(
    '%s is accessible in both themes and widths, within its budget, and refused to an admin of an account',
    async (address, name) => {
      const { stage, firstLoad, routeBytesMax } = get();
      const bytes = await measureTransfer(page, stage.url, async () => {
        await page.goto(`${stage.url}${address}`);
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      });
      expect({ address, isWithin: bytes - firstLoad <= routeBytesMax }).toEqual({ address, isWithin: true });
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });

      await adminPage.goto(`${stage.url}${address}`);
      await adminPage.getByRole('alert').filter({ hasText: 'Only an operator of the service' }).waitFor();
      expect(await adminPage.getByRole('link', { name, exact: true }).count()).toBe(0);
    },
    MINUTE,
  );
}

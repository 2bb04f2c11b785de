import type { BrowserContext, Page } from 'playwright-core';
import { createFirstPassword, insertFailedDelivery, insertOpenWork } from '../portal/operation-rows.js';
import { ACCOUNT_PAGES, OPERATOR_PAGES, type PortalPage, REFERENCE_PAGES } from '../portal/portal-pages.js';
import { PortalStage } from '../portal/portal-stage.js';
import { RestaurantSeed } from '../portal/restaurant-seed.js';
import { answerApprovals, answerMissingFactor, answerPartners, answerSecondStep } from './portal-answers.js';
import { defineSuite, type PageState, type OpenPage } from './page-suite.js';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** The portal with the data that its pages show, and the sessions of its users. */
interface FilledPortal {
  readonly stage: PortalStage;
  readonly paid: string;
  /** `newcomer` works in an account in which nothing has happened yet. */
  readonly cookies: Readonly<Record<'admin' | 'operator' | 'newcomer', Cookies>>;
}

type PortalState = PageState<FilledPortal, OpenPage>;
type UserName = keyof FilledPortal['cookies'];

const PAINT_MS = 500;
/** What the pages read. The session is what the pages need to show anything. */
const READS = /\/portal\/(?!session(?!s)|events)/;
const REFUSAL = {
  ...{ type: 'about:blank', title: 'Forbidden', status: 403, reason: 'permission_missing' },
  detail: 'Your role lacks the permission that this page needs.',
};

async function open(
  { stage, cookies }: FilledPortal,
  { page }: OpenPage,
  { user, address }: { readonly user: UserName; readonly address: string },
): Promise<void> {
  await page.context().addCookies(cookies[user]);
  await page.goto(`${stage.url}${address}`);
}

/** In every language: only the placeholder of data is a status with a name. */
async function waitForData(page: Page, title: string): Promise<void> {
  const isEnglish = (await page.evaluate<string>('navigator.language')).startsWith('en');
  await page.getByRole('heading', { level: 1, ...(isEnglish && { name: title }) }).waitFor();
  await page.locator('[role="status"][aria-label]').first().waitFor({ state: 'detached' });
}

/** The address as a name: `/developers/api-keys` is `developers-api-keys`. */
function nameOf(address: string): string {
  return address === '/' ? 'overview' : address.slice(1).replaceAll('/', '-');
}

/** A page with its data. */
function full(user: UserName, [address, title]: PortalPage): PortalState {
  return {
    name: nameOf(address),
    reach: async (portal, opened) => {
      await open(portal, opened, { user, address });
      await waitForData(opened.page, title);
    },
  };
}

/** The same page without an answer, with a refusal, and in an account in which nothing has happened. */
function withoutData(user: UserName, portalPage: PortalPage): PortalState[] {
  const [address, title] = portalPage;
  return [
    {
      name: `${nameOf(address)}-loading`,
      reach: async (portal, opened) => {
        await opened.page.route(READS, () => undefined);
        await open(portal, opened, { user, address });
        await opened.page.waitForTimeout(PAINT_MS);
      },
    },
    {
      name: `${nameOf(address)}-refused`,
      reach: async (portal, opened) => {
        await opened.page.route(READS, (route) =>
          route.fulfill({ status: 403, contentType: 'application/problem+json', json: REFUSAL }),
        );
        await open(portal, opened, { user, address });
        await opened.page.waitForTimeout(PAINT_MS);
        await opened.page.locator('[role="status"][aria-label]').first().waitFor({ state: 'detached' });
      },
    },
    ...(user === 'operator' ? [] : [{ ...full('newcomer', [address, title]), name: `${nameOf(address)}-empty` }]),
  ];
}

const SIGN_IN: readonly PortalState[] = [
  {
    name: 'sign-in',
    reach: async ({ stage }, { page }) => {
      await page.goto(stage.url);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: 'sign-in-refused',
    reach: async ({ stage }, { page }) => {
      await page.goto(stage.url);
      await page.getByLabel('E-mail address').fill('nobody@pos.example');
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'password-change',
    reach: async ({ stage }, { page }) => {
      const { email, password } = await createFirstPassword(stage.world);
      await page.goto(stage.url);
      await page.locator('input[type="email"]').fill(email);
      await page.locator('input[type="password"]').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('input[autocomplete="new-password"]').first().fill('herons');
      await page.locator('input[autocomplete="new-password"]').last().fill('herons');
      await page.locator('input[autocomplete="current-password"]').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('[aria-invalid="true"]').first().waitFor();
      await page.waitForTimeout(PAINT_MS);
    },
  },
];

const FACTORS: readonly PortalState[] = [
  {
    name: 'second-factor',
    reach: async ({ stage }, { page }) => {
      await answerSecondStep(page);
      await page.goto(stage.url);
      await page.getByLabel('E-mail address').fill('ann@corner.example');
      await page.getByLabel('Password').fill('a grey heron of 9');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    },
  },
  {
    name: 'second-factor-missing',
    reach: async (portal, opened) => {
      await answerMissingFactor(opened.page);
      await open(portal, opened, { user: 'admin', address: '/' });
      await opened.page.getByRole('button', { name: 'Set up one-time codes' }).waitFor();
    },
  },
  {
    name: 'second-factor-codes',
    reach: async (portal, opened) => {
      await open(portal, opened, { user: 'admin', address: '/profile' });
      await opened.page.getByRole('button', { name: 'Set up one-time codes' }).click();
      await opened.page.getByRole('dialog').waitFor();
      await opened.page.waitForTimeout(PAINT_MS);
    },
  },
];

const LONG_TABLES: readonly PortalState[] = [
  {
    name: 'approvals-long',
    reach: async (portal, opened) => {
      await answerApprovals(opened.page);
      await open(portal, opened, { user: 'admin', address: '/approvals' });
      await opened.page.getByRole('button', { name: 'Older' }).waitFor();
    },
  },
  {
    name: 'approvals-decide',
    reach: async (portal, opened) => {
      await answerApprovals(opened.page);
      await open(portal, opened, { user: 'admin', address: '/approvals' });
      await opened.page.getByRole('button', { name: 'Approve', exact: true }).first().click();
      await opened.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'operations-partners-long',
    reach: async (portal, opened) => {
      await answerPartners(opened.page);
      await open(portal, opened, { user: 'operator', address: '/operations/partners' });
      await opened.page.getByText('Riverside Resellers').waitFor();
    },
  },
];

const PAYMENT: readonly PortalState[] = [
  {
    name: 'payment',
    reach: async (portal, opened) => {
      await open(portal, opened, { user: 'admin', address: `/payments/${portal.paid}` });
      await opened.page.getByText('AcquirerCall').or(opened.page.getByText('Acquirer')).first().waitFor();
      await opened.page.waitForTimeout(PAINT_MS);
    },
  },
  {
    name: 'payment-refund',
    reach: async (portal, opened) => {
      await open(portal, opened, { user: 'admin', address: `/payments/${portal.paid}` });
      await opened.page.getByRole('button', { name: 'Refund' }).click();
      await opened.page.getByRole('dialog').waitFor();
    },
  },
];

const DIALOGS: readonly PortalState[] = [
  {
    name: 'settings-branding',
    reach: async (portal, opened) => {
      await open(portal, opened, { user: 'admin', address: '/settings' });
      await opened.page.getByLabel('Colour', { exact: true }).fill('#ffd400');
      await opened.page.getByLabel('Font').selectOption('serif');
      await opened.page.getByLabel('Logo').fill('http://cdn.example/logo.svg');
      await opened.page.getByRole('button', { name: 'Save Look of the payment page' }).click();
      await opened.page.getByText('Must be an https address.').waitFor();
    },
  },
  {
    name: 'restaurant-tester-runs-start',
    reach: async (portal, opened) => {
      await open(portal, opened, { user: 'admin', address: '/restaurant/tester-runs' });
      await opened.page.getByRole('button', { name: 'Start a run' }).first().click();
      await opened.page.getByRole('dialog').waitFor();
      await opened.page.getByText(/^Parameters/).click();
    },
  },
  {
    name: 'developers-webhook-deliveries',
    reach: async (portal, opened) => {
      await open(portal, opened, { user: 'admin', address: '/developers/webhooks' });
      await opened.page.getByRole('row').getByRole('link').first().click();
      await opened.page.getByRole('cell', { name: 'Failed for good' }).first().waitFor();
      await opened.page.waitForTimeout(PAINT_MS);
    },
  },
];

const STATES: readonly PortalState[] = [
  ...SIGN_IN,
  ...FACTORS,
  ...LONG_TABLES,
  ...ACCOUNT_PAGES.flatMap((page) => [full('admin', page), ...withoutData('admin', page)]),
  ...PAYMENT,
  ...DIALOGS,
  ...OPERATOR_PAGES.flatMap((page) => [full('operator', page), ...withoutData('operator', page)]),
  ...REFERENCE_PAGES.map((page) => full('admin', page)),
];

async function signIn(
  stage: PortalStage,
  user: 'admin' | 'operator',
): Promise<{ context: BrowserContext; page: Page }> {
  const { context, page } = await stage.openBrowser();
  await stage.signIn(page, user);
  return { context, page };
}

/** Plays what fills the pages, and signs the users in. */
async function fillPortal(stage: PortalStage): Promise<FilledPortal> {
  const seed = new RestaurantSeed(stage.world);
  await insertOpenWork(stage.world);
  await insertFailedDelivery(stage.world);
  const paid = await stage.createPaidPayment({ reference: 'table 4' });
  await stage.createPaidPayment({ captureMode: 'Manual', reference: 'table 12' });
  await seed.createCustomer('Ada Payer', 'ada@payer.example');
  await seed.placeOrder();
  await seed.startSale();
  await seed.storeTesterRun();
  const [admin, operator, newcomer] = [
    await signIn(stage, 'admin'),
    await signIn(stage, 'operator'),
    await signIn(stage, 'admin'),
  ];
  await newcomer.page.getByLabel('Account').selectOption({ label: 'The Oyster Shed · Production' });
  await newcomer.page.waitForTimeout(PAINT_MS);
  return {
    ...{ stage, paid },
    cookies: {
      admin: await admin.context.cookies(),
      operator: await operator.context.cookies(),
      newcomer: await newcomer.context.cookies(),
    },
  };
}

/** The portal, with each page full, empty, loading and refused. */
export const PORTAL_SUITE = defineSuite<FilledPortal, OpenPage>({
  name: 'portal',
  states: STATES,
  open: async (executable) => {
    const stage = await PortalStage.open(executable);
    return {
      stage: await fillPortal(stage),
      openPage: async (options) => {
        const { context, page, report } = await stage.openBrowser(options);
        return { page, complaints: report.errors, leave: () => context.close() };
      },
      close: () => stage.close(),
    };
  },
});

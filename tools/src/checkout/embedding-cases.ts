import { beforeEach, describe, expect, test } from '@jest/globals';
import { findViolations, LOOKS } from './accessibility-scenarios.js';
import { APPROVED, DECLINED } from './cards.js';
import { openOrigins, testFlows } from './embedding-scenarios.js';
import { IntegratorPage } from './integrator-page.js';
import type { ScenarioContext } from './scenario.js';
import { walletFlowCases } from './wallet-flow-scenarios.js';

const ASKED = { collectionRequired: true };

/** What else happens to the component and the flow. */
export function embeddingScenarios(cast: ScenarioContext): void {
  const origins = openOrigins(cast);
  let page: IntegratorPage;
  beforeEach(() => {
    const { payer, shop } = cast();
    page = new IntegratorPage(payer, shop, origins());
  });
  const getPage = (): IntegratorPage => page;
  componentCases(cast, getPage);
  testFlows(cast, getPage);
  flowCases(cast, getPage);
  walletFlowCases(cast, getPage);
  accessibilityCases(cast, origins);
}

type PageGetter = () => IntegratorPage;

function componentCases(cast: ScenarioContext, getPage: PageGetter): void {
  test('wrong fields cost no request, and Enter asks the page to pay', async () => {
    const { shop, payer } = cast();
    const page = getPage();
    const id = await shop.payment();
    await page.mount({ paymentToken: await shop.readSecret(id) });
    await payer.type({ number: '4456 5300 0009 1015' });
    await payer.fields.getByLabel('Security code').press('Enter');
    expect(await page.execute()).toMatchObject({ statusCode: 400 });
    await payer.fields.getByText('has a typing error').waitFor();
    expect(await page.readEvents()).toContain('submit');
    expect(payer.listReceivers('4456 5300 0009 1015')).toEqual([]);
  });

  test('a saved card of the customer pays with its code; with the secret of another customer it does not', async () => {
    const { shop } = cast();
    const [customer, other] = [await shop.customerWith(APPROVED), await shop.customerWith(APPROVED)];
    const { savedPaymentMethods: cards } = await shop.listSavedCards(customer);
    const id = await shop.payment({ paymentMethods: ['SavedCard'], customer: { id: customer.id } });
    for (const [customerSecret, statusCode] of [
      [other.secret, 401],
      [customer.secret, 0],
    ] as const) {
      const paymentToken = await shop.readSecret(id);
      await getPage().mount({ paymentToken, customerSecret, paymentMethodId: cards[0]?.id });
      await cast().payer.code.fill('020');
      expect(await getPage().execute()).toMatchObject({ statusCode });
    }
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });

  test.each([
    ['whose payment has expired', async () => expiredSecret(cast)],
    ['that no payment has', async () => 'secret'],
  ])('with a secret %s there are no fields', async (_, create) => {
    const page = getPage();
    await page.mount({ paymentToken: await create() });
    expect(await page.readEvents()).toMatchObject([{ error: { statusCode: 401 } }]);
    expect(await cast().payer.page.locator('iframe').count()).toBe(0);
    expect(await page.execute()).toMatchObject({ statusCode: 401 });
  });
}

async function expiredSecret(cast: ScenarioContext): Promise<string> {
  const { shop } = cast();
  const id = await shop.patient.payment();
  const secret = await shop.patient.readSecret(id);
  await shop.patient.advance('31.00:00:00');
  return secret;
}

function flowCases(cast: ScenarioContext, getPage: PageGetter): void {
  test('a payer who is declined, leaves: 7780', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await getPage().start({ paymentIntentId: id });
    await payer.type(DECLINED);
    await getPage().pay();
    await payer.waitForAlert('The card was declined');
    await payer.page.keyboard.press('Escape');
    expect(await getPage().readOutput()).toMatchObject({ code: 7780 });
    expect(await payer.page.locator('pos-payment-sheet').count()).toBe(0);
    expect(await shop.readStatus(id)).toBe('Created: Declined');
  });

  test('a payment that asks for e-mail and address gets both, with country and postcode only', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: { customerEmail: ASKED, billingAddress: ASKED } });
    await getPage().start({ paymentIntentId: id });
    await payer.type(APPROVED);
    await getPage().pay();
    await payer.waitForAlert('Please check');
    expect(payer.posted().filter((path) => path.startsWith('/client/payments'))).toEqual([]);
    await payer.page.getByLabel('E-mail address').fill('guest@example.com');
    await payer.page.getByLabel('Country or region').selectOption('IE');
    await payer.page.getByLabel('Postcode').fill('BS1 1AA');
    await getPage().pay();
    expect(await getPage().readOutput()).toMatchObject({ code: 0 });
    const { customer, billingAddress } = await shop.read(id);
    expect([customer, billingAddress]).toEqual([
      { emailAddress: 'guest@example.com' },
      { postcode: 'BS1 1AA', countryCode: 'IE' },
    ]);
  });

  test.each<[string, number, (cast: ScenarioContext) => Promise<object>]>([
    ['unknown', 400, async () => ({ paymentIntentId: 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA' })],
    ['cancelled', 400, async (each) => ({ paymentIntentId: await createCancelled(each) })],
    [
      'of no customer, with a customer secret',
      401,
      async (each) => ({ paymentIntentId: await each().shop.payment(), customerSecret: 'cs_1' }),
    ],
  ])('a payment that is %s ends with %i', async (_, code, create) => {
    await getPage().start(await create(cast));
    expect(await getPage().readOutput()).toMatchObject({ code, states: ['opening', 'ended'] });
  });

  test.each([
    ['theme.separatorColor', { theme: { separatorColor: 'red' } }],
    ['theme.tint', { theme: { tint: '#123456' } }],
    ['config.paymentIntentId', { paymentIntentId: '' }],
    ['config.wallets', { wallets: 'APPLE_PAY' }],
    ['config.wallets.PAYPAL', { wallets: { PAYPAL: 'token' } }],
    ['config.wallets.APPLE_PAY', { wallets: { APPLE_PAY: 'token' } }],
    ['service.apiUrl', { service: { apiUrl: 'javascript:alert(1)' } }],
  ])('a wrong configuration names its member: %s', async (member, change) => {
    await getPage().start({ paymentIntentId: 'pi_1', ...change });
    expect(await getPage().readOutput()).toMatch(`PosUsageError: ${member} `);
  });
}

async function createCancelled(cast: ScenarioContext): Promise<string> {
  const { shop } = cast();
  const id = await shop.payment();
  await shop.cancel(id);
  return id;
}

function accessibilityCases(cast: ScenarioContext, origins: ReturnType<typeof openOrigins>): void {
  describe.each(LOOKS)('in $colorScheme, $viewport.width px', (look) => {
    test('axe finds nothing in the sheet, its fields and its errors', async () => {
      const { shop, another } = cast();
      const payer = await another(look);
      const page = new IntegratorPage(payer, shop, origins());
      const config = { customerEmail: ASKED, billingAddress: ASKED };
      const customer = await shop.customerWith(APPROVED);
      const id = await shop.payment({
        config,
        paymentMethods: ['Card', 'SavedCard', 'Wallet'],
        customer: { id: customer.id },
      });
      const theme = { lightStyleForDefaultElements: look.colorScheme === 'light' };
      const walletAnswers = { APPLE_PAY: [], GOOGLE_PAY: [] };
      await page.start({ paymentIntentId: id, customerSecret: customer.secret, theme, walletAnswers });
      await payer.page.getByRole('radio', { name: 'Another card' }).check();
      await payer.type({ number: '4456 5300 0009 1015' });
      await page.pay();
      await payer.waitForAlert('Please check');
      expect(await findViolations(payer.page)).toEqual([]);
      await payer.leave();
    });
  });
}

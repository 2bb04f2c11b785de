import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { APPROVED, APPROVED_TOO, CHALLENGED } from './cards.js';
import { IntegratorPage, type Origins } from './integrator-page.js';
import type { ScenarioContext } from './scenario.js';
import { ShopPage } from './shop-page.js';
import { runWalletFlowScenario } from './wallet-flow-scenarios.js';

const SEEN_BY_VAULT = ['/client/device-data', '/client/payments'];
const THEME = {
  primarySurfaceBackgroundColor: '#10243a',
  inputFieldBackgroundColor: '#1c3550',
  errorTextColor: '#ffb4ab',
};

/** The servers of an integrator: one whose origin the accounts have registered, and another. */
export function openOrigins(cast: ScenarioContext): () => Origins {
  let registered: ShopPage;
  let stranger: ShopPage;
  beforeAll(async () => {
    const { shop } = cast();
    const { api, cardVault, sandbox } = shop.world.addresses;
    const hosts = [api[0] ?? '', cardVault[0] ?? '', sandbox];
    registered = await ShopPage.open(hosts, shop.world.receiverPorts[0]);
    stranger = await ShopPage.open(hosts);
  });
  afterAll(() => Promise.all([registered.close(), stranger.close()]));
  return () => ({ registered: registered.origin, stranger: stranger.origin });
}

/** The card fields and the payment flow in the page of an integrator. */
export function runEmbeddingScenario(cast: ScenarioContext): void {
  const origins = openOrigins(cast);
  let page: IntegratorPage;
  beforeEach(() => {
    const { payer, shop } = cast();
    page = new IntegratorPage(payer, shop, origins());
  });

  test('the button of the integrator pays, and the card number is nowhere but in the vault', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await page.mount({ paymentToken: await shop.readSecret(id) }, { theme: THEME });
    await payer.type(APPROVED);
    expect(await page.execute()).toMatchObject({ statusCode: 0, message: 'DEPOSITED' });
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
    expect(payer.listReceivers(APPROVED.number)).toEqual(SEEN_BY_VAULT);
    expect(await page.findOutsideVault(APPROVED.number)).toEqual([]);
    expect(await page.readEvents()).toContain('blur cardNumber');
  });

  runWalletFlowScenario(cast, () => page);
  refusalScenarios(cast, () => page);
}

/** A flow with a saved card, and one with challenges. */
export function testFlows(cast: ScenarioContext, getPage: () => IntegratorPage): void {
  test('a flow offers the saved card of the customer, and ends with 0', async () => {
    const { shop, payer } = cast();
    const page = getPage();
    const customer = await shop.customerWith(APPROVED_TOO);
    const id = await shop.payment({ paymentMethods: ['Card', 'SavedCard'], customer: { id: customer.id } });
    await page.start({ paymentIntentId: id, customerSecret: customer.secret, theme: THEME });
    await payer.page.getByRole('heading', { name: 'Pay The Oyster Shed' }).waitFor();
    expect(await payer.page.getByRole('radio').count()).toBe(2);
    await payer.code.fill('020');
    await payer.page.getByRole('button', { name: 'Pay £12.50' }).click();
    expect(await page.readOutput()).toMatchObject({ code: 0, states: ['opening', 'ready', 'submitting', 'ended'] });
    expect((await shop.read(id)).paymentDetails?.card.cardNumber).toBe('52000000****1005');
    expect(await page.findOutsideVault(customer.secret)).toEqual([]);
  });

  test('a challenge is displayed above the page, and a declined payer may try again', async () => {
    const { shop, payer } = cast();
    const page = getPage();
    const id = await shop.payment();
    await page.start({ paymentIntentId: id });
    await payer.type(CHALLENGED);
    await page.pay();
    await page.issuer.getByRole('button', { name: 'Fail' }).click();
    await payer.waitForAlert('did not confirm');
    await payer.fields.getByLabel('Security code').fill('020');
    await page.pay();
    await page.issuer.getByRole('button', { name: 'Pass' }).click();
    expect(await page.readOutput()).toMatchObject({ code: 0 });
    expect(await shop.readStatus(id)).toBe('Captured: AuthChallenged Declined AuthChallenged Captured');
  });
}

/** What a page may not do. */
function refusalScenarios(cast: ScenarioContext, getPage: () => IntegratorPage): void {
  test('the page of an origin that is not registered gets no fields: neither by the component nor by their address', async () => {
    const { shop, payer } = cast();
    const page = getPage();
    const id = await shop.payment();
    const paymentToken = await shop.readSecret(id);
    await page.mount({ paymentToken }, {}, 'stranger');
    expect(await page.readEvents()).toEqual([
      { error: { statusCode: 7770, message: expect.stringContaining('embeddingOrigins') } },
    ]);
    await page.embed(`/client/frame/embedded/${id}/card`);
    expect(await payer.page.frameLocator('#by-hand').locator('form').count()).toBe(0);
    expect(payer.complaints.splice(0).join(' ')).toContain('frame-ancestors');
  });

  test('a message that is forged or altered neither pays nor ends a payment', async () => {
    const { shop, payer } = cast();
    const page = getPage();
    const id = await shop.payment();
    const paymentToken = await shop.readSecret(id);
    await page.mount({ paymentToken });
    await payer.type(APPROVED);
    const running = page.execute({ savePaymentMethod: 'perhaps' });
    for (const id of [1, 2, 3]) await page.forge({ type: 'result', id, result: { statusCode: 0 }, fields: [] });
    expect(await running).toMatchObject({ statusCode: 400 });
    // Another frame of the page is not its parent, and the secret of another payment is not that of the frame.
    const foreign = await shop.patient.readSecret(await shop.patient.payment());
    expect(await page.submitFromSibling({ secret: paymentToken })).toBe('no answer');
    expect(await page.submitByHand({ secret: foreign })).toMatchObject({ statusCode: 401 });
    expect(await page.submitByHand({ secret: { toString: 'x' } })).toMatchObject({ statusCode: 404 });
    expect([await shop.readStatus(id), payer.listReceivers(APPROVED.number)]).toEqual([
      'Created: ',
      ['/client/device-data', '/client/payments'],
    ]);
  });
}

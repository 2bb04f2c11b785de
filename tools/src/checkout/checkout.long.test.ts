import { describe, expect, test } from '@jest/globals';
import { accessibilityScenarios } from './accessibility-scenarios.js';
import { describeInBrowser } from './browser.js';
import { ANSWERED_LATE, APPROVED, CHALLENGED } from './cards.js';
import { deviceScenarios } from './device-scenarios.js';
import { embeddingScenarios } from './embedding-cases.js';
import { runEmbeddingPageScenario } from './embedding-page-scenarios.js';
import { pageScenarios } from './page-scenarios.js';
import type { Payer } from './payer.js';
import { savedCardScenarios } from './saved-card-scenarios.js';
import { setupScenarios } from './setup-scenarios.js';
import { PAID, SHOP } from './scenario.js';
import { walletScenarios } from './wallet-scenarios.js';

describeInBrowser((cast) => {
  test('a payer is redirected to the shop with the id', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: SHOP });
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
  });

  test('wrong card details are marked in the frame, and no attempt is made', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay({ number: '4456 5300 0009 1015' });
    await payer.waitForAlert('Please check');
    expect(await payer.fields.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');
    expect(await shop.readStatus(id)).toBe('Created: ');
  });

  test.each([true, false])('a customer may save the card: %s', async (isSaved) => {
    const { shop, payer } = cast();
    const id = await shop.payment({ customer: { id: await shop.customer() } });
    await payer.open(id);
    await payer.page.getByLabel('Save this card').setChecked(isSaved);
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    const [body] = payer.sent.filter(({ url }) => url.endsWith('/client/payments')).map((each) => each.body);
    expect(JSON.parse(body ?? '{}')).toMatchObject({ savePaymentMethod: isSaved });
    const { paymentMethodId } = (await shop.read(id)).paymentDetails ?? {};
    expect(typeof paymentMethodId).toBe(isSaved ? 'string' : 'undefined');
  });

  test('a payer who cancels returns to the shop, and the payment stays open', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: SHOP });
    await payer.open(id);
    await payer.page.getByRole('link', { name: 'Cancel' }).click();
    await payer.page.waitForURL(`https://shop.example/basket?id=${id}`);
    expect(await shop.readStatus(id)).toBe('Created: ');
  });

  test.each([
    ['fails', 'did not confirm', async ({ outside }: Payer) => outside.getByRole('button', { name: 'Fail' }).click()],
    [
      'closes its page',
      'You closed',
      async ({ page }: Payer) => page.getByRole('button', { name: 'Stop and do not pay' }).click(),
    ],
    ['presses Escape', 'You closed', async ({ page }: Payer) => page.keyboard.press('Escape')],
  ])('the bank challenges, the payer %s, and may try another card', async (_, message, answer) => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).waitFor();
    const dialog = payer.page.getByRole('dialog', { name: 'Your bank asks for a confirmation' });
    expect(await dialog.innerText()).toContain('£12.50 to The Oyster Shed');
    await answer(payer);
    await payer.waitForAlert(message);
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: AuthChallenged Declined Captured');
  });

  test('a payer who reopens a closed page after using the app of their bank continues the challenge', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).waitFor();
    await payer.open(id);
    await payer.waitForHeading('Your bank has not confirmed this yet');
    await payer.page.getByRole('button', { name: 'Continue at the bank' }).click();
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: AuthChallenged Captured');
  });

  test('they may also stop it there, and pay with another card at once', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).waitFor();
    await payer.open(id);
    await payer.page.getByRole('button', { name: 'Stop, and pay in another way' }).click();
    await payer.waitForAlert('You closed');
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: AuthChallenged Declined Captured');
  });

  test('another payer sees that a challenge is open, and pays once it is abandoned', async () => {
    const { shop, payer, another } = cast();
    const id = await shop.patient.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).waitFor();
    const other = await another();
    await other.open(id);
    await other.pay(APPROVED);
    await other.waitForHeading('This is being paid right now');
    expect(await other.page.getByText('has to confirm it at their bank').count()).toBe(1);
    await shop.patient.advance('00:05:00');
    await other.waitForAlert('The other payment did not go through');
    await other.pay(APPROVED);
    await other.waitForHeading(PAID);
    // The payer who passes the challenge too late is not charged, and learns that it is paid.
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.waitForHeading('This is already paid');
    await other.leave();
  });

  test('guests who have the page open at the same time do not keep each other from paying', async () => {
    const { shop, payer, another } = cast();
    const id = await shop.payment({ config: SHOP });
    const other = await another();
    await payer.open(id);
    await other.open(id);
    await payer.type(APPROVED);
    await other.type(APPROVED);
    await Promise.all([payer.button.click(), other.button.click()]);
    const isPaid = ({ page }: Payer) =>
      Promise.race([
        page.waitForURL(/shop\.example/).then(() => true),
        page
          .getByRole('heading', { name: 'This is already paid' })
          .waitFor()
          .then(() => false),
      ]);
    expect((await Promise.all([isPaid(payer), isPaid(other)])).filter(Boolean)).toHaveLength(1);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
    await other.leave();
  });

  test('while the result is unknown the page waits, then shows it', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: SHOP });
    await payer.page.clock.install();
    await payer.open(id);
    await payer.pay(ANSWERED_LATE);
    await payer.waitForHeading('Your payment is being checked');
    await shop.until(id, 'Captured');
    await payer.page.clock.fastForward(3_000);
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });

  test('a payer without a customer is not offered to save a card', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    expect(await payer.page.getByLabel('Save this card').count()).toBe(0);
  });

  test('fields that the shop requires must be filled in, and are stored', async () => {
    const { shop, payer } = cast();
    const asked = { collectionRequired: true };
    const id = await shop.payment({
      config: { customerEmail: asked, billingAddress: asked, shippingDetails: asked },
    });
    await payer.open(id);
    const { page } = payer;
    await payer.pay(APPROVED);
    expect(await page.locator('input[name=emailAddress]:focus[aria-invalid=true]').count()).toBe(1);
    await page.getByLabel('E-mail address').fill('guest@example.com');
    for (const [place, house] of [
      ['Billing address', '1 High Street'],
      ['Delivery address', '2 Low Road'],
    ] as const) {
      const group = page.getByRole('group', { name: place });
      await group.getByLabel('Country or region').selectOption('IE');
      await group.getByLabel('Address', { exact: true }).fill(house);
      await group.getByLabel('Town').fill('Bristol');
      await group.getByLabel('Eircode').fill('BS1 1AA');
    }
    await page.getByLabel('Name', { exact: true }).fill('A Friend');
    await payer.button.click();
    await payer.waitForHeading(PAID);
    const { customer, billingAddress, shippingDetails } = await shop.read(id);
    expect(customer).toEqual({ emailAddress: 'guest@example.com' });
    const there = { city: 'Bristol', postcode: 'BS1 1AA', countryCode: 'IE' };
    expect(billingAddress).toEqual({ ...there, address1: '1 High Street' });
    expect(shippingDetails).toEqual({ name: 'A Friend', address: { ...there, address1: '2 Low Road' } });
  });

  test('a value that the service refuses is marked at its field', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: { customerEmail: { collectionRequired: true } } });
    await payer.open(id);
    // Browsers accept it as an address. We accept at most 254 characters, which the page learns only from the service.
    const email = payer.page.getByLabel('E-mail address');
    await email.evaluate((input: { maxLength: number }) => (input.maxLength = 1_000));
    await email.fill(`${'g'.repeat(60)}@${'example.'.repeat(30)}com`);
    await payer.pay(APPROVED);
    await payer.waitForAlert('Please check');
    expect(await payer.page.locator('input[name=emailAddress][aria-invalid=true]').count()).toBe(1);
    await email.fill('guest@example.com');
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
  });

  describe('there is nothing to pay', () => {
    test.each([
      ['for a cancelled payment', cancelled, 'This payment was cancelled'],
      ['for one that has expired', expired, 'This link has expired'],
      ['for an unknown id', async () => 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA', 'There is nothing to pay here'],
      ['for an invalid id', async () => 'x', 'There is nothing to pay here'],
    ])('%s', async (_, made, title) => {
      const { payer } = cast();
      await payer.open(await made());
      await payer.waitForHeading(title);
      expect(await payer.page.locator('iframe, form').count()).toBe(0);
    });

    async function expired(): Promise<string> {
      const { shop } = cast();
      const id = await shop.patient.payment();
      await shop.patient.advance('31.00:00:00');
      return id;
    }

    async function cancelled(): Promise<string> {
      const { shop } = cast();
      const id = await shop.payment();
      await shop.cancel(id);
      return id;
    }

    test('after it was cancelled while the payer saw the page', async () => {
      const { shop, payer } = cast();
      const id = await shop.payment();
      await payer.open(id);
      await shop.cancel(id);
      await payer.pay(APPROVED);
      await payer.waitForHeading('This payment was cancelled');
      expect(payer.listReceivers(APPROVED.number)).toEqual([]);
    });
  });

  describe('on any device', () => accessibilityScenarios(cast));
  describe('on the page', () => pageScenarios(cast));
  describe('a card for later', () => setupScenarios(cast));
  describe('a saved card', () => savedCardScenarios(cast));
  describe('in the page of an integrator', () => embeddingScenarios(cast));
  describe('the documentation of integrators', () => runEmbeddingPageScenario(cast));
  describe('a wallet', () => walletScenarios(cast));
  describe("the payer's device", () => deviceScenarios(cast));
});

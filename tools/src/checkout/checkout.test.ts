import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findChromium, openChromium } from './chromium.js';
import { ANSWERED_LATE, APPROVED, CHALLENGED, DECLINED } from './cards.js';
import { deviceStories } from './device-stories.js';
import { Payer } from './payer.js';
import { savedCardStories } from './saved-card-stories.js';
import { setupStories } from './setup-stories.js';
import { Shop } from './shop.js';
import { PAID, SHOP } from './story.js';
import { walletStories } from './wallet-stories.js';

const MINUTES = 60_000;
const SEEN_BY_VAULT = ['/client/device-data', '/client/payments'];

const executable = findChromium(process.env);
/** Green, because a machine without a browser is no failure; and not to be missed in the log. */
function sayNotRun(): void {
  test('NOT RUN: this machine has no Chromium, so nobody has tried the payment page', () => {
    process.stderr.write(
      '\n*** The stories of the payment page were NOT RUN: no Chromium was found.\n' +
        '*** Install one (`apt-get install chromium`) or name it (`CHROMIUM=/path/to/chrome npm test`).\n\n',
    );
    expect(executable).toBeNull();
  });
}

describe('the payment page, in a browser', () => {
  if (executable === null) {
    sayNotRun();
    return;
  }
  let shop: Shop;
  let browser: Browser;
  let payer: Payer;

  /** Whose browser opens while the story before is told: nobody waits for it. */
  let next: Promise<Payer>;
  const leaving: Promise<void>[] = [];
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    opened.push((shop = await Shop.open()));
    opened.push((browser = await openChromium(executable)));
    next = newPayer();
  }, 2 * MINUTES);
  afterAll(async () => {
    await Promise.all([...leaving, next.then((unused) => unused.leave())]);
    for (const each of opened.reverse()) await each.close();
  }, MINUTES);
  beforeEach(async () => {
    payer = await next;
    next = newPayer();
  });
  afterEach(() => {
    leaving.push(payer.leave());
    // No story may need what the policies forbid.
    expect(payer.complaints).toEqual([]);
  });

  async function newPayer(): Promise<Payer> {
    return Payer.of(await browser.newContext(), shop.world);
  }

  test('the link of an intent leads to its page, and the page shows what is paid for', async () => {
    const line = { caption: 'Soup', quantity: 2, amountTotal: { value: 1250, currencyCode: 'GBP' } };
    const details = { showTotal: true, showReference: true };
    const id = await shop.payment({ itemLines: [line], config: { title: 'Your dinner', details } });
    expect((await shop.read(id)).paymentLink).toBe(`${shop.world.addresses.checkout}/checkout/${id}`);
    await payer.open(id);
    await payer.reads('Your dinner');
    const text = await payer.page.locator('main').innerText();
    for (const said of [
      'The Oyster Shed',
      '2 × Soup',
      '£12.50',
      'Reference: table 4',
      'Accepted: Visa',
      'Pay £12.50',
    ]) {
      expect(text).toContain(said);
    }
  });

  test('a payer pays, and nobody but the vault sees the card', async () => {
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.reads(PAID);
    expect(await shop.standing(id)).toBe('Captured: Captured');
    expect(payer.whoSaw(APPROVED.number)).toEqual(SEEN_BY_VAULT);
    expect(await payer.page.locator('iframe').count()).toBe(0);
  });

  test('a payer never pays an amount that the page has not shown', async () => {
    const details = { showTotal: true };
    const id = await shop.payment({ config: { details, payment: { customAmountAllowed: true } } });
    await payer.open(id);
    await shop.reprice(id, 9000);
    await payer.pay(APPROVED);
    await payer.isTold('The amount has changed');
    expect(await payer.button.innerText()).toBe('Pay £90.00');
    expect(await shop.standing(id)).toBe('Created: ');
    expect(payer.whoSaw(APPROVED.number)).toEqual([]);
    await payer.pay(APPROVED);
    await payer.reads(PAID);
    expect(await shop.standing(id)).toBe('Captured: Captured');
  });

  test('a payer is sent back to the shop with the id', async () => {
    const id = await shop.payment({ config: SHOP });
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
  });

  test('a payer who cancels goes back to the shop, and the payment waits', async () => {
    const id = await shop.payment({ config: SHOP });
    await payer.open(id);
    await payer.page.getByRole('link', { name: 'Cancel' }).click();
    await payer.page.waitForURL(`https://shop.example/basket?id=${id}`);
    expect(await shop.standing(id)).toBe('Created: ');
  });

  test('the bank asks, the payer passes', async () => {
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.reads(PAID);
    expect(await shop.standing(id)).toBe('Captured: AuthChallenged Captured');
    expect(payer.whoSaw(CHALLENGED.number)).toEqual(SEEN_BY_VAULT);
  });

  test.each([
    ['fails', async () => payer.outside.getByRole('button', { name: 'Fail' }).click()],
    ['closes its page', async () => payer.page.getByRole('button', { name: 'Stop and do not pay' }).click()],
    ['presses Escape', async () => payer.page.keyboard.press('Escape')],
  ])('the bank asks, the payer %s, and may try another card', async (_, answer) => {
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).waitFor();
    await answer();
    await payer.isTold('The card was declined');
    await payer.pay(APPROVED);
    await payer.reads(PAID);
    expect(await shop.standing(id)).toBe('Captured: AuthChallenged Declined Captured');
  });

  test('a declined payer pays with another card, by Enter', async () => {
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(DECLINED);
    await payer.isTold('The card was declined');
    await payer.type(APPROVED);
    await payer.fields.getByLabel('Security code').press('Enter');
    await payer.reads(PAID);
    expect(await shop.standing(id)).toBe('Captured: Declined Captured');
  });

  test('wrong card details are marked in the frame, and nothing is tried', async () => {
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay({ number: '4456 5300 0009 1015' });
    await payer.isTold('Please check');
    expect(await payer.fields.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');
    expect(await shop.standing(id)).toBe('Created: ');
  });

  test('nobody knows yet how it ended: the page waits, and tells it', async () => {
    const id = await shop.payment({ config: SHOP });
    await payer.page.clock.install();
    await payer.open(id);
    await payer.pay(ANSWERED_LATE);
    await payer.reads('Your payment is being checked');
    await shop.until(id, 'Captured');
    await payer.page.clock.fastForward(3_000);
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
    expect(await shop.standing(id)).toBe('Captured: Captured');
  });

  test.each([true, false])('a customer may save the card: %s', async (isSaved) => {
    const id = await shop.payment({ customer: { id: await shop.customer() } });
    await payer.open(id);
    await payer.page.getByLabel('Save this card').setChecked(isSaved);
    await payer.pay(APPROVED);
    await payer.reads(PAID);
    const [body] = payer.sent.filter(({ url }) => url.endsWith('/client/payments')).map((each) => each.body);
    expect(JSON.parse(body ?? '{}')).toMatchObject({ savePaymentMethod: isSaved });
    const { paymentMethodId } = (await shop.read(id)).paymentDetails ?? {};
    expect(typeof paymentMethodId).toBe(isSaved ? 'string' : 'undefined');
  });

  test('nobody without a name is asked to save a card', async () => {
    await payer.open(await shop.payment());
    expect(await payer.page.getByLabel('Save this card').count()).toBe(0);
  });

  test('what the shop asks for has to be filled in, and arrives', async () => {
    const asked = { collectionRequired: true };
    const id = await shop.payment({
      config: { customerEmail: asked, billingAddress: asked, shippingDetails: asked },
    });
    await payer.open(id);
    const { page } = payer;
    await payer.pay(APPROVED);
    expect(await page.locator('input[name=emailAddress]:focus:invalid').count()).toBe(1);
    await page.getByLabel('E-mail address').fill('guest@example.com');
    for (const [place, house] of [
      ['Billing address', '1 High Street'],
      ['Delivery address', '2 Low Road'],
    ] as const) {
      const group = page.getByRole('group', { name: place });
      await group.getByLabel('Address', { exact: true }).fill(house);
      await group.getByLabel('Town').fill('Bristol');
      await group.getByLabel('Postcode').fill('BS1 1AA');
      await group.getByLabel('Country').selectOption('IE');
    }
    await page.getByLabel('Name', { exact: true }).fill('A Friend');
    await payer.button.click();
    await payer.reads(PAID);
    const { customer, billingAddress, shippingDetails } = await shop.read(id);
    expect(customer).toEqual({ emailAddress: 'guest@example.com' });
    const there = { city: 'Bristol', postcode: 'BS1 1AA', countryCode: 'IE' };
    expect(billingAddress).toEqual({ ...there, address1: '1 High Street' });
    expect(shippingDetails).toEqual({ name: 'A Friend', address: { ...there, address1: '2 Low Road' } });
  });

  test('what the service does not take is marked where it was filled in', async () => {
    const id = await shop.payment({ config: { customerEmail: { collectionRequired: true } } });
    await payer.open(id);
    // Browsers call it an address; we ask for at most 254 characters, and the page is told so only by the service.
    const email = payer.page.getByLabel('E-mail address');
    await email.evaluate((input: { maxLength: number }) => (input.maxLength = 1_000));
    await email.fill(`${'g'.repeat(60)}@${'example.'.repeat(30)}com`);
    await payer.pay(APPROVED);
    await payer.isTold('Please check');
    expect(await payer.page.locator('input[name=emailAddress]:invalid').count()).toBe(1);
    await email.fill('guest@example.com');
    await payer.pay(APPROVED);
    await payer.reads(PAID);
  });

  describe('there is nothing to pay', () => {
    test.each([
      ['for a cancelled payment', cancelled, 'There is nothing to pay here'],
      ['for one that has expired', expired, 'There is nothing to pay here'],
      ['for an unknown id', async () => 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA', 'There is nothing to pay here'],
      ['for what is no id', async () => 'x', 'There is nothing to pay here'],
    ])('%s', async (_, made, title) => {
      await payer.open(await made());
      await payer.reads(title);
      expect(await payer.page.locator('iframe, form').count()).toBe(0);
    });

    async function expired(): Promise<string> {
      const id = await shop.patient.payment();
      await shop.patient.advance('31.00:00:00');
      return id;
    }

    async function cancelled(): Promise<string> {
      const id = await shop.payment();
      await shop.cancel(id);
      return id;
    }

    test('when it was paid already, or is paid in another window meanwhile', async () => {
      const id = await shop.payment({ config: SHOP });
      await payer.open(id);
      const other = await Payer.of(await browser.newContext(), shop.world);
      await other.open(id);
      await other.pay(APPROVED);
      await other.page.waitForURL(/shop\.example/);
      await payer.pay(APPROVED);
      await payer.reads(PAID);
      await payer.open(id);
      await payer.reads(PAID);
      expect(await payer.page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toContain(`id=${id}`);
      expect(await shop.standing(id)).toBe('Captured: Captured');
      await other.leave();
    });

    test('after it was cancelled under the eyes of the payer', async () => {
      const id = await shop.payment();
      await payer.open(id);
      await shop.cancel(id);
      await payer.pay(APPROVED);
      await payer.reads('There is nothing to pay here');
      expect(payer.whoSaw(APPROVED.number)).toEqual([]);
    });
  });

  test('what integrators write is shown as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const line = { caption: hostile, amountTotal: { value: 1250, currencyCode: 'GBP' } };
    const id = await shop.payment({
      ...{ reference: hostile, description: hostile, itemLines: [line], taxLines: [line] },
      config: { title: hostile, details: { showReference: true } },
    });
    await payer.open(id);
    await payer.reads(hostile);
    expect((await payer.page.locator('main').innerText()).split(hostile)).toHaveLength(6);
    expect(await payer.page.locator('img').count()).toBe(0);
  });

  describe('a card for later', () => setupStories(() => ({ shop, payer })));
  describe('a saved card', () => savedCardStories(() => ({ shop, payer })));
  describe('a wallet', () => walletStories(() => ({ shop, payer })));
  describe("the payer's device", () => deviceStories(() => ({ shop, payer })));
});

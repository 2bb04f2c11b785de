import { expect, test } from '@jest/globals';
import { APPROVED, APPROVED_TOO, CV2 } from './cards.js';
import { type ScenarioContext, PAID, SHOP } from './scenario.js';

const BOTH = { paymentMethods: ['Card', 'SavedCard'] } as const;

/** The payment has the customer's secret, so that the page may offer the saved cards. */
export function runSavedCardScenario(cast: ScenarioContext): void {
  test('is offered by its mask, and pays with its security code alone', async () => {
    const { shop, payer } = cast();
    const customer = await shop.customerWith(APPROVED, APPROVED_TOO);
    const id = await shop.payment({ ...BOTH, customer });
    await payer.open(id);
    expect(await payer.page.getByRole('radiogroup', { name: 'Which card' }).innerText()).toBe(
      'Mastercard •••• 1005\nExpires 12/32\nVisa •••• 1014\nExpires 12/32\nAnother card',
    );
    expect(await payer.page.getByLabel('Save this card').isVisible()).toBe(false);
    await payer.payBySaved('1014');
    await payer.waitForHeading(PAID);
    expect((await shop.read(id)).paymentDetails?.card.cardNumber).toBe('44565300****1014');
    const findRequestsWith = (text: string) => payer.sent.filter(({ url, body }) => `${url} ${body}`.includes(text));
    expect(findRequestsWith(`"cV2":"${CV2}"`).map(({ url }) => new URL(url).pathname)).toEqual([
      '/client/payments/saved-card',
    ]);
    // The page never has it, so it cannot be in an address, a body or a message to a frame.
    expect([findRequestsWith(customer.secret), (await payer.page.content()).includes(customer.secret)]).toEqual([
      [],
      false,
    ]);
  });
}

/** Selection, results and limits. */
export function savedCardScenarios(cast: ScenarioContext): void {
  choiceScenarios(cast);
  deletionScenarios(cast);
  limitScenarios(cast);
}

/** Which card it is. */
function choiceScenarios(cast: ScenarioContext): void {
  test('that the shop names is offered first', async () => {
    const { shop, payer } = cast();
    const customer = await shop.customerWith(APPROVED, APPROVED_TOO);
    const { savedPaymentMethods: kept } = await shop.listSavedCards(customer);
    const savedCardId = kept.find(({ cardDetails }) => cardDetails.pan.endsWith('1014'))?.id ?? '';
    await payer.open(await shop.payment({ ...BOTH, customer: { ...customer, savedCardId } }));
    const [first] = await payer.page.getByRole('radio').all();
    expect([await first?.getAttribute('value'), await first?.isChecked()]).toEqual([savedCardId, true]);
  });

  test('with a wrong code is declined, and its payer uses another card and saves it', async () => {
    const { shop, payer } = cast();
    const customer = await shop.customerWith(APPROVED);
    const id = await shop.payment({ ...BOTH, customer });
    await payer.open(id);
    await payer.payBySaved('1014', '999');
    await payer.waitForAlert('The card was declined');
    await payer.page.getByRole('radio', { name: 'Another card' }).check();
    await payer.page.getByLabel('Save this card').check();
    await payer.pay(APPROVED_TOO);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Declined Captured');
    const { savedPaymentMethods: kept } = await shop.listSavedCards(customer);
    expect(kept.map(({ cardDetails }) => cardDetails.pan)).toEqual(['52000000****1005', '44565300****1014']);
  });

  test('whose code is missing is marked in its field, and no attempt is made', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ ...BOTH, customer: await shop.customerWith(APPROVED) });
    await payer.open(id);
    await payer.payBySaved('1014', '1');
    await payer.waitForAlert('Please check');
    expect(await payer.code.getAttribute('aria-invalid')).toBe('true');
    expect(await shop.readStatus(id)).toBe('Created: ');
  });
}

/** The end of a payment with a saved card. */
function deletionScenarios(cast: ScenarioContext): void {
  test('pays by Enter, and its payer is redirected', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ ...BOTH, customer: await shop.customerWith(APPROVED), config: SHOP });
    await payer.open(id);
    await payer.code.fill(CV2);
    await payer.code.press('Enter');
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
  });

  test('that its customer has deleted meanwhile is reported as deleted, and another is used', async () => {
    const { shop, payer } = cast();
    const customer = await shop.customerWith(APPROVED, APPROVED_TOO);
    const id = await shop.payment({ ...BOTH, customer });
    await payer.open(id);
    await shop.deleteCard(customer, '1014');
    await payer.payBySaved('1014');
    await payer.waitForAlert('cannot be used any more');
    expect(await payer.page.getByRole('radio').count()).toBe(2);
    await payer.payBySaved('1005');
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });

  test('is challenged by its bank like any other', async () => {
    const { shop, payer } = cast();
    // An amount that ends in 94 makes the bank challenge.
    const amount = { value: 1294, currencyCode: 'GBP' };
    const id = await shop.payment({ ...BOTH, amount, customer: await shop.customerWith(APPROVED) });
    await payer.open(id);
    await payer.payBySaved('1014');
    await payer.outside.getByRole('button', { name: 'Fail' }).click();
    await payer.waitForAlert('did not confirm');
    await payer.payBySaved('1014');
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: AuthChallenged Declined AuthChallenged Captured');
  });
}

/** Payers who are offered none. */
function limitScenarios(cast: ScenarioContext): void {
  test('is offered only while the secret is valid; a typed card pays', async () => {
    const { shop, payer } = cast();
    const id = await shop.patient.payment({ ...BOTH, customer: await shop.patient.customerWith(APPROVED) });
    await payer.open(id);
    await shop.patient.advance('00:16:00');
    await payer.payBySaved('1014');
    await payer.waitForAlert('did not go through');
    expect(await payer.page.getByRole('radio').count()).toBe(0);
    expect(await shop.patient.readStatus(id)).toBe('Created: ');
    await payer.pay(APPROVED_TOO);
    await payer.waitForHeading(PAID);
  });

  test('is the only method where the shop accepts no other, and without one nothing can be paid', async () => {
    const { shop, payer } = cast();
    const paymentMethods = ['SavedCard'] as const;
    await payer.open(await shop.payment({ paymentMethods, customer: await shop.customerWith(APPROVED) }));
    expect(await payer.page.getByRole('radio').count()).toBe(1);
    expect(await payer.page.locator('iframe[title="Card details"]').count()).toBe(0);
    await payer.open(await shop.payment({ paymentMethods, config: SHOP }));
    await payer.waitForHeading('This cannot be paid on this page');
    expect(await payer.page.locator('iframe, form').count()).toBe(0);
    expect(await payer.page.getByRole('link', { name: 'Cancel' }).count()).toBe(1);
  });

  test('of a customer without a secret is not offered', async () => {
    const { shop, payer } = cast();
    const { id: customerId } = await shop.customerWith(APPROVED);
    await payer.open(await shop.payment({ ...BOTH, customer: { id: customerId } }));
    expect(await payer.page.getByRole('radio').count()).toBe(0);
    expect(await payer.page.getByLabel('Save this card').isVisible()).toBe(true);
  });
}

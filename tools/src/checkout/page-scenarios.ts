import { expect, test } from '@jest/globals';
import { APPROVED } from './cards.js';
import type { Payer } from './payer.js';
import { PAID, type ScenarioContext, SHOP } from './scenario.js';

const OPEN_AMOUNT = { config: { payment: { customAmountAllowed: true, tipsAllowed: true } } };

/** The digits as an East Asian input method writes them. */
function toFullWidth(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
}

async function waitForButton({ page }: Payer, text: string): Promise<void> {
  await page.getByRole('button', { name: text, exact: true }).waitFor();
}

/** What a payer does on the page beside paying. */
export function pageScenarios(cast: ScenarioContext): void {
  amountScenarios(cast);
  fieldScenarios(cast);
  missingFieldScenarios(cast);
  languageScenarios(cast);
  endScenarios(cast);
}

function amountScenarios(cast: ScenarioContext): void {
  test('a payer adds a tip, changes their mind, and pays the total of the button', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: { details: { showTotal: true }, payment: { tipsAllowed: true } } });
    await payer.open(id);
    await payer.page.getByRole('radio', { name: '10 %' }).check();
    await waitForButton(payer, 'Pay £13.75');
    await payer.page.getByRole('radio', { name: 'Other' }).check();
    await payer.page.getByLabel('Tip in £').fill('2');
    await payer.page.getByRole('button', { name: 'Apply' }).click();
    await waitForButton(payer, 'Pay £14.50');
    expect(await payer.page.locator('.amount').innerText()).toBe('£14.50');
    await payer.pay(APPROVED);
    await payer.waitForHeading('You have paid £14.50');
    expect((await shop.read(id)).tipsAmount?.value).toBe(200);
  });

  test('a payer chooses the amount; nonsense is refused at its field and changes nothing', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment(OPEN_AMOUNT);
    await payer.open(id);
    const amount = payer.page.getByLabel('Amount in £');
    for (const nonsense of ['', '0', '-5', 'ten', '12.505']) {
      await amount.fill(nonsense);
      await amount.press('Enter');
      await payer.page.getByText('Please enter an amount').waitFor();
    }
    expect((await shop.read(id)).totalAmount.value).toBe(1250);
    await amount.fill('20');
    await amount.press('Enter');
    await waitForButton(payer, 'Pay £20.00');
    // The suggested tips are parts of the new amount.
    await payer.page.getByRole('radio', { name: '£2.00' }).check();
    await waitForButton(payer, 'Pay £22.00');
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });

  test.each([
    ['not allowed', {}],
    [
      'allowed, but the bill has lines',
      { ...OPEN_AMOUNT, itemLines: [{ caption: 'Soup', amountTotal: { value: 1250, currencyCode: 'GBP' } }] },
    ],
  ])('where another amount is %s, the payer is offered none', async (_, members) => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment(members));
    expect(await payer.page.getByLabel('Amount in £').count()).toBe(0);
  });
}

function fieldScenarios(cast: ScenarioContext): void {
  test('wrong fields cost no request: each has its own message', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment({ config: { customerEmail: { collectionRequired: true } } }));
    await payer.fields.getByLabel('Card number').fill('4456 5300 0009 1015');
    await payer.fields.getByLabel('Expires').fill('12/20');
    await payer.page.getByLabel('E-mail address').fill('nobody');
    await payer.button.click();
    await payer.waitForAlert('Please check');
    for (const message of [
      'has a typing error',
      'has expired',
      'name as on the card',
      'Enter the 3 digits on the back',
    ])
      await payer.fields.getByText(message).waitFor();
    await payer.page.getByText('such as name@example.com').waitFor();
    expect(payer.posted()).toEqual([]);
  });

  test('a test card is filled in by a tap; the page itself never has its number', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    await payer.page.getByText('Test cards').click();
    await payer.page.getByRole('button', { name: 'Approved, American Express' }).click();
    expect(await payer.fields.getByLabel('Card number').inputValue()).toBe('3740 000000 09108');
    await payer.fields.getByText('4 digits on the front').waitFor();
    expect(await payer.page.content()).not.toMatch(/3740 ?0000/);
    await payer.button.click();
    await payer.waitForHeading(PAID);
  });
}

function missingFieldScenarios(cast: ScenarioContext): void {
  test('the fields are loaded again when the vault could not be reached', async () => {
    const { shop, payer } = cast();
    await payer.page.clock.install();
    let isDown = true;
    await payer.context.route('**/client/frame', (route) => (isDown ? route.abort() : route.continue()));
    const id = await shop.payment();
    await payer.open(id);
    await payer.page.clock.fastForward(3_000);
    await payer.waitForAlert('could not be loaded');
    expect(await payer.button.isDisabled()).toBe(true);
    isDown = false;
    await payer.page.getByRole('button', { name: 'Try again' }).click();
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
  });

  test('fields that load late replace the message that they are missing', async () => {
    const { shop, payer } = cast();
    await payer.page.clock.install();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await payer.context.route('**/client/frame', async (route) => {
      await released;
      await route.continue();
    });
    await payer.open(await shop.payment());
    await payer.page.clock.fastForward(3_000);
    await payer.waitForAlert('could not be loaded');
    release();
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
  });
}

function languageScenarios(cast: ScenarioContext): void {
  test('digits of other scripts are card digits, and what is left out is named', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    const number = payer.fields.getByLabel('Card number');
    await number.fill('٤٤٥٦ ٥٣٠٠ ٠٠٠٩ ١٠١٤');
    expect(await number.inputValue()).toBe('4456 5300 0009 1014');
    await number.fill('四四五六');
    await payer.fields.getByText('Other characters were left out').waitFor();
    await payer.type({ number: toFullWidth(APPROVED.number), cv2: '०२०' });
    await payer.fields.getByLabel('Expires').fill('١٢/٣٢');
    await payer.button.click();
    await payer.waitForHeading(PAID);
  });

  test('a number that an input method composes is not garbled', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    await payer.type(APPROVED);
    const number = payer.fields.getByLabel('Card number');
    await number.fill('');
    const keyboard = await payer.context.newCDPSession(payer.page);
    await number.focus();
    const typed = toFullWidth('4456530000091014');
    for (const length of [4, 8, 12, 16]) {
      const text = typed.slice(0, length);
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: length, selectionEnd: length });
      // Rewriting it now would make the input method insert it again.
      expect(await number.inputValue()).toBe(text);
    }
    await keyboard.send('Input.insertText', { text: typed });
    expect(await number.inputValue()).toBe('4456 5300 0009 1014');
    expect(payer.posted()).toEqual([]);
  });

  test('a German browser has a German page, frame and amounts', async () => {
    const { shop, another } = cast();
    const payer = await another({ locale: 'de-AT' });
    const id = await shop.payment({ amount: { value: 1250, currencyCode: 'EUR' } });
    await payer.open(id);
    await payer.waitForHeading('Zahlung an The Oyster Shed');
    expect(await payer.page.locator('html').getAttribute('lang')).toBe('de');
    expect((await payer.button.innerText()).replaceAll('\u00a0', ' ')).toBe('€ 12,50 bezahlen');
    const fields = payer.page.frameLocator('iframe[title="Kartendaten"]');
    await fields.getByLabel('Kartennummer').fill(APPROVED.number);
    await payer.button.click();
    await fields.getByText('Geben Sie den Namen ein').waitFor();
    await payer.leave();
  });
}

function endScenarios(cast: ScenarioContext): void {
  test('after the payment the payer has its facts, the receipt by mail, and the way back', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ config: { ...SHOP, customerEmail: { collectionRequired: false } } });
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.page.waitForURL(/shop\.example/);
    await payer.open(id);
    const facts = await payer.page.locator('dl').innerText();
    for (const part of ['The Oyster Shed', '£12.50', 'table 4', 'Date']) expect(facts).toContain(part);
    const email = payer.page.getByLabel('E-mail address');
    await email.fill('nobody');
    await payer.page.getByRole('button', { name: 'Send receipt' }).click();
    await payer.page.getByText('such as name@example.com').waitFor();
    await email.fill('guest@example.com');
    for (const message of ['on its way', 'on its way', 'on its way', 'No further receipt']) {
      await payer.page.getByRole('button', { name: 'Send receipt' }).click();
      await payer.page.getByRole('status').filter({ hasText: message }).waitFor();
      await payer.page.getByRole('button', { name: 'Send receipt' }).and(payer.page.locator(':enabled')).waitFor();
    }
    expect(await payer.page.getByRole('link', { name: 'Back to The Oyster Shed' }).count()).toBe(1);
  });

  test('the result is printed without buttons and fields', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    await payer.page.emulateMedia({ media: 'print' });
    expect(await payer.page.locator('dl').isVisible()).toBe(true);
    expect(await payer.page.getByRole('button').count()).toBe(0);
  });
}

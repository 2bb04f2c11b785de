import { describe, expect, test } from '@jest/globals';
import type { DevWorld } from '../dev/world.js';
import { runAccessibilityScenario } from './accessibility-scenarios.js';
import { describeInBrowser } from './browser.js';
import { APPROVED, CHALLENGED, DECLINED } from './cards.js';
import { runEmbeddingScenario } from './embedding-scenarios.js';
import { runSavedCardScenario } from './saved-card-scenarios.js';
import { runSetupScenario } from './setup-scenarios.js';
import { PAID, type ScenarioContext, SHOP } from './scenario.js';
import { runWalletScenario } from './wallet-scenarios.js';

const SEEN_BY_VAULT = ['/client/device-data', '/client/payments'];

/**
 * The scenarios of the payment page: `npm test` plays those about money, the long run all. Call it in the file of tests
 * that has started the world.
 */
export function describePaymentPage(getWorld: () => DevWorld): void {
  describeInBrowser((cast) => {
    testPayments(cast);
    testChallengesAndDeclines(cast);
    if (process.env['LONG'] !== '1') return;
    testTextsAndPaidIntents(cast);
    describe('on any device', () => runAccessibilityScenario(cast));
    describe('a card for later', () => runSetupScenario(cast));
    describe('a saved card', () => runSavedCardScenario(cast));
    describe('in the page of an integrator', () => runEmbeddingScenario(cast));
    describe('a wallet', () => runWalletScenario(cast));
  }, getWorld);
}

function testPayments(cast: ScenarioContext): void {
  test('a payer pays, and only the vault receives the card', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
    expect(payer.listReceivers(APPROVED.number)).toEqual(SEEN_BY_VAULT);
    expect(await payer.page.locator('iframe').count()).toBe(0);
  });

  test('a payer never pays an amount that the page has not shown', async () => {
    const { shop, payer } = cast();
    const details = { showTotal: true };
    const id = await shop.payment({ config: { details, payment: { customAmountAllowed: true } } });
    await payer.open(id);
    await shop.changeAmount(id, 9000);
    await payer.pay(APPROVED);
    await payer.waitForAlert('The amount has changed');
    expect(await payer.button.innerText()).toBe('Pay £90.00');
    expect(await shop.readStatus(id)).toBe('Created: ');
    expect(payer.listReceivers(APPROVED.number)).toEqual([]);
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });
}

function testChallengesAndDeclines(cast: ScenarioContext): void {
  test('the bank challenges, the payer passes', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: AuthChallenged Captured');
    expect(payer.listReceivers(CHALLENGED.number)).toEqual(SEEN_BY_VAULT);
  });

  test('a declined payer pays with another card, by Enter', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(DECLINED);
    await payer.waitForAlert('The card was declined');
    await payer.type(APPROVED);
    await payer.fields.getByLabel('Security code').press('Enter');
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Declined Captured');
  });
}

function testTextsAndPaidIntents(cast: ScenarioContext): void {
  test('the link of an intent opens its page, and the page shows the items', async () => {
    const { shop, payer } = cast();
    const line = { caption: 'Soup', quantity: 2, amountTotal: { value: 1250, currencyCode: 'GBP' } };
    const details = { showTotal: true, showReference: true };
    const id = await shop.payment({ itemLines: [line], config: { title: 'Your dinner', details } });
    expect((await shop.read(id)).paymentLink).toBe(`${shop.world.addresses.checkout}/checkout/${id}`);
    await payer.open(id);
    await payer.waitForHeading('Your dinner');
    const text = await payer.page.locator('main').innerText();
    for (const part of [
      'The Oyster Shed',
      '2 × Soup',
      '£12.50',
      'Reference: table 4',
      'Accepted: Visa',
      'Pay £12.50',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('texts of integrators are shown as text', async () => {
    const { shop, payer } = cast();
    const hostile = '<img src=x onerror=alert(1)>';
    const line = { caption: hostile, amountTotal: { value: 1250, currencyCode: 'GBP' } };
    const id = await shop.payment({
      ...{ reference: hostile, description: hostile, itemLines: [line], taxLines: [line] },
      config: { title: hostile, details: { showReference: true } },
    });
    await payer.open(id);
    await payer.waitForHeading(hostile);
    expect((await payer.page.locator('main').innerText()).split(hostile)).toHaveLength(6);
    expect(await payer.page.locator('img').count()).toBe(0);
  });

  test('there is nothing to pay when the intent is already paid, or is paid in another window meanwhile', async () => {
    const { shop, payer, another } = cast();
    const id = await shop.payment({ config: SHOP });
    await payer.open(id);
    const other = await another();
    await other.open(id);
    await other.pay(APPROVED);
    await other.page.waitForURL(/shop\.example/);
    await payer.pay(APPROVED);
    await payer.waitForHeading('This is already paid');
    await payer.open(id);
    await payer.waitForHeading('This is already paid');
    expect(await payer.page.getByRole('link', { name: 'Back to The Oyster Shed' }).getAttribute('href')).toContain(
      `id=${id}`,
    );
    await other.open(id);
    await other.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
    await other.leave();
  });
}

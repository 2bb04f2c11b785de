import { expect, test } from '@jest/globals';
import type { Payer } from './payer.js';
import { type ScenarioContext, PAID, SHOP } from './scenario.js';

async function chooseWallet({ outside }: Payer, card: string): Promise<void> {
  await outside.getByRole('button', { name: card, exact: true }).click();
}

const APPROVED = 'Visa Debit •••• 1014 approved';
const CHALLENGED = 'Visa Credit •••• 1096 the bank asks';
const DECLINED = 'Visa Credit •••• 1013 declined';

/** The simulated wallets of sandbox accounts. */
export function runWalletScenario(cast: ScenarioContext): void {
  testPayment(cast, 'Apple Pay');
}

function testPayment(cast: ScenarioContext, name: 'Apple Pay' | 'Google Pay'): void {
  test(`${name} pays where the shop takes wallets alone: no card is asked for`, async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ paymentMethods: ['Wallet'], config: SHOP });
    await payer.open(id);
    expect(await payer.page.locator('iframe').count()).toBe(0);
    expect(await payer.page.locator('#accepted').innerText()).toBe('Accepted: Apple Pay, Google Pay');
    await payer.page.getByRole('button', { name: `Pay with ${name}` }).click();
    await chooseWallet(payer, APPROVED);
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });
}

/** The other wallet, and its other ends. */
export function walletScenarios(cast: ScenarioContext): void {
  testPayment(cast, 'Google Pay');

  test('that is closed makes no attempt, one that is declined may be tried again, and the bank may challenge', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ paymentMethods: ['Card', 'Wallet'] });
    await payer.open(id);
    const open = payer.page.getByRole('button', { name: 'Pay with Apple Pay' });
    await open.click();
    await payer.page.getByRole('button', { name: 'Close and do not pay' }).click();
    expect(payer.posted()).toEqual(['/wallet']);
    await open.click();
    await chooseWallet(payer, DECLINED);
    await payer.waitForAlert('The card was declined');
    await open.click();
    await chooseWallet(payer, CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Declined AuthChallenged Captured');
  });

  test('opens only when the required fields are filled in', async () => {
    const { shop, payer } = cast();
    const config = { customerEmail: { collectionRequired: true } };
    const id = await shop.payment({ paymentMethods: ['Wallet'], config });
    await payer.open(id);
    const open = payer.page.getByRole('button', { name: 'Pay with Google Pay' });
    await open.click();
    expect(await payer.page.locator('input[name=emailAddress]:focus[aria-invalid=true]').count()).toBe(1);
    expect(payer.posted()).toEqual([]);
    await payer.page.getByLabel('E-mail address').fill('guest@example.com');
    await open.click();
    await chooseWallet(payer, APPROVED);
    await payer.waitForHeading(PAID);
    expect((await shop.read(id)).customer?.emailAddress).toBe('guest@example.com');
  });

  test('is not offered where the shop accepts only cards', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    expect(await payer.page.getByRole('button', { name: 'Pay with' }).count()).toBe(0);
    expect(await payer.page.locator('#accepted').innerText()).not.toContain('Apple Pay');
  });
}

import { describe, expect, test } from '@jest/globals';
import { APPROVED, CHALLENGED, CV2, DECLINED, EXPIRY, type TypedCard } from './cards.js';
import type { IntegratorPage } from './integrator-page.js';
import type { ScenarioContext } from './scenario.js';

type PageGetter = () => IntegratorPage;

/** The token of a wallet with this card, as a sandbox reads it. */
function createToken({ number, cv2 = CV2 }: TypedCard): string {
  const card = { cardNumber: number, expiryDate: EXPIRY, cV2: cv2 };
  return Buffer.from(JSON.stringify(card)).toString('base64url');
}

/** A wallet that the page of an integrator displays in a payment flow. */
export function runWalletFlowScenario(cast: ScenarioContext, getPage: PageGetter): void {
  test('the wallet of the page pays in a flow that needs no card', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment({ paymentMethods: ['Wallet'] });
    await getPage().start({ paymentIntentId: id, walletAnswers: { GOOGLE_PAY: [createToken(APPROVED)] } });
    await payer.page.getByRole('button', { name: 'Pay with Google Pay' }).waitFor();
    const names = await payer.page.locator('pos-payment-sheet').getByRole('button').allInnerTexts();
    expect([names, await payer.page.locator('iframe').count()]).toEqual([['×', 'Pay', 'Cancel'], 0]);
    await payer.page.getByRole('button', { name: 'Pay with Google Pay' }).click();
    expect(await getPage().readOutput()).toMatchObject({
      code: 0,
      states: ['opening', 'ready', 'submitting', 'ended'],
    });
    const { status, paymentDetails } = await shop.read(id);
    expect([status, paymentDetails?.card.cardNumber]).toEqual(['Captured', '44565300****1014']);
  });
}

/** Its other ends. */
export function walletFlowCases(cast: ScenarioContext, getPage: PageGetter): void {
  describe('a wallet', () => {
    test('that is closed, fails, or is declined charges nothing, and the payer may choose again', async () => {
      const { shop, payer } = cast();
      const id = await shop.payment({ paymentMethods: ['Card', 'Wallet'] });
      const answers = [null, 'fail', '', createToken(DECLINED), createToken(CHALLENGED)];
      await getPage().start({ paymentIntentId: id, walletAnswers: { APPLE_PAY: answers } });
      const open = payer.page.getByRole('button', { name: 'Pay with Apple Pay' });
      await open.click();
      for (const notice of ['could not be opened', 'could not be opened', 'The card was declined']) {
        await open.click();
        await payer.waitForAlert(notice);
      }
      expect([await shop.readStatus(id), payer.posted().filter((path) => path.includes('/wallet'))]).toEqual([
        'Created: Declined',
        ['/client/payments/wallet'],
      ]);
      await open.click();
      await getPage().issuer.getByRole('button', { name: 'Pass' }).click();
      expect(await getPage().readOutput()).toMatchObject({ code: 0 });
      expect(await shop.readStatus(id)).toBe('Captured: Declined AuthChallenged Captured');
    });

    test('is requested when the required fields are filled in, for the amount that is displayed', async () => {
      const { shop, payer } = cast();
      const config = { customerEmail: { collectionRequired: true } };
      const id = await shop.payment({ paymentMethods: ['Card', 'Wallet'], config });
      await getPage().start({ paymentIntentId: id, walletAnswers: { GOOGLE_PAY: [createToken(APPROVED)] } });
      const open = payer.page.getByRole('button', { name: 'Pay with Google Pay' });
      await open.click();
      await payer.waitForAlert('Please check');
      await payer.page.getByLabel('E-mail address').fill('guest@example.com');
      await open.click();
      expect(await getPage().readOutput()).toMatchObject({ code: 0, wallets: ['GOOGLE_PAY 1250 GBP'] });
      expect((await shop.read(id)).customer?.emailAddress).toBe('guest@example.com');
    });

    test.each<[string, object, object]>([
      ['that the page does not display', {}, { paymentMethods: ['Card', 'Wallet'] }],
      ['of a payment by card alone', { APPLE_PAY: [] }, { paymentMethods: ['Card'] }],
    ])('%s has no button', async (_, walletAnswers, payment) => {
      const { shop, payer } = cast();
      await getPage().start({ paymentIntentId: await shop.payment(payment), walletAnswers });
      await payer.page.getByRole('button', { name: 'Pay £12.50' }).waitFor();
      expect(await payer.page.getByRole('button', { name: 'Pay with' }).count()).toBe(0);
    });
  });
}

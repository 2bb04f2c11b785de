import { expect, test } from '@jest/globals';
import { APPROVED, CHALLENGED, DECLINED } from './cards.js';
import type { Payer } from './payer.js';
import { type ScenarioContext, SHOP } from './scenario.js';

const REGISTERED = 'Your card is registered';
const HOSTILE = '<b onclick=alert(1)>We may charge £25.00.</b>';

async function acceptTerms({ page }: Payer): Promise<void> {
  await page.getByLabel('I agree to these terms').check();
}

/** A payer registers a card that is charged later, if at all. */
export function runSetupScenario(cast: ScenarioContext): void {
  test('is registered after its payer has agreed to the terms, and nothing is charged', async () => {
    const { shop, payer } = cast();
    const intendedAmount = { value: 2500, currencyCode: 'GBP' };
    const id = await shop.setup({ terms: HOSTILE, intendedAmount });
    await payer.open(id);
    await payer.waitForHeading('Register a card');
    expect(await payer.page.getByRole('region', { name: 'Terms' }).innerText()).toBe(HOSTILE);
    expect(await payer.page.locator('main').innerText()).toContain('At most £25.00 may be charged later');
    await payer.pay(APPROVED);
    expect(await payer.page.locator('input[name=mitConsentGiven]:focus[aria-invalid=true]').count()).toBe(1);
    expect(payer.listReceivers(APPROVED.number)).toEqual([]);
    await acceptTerms(payer);
    await payer.button.click();
    await payer.waitForHeading(REGISTERED);
    expect(await shop.readSetupStatus(id)).toBe('Authorized: Authorized');
    expect(await payer.page.locator('iframe, form').count()).toBe(0);
    // A payer who opens the link again sees the same, until the merchant cancels it.
    await payer.open(id);
    await payer.waitForHeading(REGISTERED);
    await shop.closeSetup(id);
    await payer.open(id);
    await payer.waitForHeading('This request was cancelled');
  });
}

/** Challenges, other cards and other ends. */
export function setupScenarios(cast: ScenarioContext): void {
  test('is registered after a challenge of the bank, and its payer is redirected with the id', async () => {
    const { shop, payer } = cast();
    const id = await shop.setup({ config: SHOP });
    await payer.open(id);
    await acceptTerms(payer);
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Pass' }).click();
    await payer.page.waitForURL(`https://shop.example/thanks?from=pay&id=${id}`);
    expect(await shop.readSetupStatus(id)).toBe('Authorized: AuthChallenged Authorized');
  });

  test('that is declined or fails its challenge can be replaced by another', async () => {
    const { shop, payer } = cast();
    const id = await shop.setup();
    await payer.open(id);
    await acceptTerms(payer);
    await payer.pay(DECLINED);
    await payer.waitForAlert('The card was declined');
    await payer.pay(CHALLENGED);
    await payer.outside.getByRole('button', { name: 'Fail' }).click();
    await payer.waitForAlert('did not confirm');
    await payer.pay(APPROVED);
    await payer.waitForHeading(REGISTERED);
    expect(await shop.readSetupStatus(id)).toBe('Authorized: Declined AuthChallenged Declined Authorized');
  });

  test.each([
    ['was not given in time', 'This link has expired'],
    ['of an unknown request', 'There is nothing to pay here'],
  ])('that %s is not requested', async (_, title) => {
    const { shop, payer } = cast();
    await payer.open(title === 'This link has expired' ? await expired() : `si_sandbox_${'A'.repeat(22)}`);
    await payer.waitForHeading(title);
    expect(await payer.page.locator('iframe, form').count()).toBe(0);

    async function expired(): Promise<string> {
      const id = await shop.patient.setup();
      await shop.patient.advance('31.00:00:00');
      return id;
    }
  });
}

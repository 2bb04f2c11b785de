import { expect, test } from '@jest/globals';
import { APPROVED } from './cards.js';
import { type ScenarioContext, PAID } from './scenario.js';

const DEVICE_PAGE = '**/acquirer/device-data';

/** The issuer fingerprints the payer's device before the payment, in a hidden frame. */
export function deviceScenarios(cast: ScenarioContext): void {
  test('is fingerprinted by the issuer before the payment, and its page receives only the issuer of the card', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(payer.posted().filter((path) => !path.startsWith('/payment-intents'))).toEqual([
      '/client/device-data',
      '/acquirer/device-data',
      '/client/payments',
    ]);
    const form = payer.sent.find(({ url }) => url.endsWith('/acquirer/device-data'))?.body ?? '';
    const token = Buffer.from(new URLSearchParams(form).get('token') ?? '', 'base64url').toString();
    expect(JSON.parse(token)).toEqual({ intentId: expect.any(String) as unknown, bin: '44565300' });
  });

  test('is not fingerprinted when the issuer’s page fails, and the payment continues', async () => {
    const { shop, payer } = cast();
    await payer.context.route(DEVICE_PAGE, (route) => route.abort());
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });

  test('is not waited for when the issuer’s page never loads', async () => {
    const { shop, payer } = cast();
    await payer.page.clock.install();
    await payer.context.route(DEVICE_PAGE, () => undefined);
    const asked = payer.page.waitForRequest(DEVICE_PAGE);
    const id = await shop.payment();
    await payer.open(id);
    await payer.pay(APPROVED);
    await asked;
    expect(await shop.readStatus(id)).toBe('Created: ');
    await payer.page.clock.fastForward(5_000);
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });
}

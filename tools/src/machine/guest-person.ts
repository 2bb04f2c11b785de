import type { Page } from 'playwright-core';
import { CV2, EXPIRY, NAME, APPROVED } from '../checkout/cards.js';

/** A payer at a table with the page of the restaurant on their phone. */
export class GuestPerson {
  constructor(readonly page: Page) {}

  async chooseFirstItem(): Promise<void> {
    await this.page.getByRole('button', { name: 'My items' }).click();
    await this.page.getByRole('checkbox').first().check();
  }

  async startPayment(): Promise<void> {
    await this.page.getByRole('button', { name: /^Pay £/ }).click();
  }

  /** Waits for their turn, and pays on the payment page, which opens in another window. */
  async payByCard(): Promise<void> {
    const link = this.page.getByRole('link', { name: /by card/ });
    await link.waitFor();
    const [checkout] = await Promise.all([this.page.context().waitForEvent('page'), link.click()]);
    const fields = checkout.frameLocator('iframe[title="Card details"]');
    await fields.getByLabel('Card number').fill(APPROVED.number);
    await fields.getByLabel('Name on card').fill(NAME);
    await fields.getByLabel('Expires').fill(EXPIRY);
    await fields.getByLabel('Security code').fill(CV2);
    await checkout.locator('form button[type=submit]').click();
    await this.page.getByRole('heading', { name: /^You have paid/ }).waitFor();
  }

  /** The session that the token in the address of the page names. */
  sessionId(address: string): string {
    const [payload = ''] = new URL(address).pathname.slice('/guest/'.length).split('.');
    const [, sessionId] = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as [string, string];
    return sessionId;
  }
}

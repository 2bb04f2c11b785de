import type { Locator, Page } from 'playwright-core';

const TABS_MAX = 60;

/** A person at the page of a card machine. They see what is on the page, and tap it. */
export class MachinePerson {
  /** The page shows the log of the last session until the next has begun. */
  #endedSession: string | null = null;

  constructor(readonly page: Page) {}

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  }

  async press(...names: readonly (string | RegExp)[]): Promise<void> {
    for (const name of names) await this.button(name).click();
  }

  /** Waits until the machine displays this heading. */
  async waitForScreen(heading: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }

  /** Types an amount in minor units, and presses the button that starts it. */
  async startSale(digits: string, kind: 'Sale' | 'Hold' | 'Refund' = 'Sale'): Promise<void> {
    await this.press('Key in amount', kind);
    await this.page.keyboard.type(digits);
    await this.press(/^(Charge|Hold|Refund) £/);
    await this.waitForScreen('Present card');
  }

  async presentCard(name: RegExp): Promise<void> {
    await this.press(name);
  }

  async enterPin(): Promise<void> {
    await this.waitForScreen('Enter PIN');
    await this.page.keyboard.type('1234');
    await this.page.keyboard.press('Enter');
  }

  async removeCard(): Promise<void> {
    await this.press('Take the card out');
  }

  async flipSwitch(name: RegExp): Promise<void> {
    await this.page.getByRole('switch', { name }).click();
  }

  /** The statuses and notifications of the session, as the page lists them. */
  async readServiceLog(): Promise<string[]> {
    return this.page.getByRole('log').locator('li span').allInnerTexts();
  }

  /** Waits until the service has given the session this status. */
  async waitForStatus(status: string): Promise<void> {
    if (this.#endedSession !== null) {
      await this.page.locator('section code').filter({ hasNotText: this.#endedSession }).waitFor();
    }
    await this.page.locator('[data-kind=status]').getByText(status, { exact: true }).waitFor();
  }

  /** Opens the bill of a table by its place in the list, from 0. Returns how its tile in the kitchen begins. */
  async openBill(index: number): Promise<RegExp> {
    await this.press('Tables');
    await this.button(/guests/)
      .nth(index)
      .click();
    await this.button('Split the bill').waitFor();
    const title = await this.page.getByRole('heading', { level: 1 }).innerText();
    return new RegExp(`^${title.replace('Bill of ', '').replace(' · ', ' ')}`);
  }

  /** Shows the code of the table, and returns the path of the guest's page. */
  async readGuestPath(): Promise<string> {
    await this.press('Pay by phone');
    const address = await this.page.getByRole('link', { name: 'Open the guest’s page' }).getAttribute('href');
    return new URL(address ?? '').pathname;
  }

  /** Presents a card and unplugs the machine before its result is reported; plugs it in again. */
  async payWhileUnplugged(card: RegExp): Promise<void> {
    await this.waitForScreen('Present card');
    await this.presentCard(card);
    await this.flipSwitch(/^Unplugged/);
    await this.page.getByText('No connection', { exact: true }).waitFor();
    await this.flipSwitch(/^Unplugged/);
    await this.waitForScreen('Paid');
  }

  /** Presses Tab until this button has the focus. */
  async tabTo(name: string | RegExp): Promise<void> {
    for (let presses = 0; presses < TABS_MAX; presses += 1) {
      await this.page.keyboard.press('Tab');
      const focused = this.button(name).and(this.page.locator(':focus'));
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`Tab does not reach ${String(name)}`);
  }

  async finish(): Promise<void> {
    this.#endedSession = await this.page.locator('section code').innerText();
    await this.press('Done');
    await this.waitForScreen('The Oyster Shed');
  }
}

export const VISA = /^Visa, contactless/;
export const MASTERCARD = /^Mastercard/;
export const AMEX = /^American Express/;
export const EMPTY_VISA = /^Visa, no money left/;

import { openClient } from '@pos/rest-contracts/client';
import * as intents from '@pos/rest-contracts/payment-intents';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openChromium } from '../checkout/chromium.js';
import { APPROVED } from '../checkout/cards.js';
import { Payer } from '../checkout/payer.js';
import { listPortalSignIns, type PortalSignIn } from '../dev/seed.js';
import type { DevWorld } from '../dev/world.js';
import { type PageReport, watchPages } from '../web/page-audit.js';
import { startPageWorld } from '../web/page-world.js';

/** What the hosted page says when the money is held, and the restaurant captures it later. */
const HELD = 'authorised';

/** A step that takes longer has failed: the test then names it, and does not use up its own time. */
const STEP_MS_MAX = 15_000;

type NewPayment = Partial<SentBodyOf<typeof intents.createPaymentIntent>>;

/** A running service with a browser, in which users of the portal work. */
export class PortalStage {
  private constructor(
    readonly world: DevWorld,
    private readonly browser: Browser,
    /** Whether the world ends with the stage. */
    private readonly isWorldOwn: boolean,
  ) {}

  /** A stage in a world that runs already, or in one of its own. */
  static async open(executable: string, running?: DevWorld): Promise<PortalStage> {
    const world = running ?? (await startPageWorld());
    const isWorldOwn = running === undefined;
    try {
      return new PortalStage(world, await openChromium(executable), isWorldOwn);
    } catch (error) {
      if (isWorldOwn) await world.remove();
      throw error;
    }
  }

  get url(): string {
    return this.world.addresses.portal;
  }

  get signIns(): { readonly admin: PortalSignIn; readonly operator: PortalSignIn } {
    return listPortalSignIns(this.world.secrets.worldKey);
  }

  /** A browser that nobody uses yet, and what it must not report. */
  async openBrowser(
    options: BrowserContextOptions = {},
  ): Promise<{ context: BrowserContext; page: Page; report: PageReport }> {
    const context = await this.browser.newContext({
      ...{ locale: 'en-GB', viewport: { width: 1280, height: 860 } },
      ...options,
    });
    context.setDefaultTimeout(STEP_MS_MAX);
    const report = await watchPages(context, [this.url]);
    return { context, page: await context.newPage(), report };
  }

  /** Signs in as an admin of the first account, or as an operator, and chooses the sandbox of the first account. */
  async signIn(page: Page, user: 'admin' | 'operator' = 'admin'): Promise<void> {
    const { email, password } = this.signIns[user];
    await page.goto(this.url);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page
      .getByRole('button', { name: /Sandbox/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }

  /** A payer with a browser of their own. */
  async openPayer(): Promise<Payer> {
    const context = await this.browser.newContext({ locale: 'en-GB' });
    context.setDefaultTimeout(STEP_MS_MAX);
    return Payer.of(context, this.world);
  }

  /** A payment of the first account, which nobody has paid yet. */
  async createPayment(more: NewPayment): Promise<string> {
    const client = openClient({
      baseUrl: this.world.addresses.api[0] ?? '',
      apiKey: this.world.accounts[0]?.keys.full ?? '',
    });
    const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4', ...more };
    return (await client(intents.createPaymentIntent, { body })).id;
  }

  /** The same, and its payer has paid it on the hosted page. */
  async createPaidPayment(more: NewPayment): Promise<string> {
    const id = await this.createPayment(more);
    const payer = await this.openPayer();
    await payer.open(id);
    await payer.pay(APPROVED);
    await payer.waitForHeading(more.captureMode === 'Manual' ? HELD : 'Paid');
    await payer.leave();
    return id;
  }

  async close(): Promise<void> {
    await this.browser.close();
    if (this.isWorldOwn) await this.world.remove();
  }
}

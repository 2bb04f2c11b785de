import type { BrowserContext, FrameLocator, Locator, Page, Request } from 'playwright-core';
import type { DevWorld } from '../dev/world.js';
import { CV2, EXPIRY, NAME, type TypedCard } from './cards.js';

/** One request of a payer's browser, from any frame. */
interface SentRequest {
  readonly url: string;
  readonly body: string;
  readonly isPost: boolean;
}

/** Runs in every page and frame before their own scripts. */
const PUBLISH_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('forbidden by the policy: ' + event.violatedDirective + ' ' + event.blockedURI));`;

/** A payer with a browser. Opens a link, reads and types; all requests of the browser are recorded. */
export class Payer {
  readonly sent: SentRequest[] = [];
  /** What the browser blocked by a policy of the page, and errors of scripts. */
  readonly complaints: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly world: DevWorld,
  ) {}

  static async of(context: BrowserContext, world: DevWorld): Promise<Payer> {
    await context.addInitScript({ content: PUBLISH_VIOLATIONS });
    // The shop that payers are redirected to.
    await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'the shop' }));
    const payer = new Payer(context, await context.newPage(), world);
    context.on('request', (request) => payer.#record(request));
    context.on('weberror', (error) => payer.complaints.push(error.error().message));
    context.on('console', (message) => {
      if (/polic/i.test(message.text())) payer.complaints.push(message.text());
    });
    payer.page.on('dialog', (dialog) => {
      payer.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return payer;
  }

  #record(request: Request): void {
    this.sent.push({ url: request.url(), body: request.postData() ?? '', isPost: request.method() === 'POST' });
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`${this.world.addresses.checkout}/checkout/${id}`);
    await this.page.locator('main:not([aria-busy])').waitFor();
  }

  get fields(): FrameLocator {
    return this.page.frameLocator('iframe[title="Card details"]');
  }

  /** The one field of a saved card. */
  get code(): Locator {
    return this.page.frameLocator('iframe[title="Security code"]').getByLabel('Security code');
  }

  /** The page of an external party in a frame above ours: an issuer, a wallet. */
  get outside(): FrameLocator {
    return this.page.frameLocator('dialog iframe');
  }

  get button(): Locator {
    return this.page.locator('form button[type=submit]');
  }

  async type({ number, cv2 = CV2 }: TypedCard): Promise<void> {
    await this.fields.getByLabel('Card number').fill(number);
    await this.fields.getByLabel('Name on card').fill(NAME);
    await this.fields.getByLabel('Expires').fill(EXPIRY);
    await this.fields.getByLabel('Security code').fill(cv2);
  }

  async pay(card: TypedCard): Promise<void> {
    await this.type(card);
    await this.button.click();
  }

  async payBySaved(last4: string, cv2 = CV2): Promise<void> {
    await this.page.getByRole('radio', { name: last4 }).check();
    await this.code.fill(cv2);
    await this.button.click();
  }

  /** The paths that the browser posted to, at any of our addresses, in order. */
  posted(): string[] {
    return this.sent.filter(({ isPost }) => isPost).map(({ url }) => new URL(url).pathname);
  }

  /** Resolves when the page has this heading. */
  async waitForHeading(title: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  /** Resolves when the page shows this text as its error. */
  async waitForAlert(text: string): Promise<void> {
    await this.page.getByRole('alert').filter({ hasText: text }).waitFor();
  }

  /** The paths of the vault that received the typed text. Other receivers are listed with their whole URL. */
  listReceivers(typed: string): string[] {
    const digits = typed.replaceAll(' ', '');
    const vault = this.world.addresses.cardVault[0] ?? '';
    const receivers = this.sent.filter(({ url, body }) =>
      `${url} ${body}`.replaceAll(/[\s+-]|%20/g, '').includes(digits),
    );
    return [...new Set(receivers.map(({ url }) => (url.startsWith(`${vault}/`) ? url.slice(vault.length) : url)))];
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

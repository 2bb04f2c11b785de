import type { PaymentResult } from '@pos/rest-contracts/client-payments';
import { askIssuer } from './challenge.js';
import { element } from './elements.js';
import { goneFace, overFace, unreachableFace, waitingFace } from './faces.js';
import { type Intent, isRepriced, type Over, standingOf, wayBack } from './intent.js';
import type { Means, PayerDetails, TryResult } from './means.js';
import type { Wallet } from './names.js';
import { Offer } from './offer.js';
import { PayForm } from './pay-form.js';
import type { Places } from './places.js';
import { type Beginning, pause, type Service } from './service.js';
import { merchantHeader, summary, useFavicon } from './summary.js';
import { askWallet, WalletCard } from './wallets.js';

const POLL_MS = 3_000;
const DECLINED = {
  4: 'The bank asks you to call it. Nothing was charged. You can try another card.',
  5: 'The card was declined. Nothing was charged. You can try again or use another card.',
  30: 'The payment could not be processed. Nothing was charged. You can try again.',
} as const;
const NOT_PAID = 'The payment did not go through. You can try again.';
const UNREACHABLE = 'We could not be reached, and nothing was charged. Please try again.';
const CARD_GONE = 'This saved card cannot be used any more, and nothing was charged. Please choose another card.';
const REPRICED = 'The amount has changed, and nothing was charged. Please look at it again before you pay.';
const CHECK = 'Please check what you have filled in.';
const EXHAUSTED = 'There were too many tries. Please wait a while, or ask the merchant.';

/** One visit of a payer: what is shown, and what follows from what the payer does. */
export class Checkout {
  readonly #offering: Offer;
  #isDressed = false;

  constructor(
    private readonly main: HTMLElement,
    private readonly service: Service,
    private readonly places: Places,
  ) {
    this.#offering = new Offer(service, places, (form) => ({
      pay: (means, details) => this.#pay(form(), means, details),
      openWallet: (wallet, details) => this.#payByWallet(form(), wallet, details),
    }));
  }

  async open(): Promise<void> {
    const reading = await this.service.read();
    if (reading.kind === 'gone') this.#turnTo(goneFace());
    else if (reading.kind === 'unreachable') this.#turnTo(unreachableFace(() => void this.open()));
    else await this.#show(reading.intent);
  }

  async #show(intent: Intent): Promise<void> {
    const standing = standingOf(intent);
    if (standing === 'open') await this.#offer(intent);
    else this.#over(intent, standing);
  }

  async #offer(intent: Intent, message: string | null = null): Promise<void> {
    this.#dress(intent);
    const form = await this.#offering.make(intent);
    if (!(form instanceof PayForm)) {
      this.#turnTo(form, merchantHeader(intent));
      return;
    }
    const title = intent.config.title ?? (intent.kind === 'payment' ? 'Payment' : 'Register a card');
    this.main.replaceChildren(merchantHeader(intent), element('h1', {}, [title]), summary(intent), form.element);
    this.main.removeAttribute('aria-busy');
    if (message !== null) form.again(message);
  }

  /** One press of the button, one secret, one try; and nothing is paid but what the payer was shown. */
  async #pay(form: PayForm, means: Means, details: PayerDetails): Promise<void> {
    form.begin('One moment …');
    const beginning = await this.service.begin();
    if (beginning.kind === 'begun') {
      const { secret, intent } = beginning;
      if (isRepriced(form.intent, intent)) await this.#offer(intent, REPRICED);
      else await this.#conclude(form, secret, await means.submit({ secret, details }));
    } else await this.#notBegun(form, beginning);
  }

  /** The wallet is opened before a secret is asked for: it may stay open for long. */
  async #payByWallet(form: PayForm, wallet: Wallet, details: PayerDetails): Promise<void> {
    const { walletSheet } = this.places;
    const token = walletSheet === null ? null : await askWallet(wallet, walletSheet);
    if (token !== null) await this.#pay(form, new WalletCard(this.service, { wallet, token }), details);
  }

  async #notBegun(form: PayForm, beginning: Exclude<Beginning, { kind: 'begun' }>): Promise<void> {
    if (beginning.kind === 'gone') this.#turnTo(goneFace());
    else if (beginning.kind === 'ended') this.#over(beginning.intent, beginning.standing);
    else if (beginning.kind === 'unreachable') form.again(UNREACHABLE);
    else await this.#await(form);
  }

  async #conclude(form: PayForm, secret: string, { result, fields }: TryResult): Promise<void> {
    const { statusCode } = result;
    // What the vault said is enough for the payer; the integrator asks for himself.
    if (statusCode === 0) this.#leave(form.intent, 'done');
    else if (statusCode === 3) await this.#challenge(form, secret, result);
    else if (statusCode === 400 && fields.includes('paymentMethodId')) form.again(CARD_GONE);
    else if (statusCode === 400 && fields.length > 0) form.again(CHECK, fields);
    else if (statusCode === 400 || statusCode === 429) form.again(EXHAUSTED);
    else if (isDeclined(statusCode)) form.again(DECLINED[statusCode]);
    // Somebody else's try, an answer that is lost or not known yet: only the intent can say what became of it.
    else await this.#await(form);
  }

  async #challenge(form: PayForm, secret: string, challenged: PaymentResult): Promise<void> {
    form.begin('Waiting for your bank …');
    const paRes = await askIssuer(challenged);
    form.begin('One moment …');
    const { transactionId } = challenged;
    const result = await this.service.completeChallenge(secret, { paRes, transactionId });
    await this.#conclude(form, secret, { result, fields: [] });
  }

  /** Looks until the running try has ended: a new one may begin then, or none is needed any more. */
  async #await(form: PayForm): Promise<void> {
    const face = waitingFace();
    form.element.hidden = true;
    form.element.before(face);
    focusHeading(face);
    let beginning = await this.service.begin();
    while (beginning.kind === 'busy' || beginning.kind === 'unreachable') {
      await pause(POLL_MS);
      beginning = await this.service.begin();
    }
    if (beginning.kind === 'gone') this.#turnTo(goneFace());
    else if (beginning.kind === 'ended') this.#leave(beginning.intent, beginning.standing);
    else if (isRepriced(form.intent, beginning.intent)) await this.#offer(beginning.intent, REPRICED);
    else this.#resume(form, face);
  }

  #resume(form: PayForm, face: HTMLElement): void {
    face.remove();
    form.element.hidden = false;
    form.again(NOT_PAID);
  }

  /** Shows how it ended, and follows the integrator's address after a success of now. */
  #leave(intent: Intent, standing: Over): void {
    const address = standing === 'done' ? wayBack(intent.config.redirectUrl, intent) : null;
    this.#over(intent, standing);
    if (address !== null) location.replace(address);
  }

  #over(intent: Intent, standing: Over): void {
    this.#dress(intent);
    this.#turnTo(overFace(intent, standing), merchantHeader(intent));
  }

  /** Nothing is left to fill in, so the card fields go, too. */
  #turnTo(face: HTMLElement, header: HTMLElement | null = null): void {
    this.main.replaceChildren(...(header === null ? [face] : [header, face]));
    this.main.removeAttribute('aria-busy');
    focusHeading(face);
  }

  #dress(intent: Intent): void {
    if (this.#isDressed) return;
    this.#isDressed = true;
    document.title = intent.config.title ?? `Payment to ${intent.config.tradingName}`;
    useFavicon(intent);
  }
}

function isDeclined(statusCode: number): statusCode is keyof typeof DECLINED {
  return statusCode in DECLINED;
}

/** Who cannot see the page hears what it became. */
function focusHeading(face: HTMLElement): void {
  face.querySelector('h1')?.focus();
}

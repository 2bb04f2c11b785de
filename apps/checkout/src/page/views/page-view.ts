import { applyBranding, createMerchantHeader } from '../branding/branding.js';
import { createElement } from '../elements/element.js';
import type { CardFrame } from '../instruments/card-frame.js';
import { type EndState, type Intent, buildReturnUrl, isPaidByThisBrowser } from '../service/intent.js';
import type { PaymentClient } from '../service/payment-client.js';
import {
  createClosedView,
  createEndView,
  createEndedLinkView,
  createGoneView,
  createNoMethodView,
} from './end-views.js';
import { createReceiptForm } from './receipt-form.js';
import { createSandboxRibbon } from './sandbox-ribbon.js';
import { createSummary, isMerchantInHeader } from './summary.js';

type LinkState = Extract<Awaited<ReturnType<PaymentClient['readIntent']>>, { kind: 'gone' }>['link'];

/** The content of the page: the form with its summary, or one message. */
export class PageView {
  #summary: HTMLElement | null = null;
  #ribbon: HTMLElement | null = null;

  constructor(
    private readonly main: HTMLElement,
    private readonly service: PaymentClient,
  ) {}

  showForm(
    intent: Intent,
    { form, cardFields }: { readonly form: { readonly element: HTMLElement }; readonly cardFields: CardFrame | null },
  ): void {
    this.#summary = createSummary(intent);
    const header = createMerchantHeader(intent.config, isMerchantInHeader(intent));
    const about = createElement('div', { class: 'about' }, [header, this.#summary]);
    const panel = createElement('div', { class: 'panel' }, [form.element]);
    this.#replaceContent('checkout', [about, panel]);
    // Beside the title alone, half of a wide window would stay empty.
    this.main.toggleAttribute('data-single', this.#summary.children.length === 1);
    this.#ribbon = createSandboxRibbon(intent.id, cardFields);
    if (this.#ribbon !== null) this.main.before(this.#ribbon);
  }

  /** Shows the amounts of a changed intent beside the form. */
  updateSummary(intent: Intent): void {
    const summary = createSummary(intent);
    this.#summary?.replaceWith(summary);
    this.#summary = summary;
  }

  /** Shows a view while an element of the form waits. */
  showInPlaceOf(element: HTMLElement, view: HTMLElement): void {
    element.hidden = true;
    element.before(view);
    focusHeading(view);
  }

  /** Shows the final state, and redirects to the integrator's address after a success on this page. */
  finish(intent: Intent, state: EndState): void {
    const address = state === 'done' ? buildReturnUrl(intent.config.redirectUrl, intent) : null;
    this.showEnd(intent, state, true);
    if (address !== null) location.replace(address);
  }

  showEnd(intent: Intent, state: EndState, isOwnPayment = isPaidByThisBrowser(intent)): void {
    applyBranding(intent.config);
    const sendReceipt = (email: string) => this.service.sendReceipt(email);
    const receipt = intent.kind === 'payment' ? createReceiptForm(intent, sendReceipt) : null;
    this.showMessage(createEndView(intent, state, { receipt, isOwnPayment }), createMerchantHeader(intent.config));
  }

  /** Shows why nothing can be paid. The merchant is named if the service knows the id. */
  showGone(link: LinkState): void {
    if (link === null || link.state === 'Active') {
      this.showMessage(createGoneView());
      return;
    }
    const kind = link.id.startsWith('pi_') ? 'payment' : 'setup';
    const view = createEndedLinkView(
      { kind, tradingName: link.tradingName },
      link.state === 'Expired' ? 'expired' : 'canceled',
    );
    this.showMessage(view, createMerchantHeader(link));
  }

  showClosed(intent: Intent): void {
    this.showMessage(createClosedView(intent), createMerchantHeader(intent.config));
  }

  showNoMethod(intent: Intent): void {
    this.showMessage(createNoMethodView(intent), createMerchantHeader(intent.config));
  }

  /** Replaces the whole page, the card fields included. */
  showMessage(view: HTMLElement, header: HTMLElement | null = null): void {
    const panel = createElement('div', { class: 'panel' }, [view]);
    this.#replaceContent('message', header === null ? [panel] : [header, panel]);
    focusHeading(view);
  }

  #replaceContent(layout: 'checkout' | 'message', content: readonly HTMLElement[]): void {
    this.#ribbon?.remove();
    this.main.className = layout;
    this.main.replaceChildren(...content);
    this.main.removeAttribute('aria-busy');
  }
}

/** Makes screen readers read the new state. */
function focusHeading(view: HTMLElement): void {
  view.querySelector('h1')?.focus();
}

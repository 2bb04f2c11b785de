import { createElement } from './element.js';
import { type Intent, type EndState, buildReturnUrl } from './intent.js';

interface ViewText {
  readonly title: string;
  readonly text: string;
}

const PAYMENT_TEXTS = {
  done: { title: 'This is paid', text: 'The payment was made. There is nothing left to do here.' },
  returned: {
    title: 'This payment was given back',
    text: 'The money went back to the card. Nothing is to be paid here.',
  },
  canceled: { title: 'This payment was cancelled', text: 'Nothing was charged, and nothing is to be paid here.' },
  expired: { title: 'This link has expired', text: 'Nothing was charged. Please ask the merchant for a new link.' },
} as const satisfies Record<EndState, ViewText>;

const SETUP_TEXTS = {
  ...PAYMENT_TEXTS,
  done: { title: 'Your card is registered', text: 'Nothing was charged. There is nothing left to do here.' },
  canceled: { title: 'This request was cancelled', text: 'Your card is not registered, and nothing was charged.' },
} as const satisfies Record<EndState, ViewText>;

/** One text for all three cases: the public operation answers 404 for each of them. */
const GONE_TEXT = {
  title: 'There is nothing to pay here',
  text: 'The payment was cancelled, its link has expired, or the address is not complete. Nothing was charged.',
} as const;
const UNREACHABLE_TEXT = {
  title: 'We cannot be reached',
  text: 'Nothing was charged. Please try again in a moment.',
} as const;
const NO_METHOD_TEXT = {
  title: 'This cannot be paid on this page',
  text: 'Nothing was charged. Please ask the merchant for another way to pay.',
} as const;
const NO_WALLET_TEXT = {
  title: NO_METHOD_TEXT.title,
  text: 'Apple Pay and Google Pay do not work on this page yet, and no other way to pay is offered. Nothing was charged. Please ask the merchant for another way to pay.',
} as const;
const WAITING_TEXT = {
  title: 'Your payment is being checked',
  text: 'The bank has not answered yet. Please do not pay again; this page shows the result as soon as it is known.',
} as const;

/** Shows the final state of an intent; the heading has the focus. */
export function createEndView(intent: Intent, state: EndState): HTMLElement {
  const texts = intent.kind === 'payment' ? PAYMENT_TEXTS : SETUP_TEXTS;
  const back = buildReturnUrl(intent.config.redirectUrl, intent);
  const link = back === null ? null : createElement('p', {}, [createElement('a', { href: back }, ['Continue'])]);
  return createView(texts[state], state === 'done' ? link : null);
}

export function createGoneView(): HTMLElement {
  return createView(GONE_TEXT, null);
}

/** No card is accepted, and this page does not support the accepted methods. */
export function createNoMethodView(intent: Intent): HTMLElement {
  const back = buildReturnUrl(intent.config.cancelUrl, intent);
  const link =
    back === null ? null : createElement('p', {}, [createElement('a', { href: back }, ['Cancel and go back'])]);
  return createView(intent.paymentMethods.includes('Wallet') ? NO_WALLET_TEXT : NO_METHOD_TEXT, link);
}

export function createWaitingView(): HTMLElement {
  return createView(WAITING_TEXT, null);
}

export function createUnreachableView(onRetry: () => void): HTMLElement {
  const button = createElement('button', { type: 'button' }, ['Try again']);
  button.addEventListener('click', onRetry);
  return createView(UNREACHABLE_TEXT, button);
}

function createView({ title, text }: ViewText, extra: HTMLElement | null): HTMLElement {
  const heading = createElement('h1', { tabindex: '-1' }, [title]);
  return createElement('section', { class: 'face', role: 'status' }, [heading, createElement('p', {}, [text]), extra]);
}

import { element } from './elements.js';
import { type Intent, type Over, wayBack } from './intent.js';

interface Words {
  readonly title: string;
  readonly text: string;
}

const PAYMENT = {
  done: { title: 'This is paid', text: 'The payment was made. There is nothing left to do here.' },
  returned: {
    title: 'This payment was given back',
    text: 'The money went back to the card. Nothing is to be paid here.',
  },
  canceled: { title: 'This payment was cancelled', text: 'Nothing was charged, and nothing is to be paid here.' },
  expired: { title: 'This link has expired', text: 'Nothing was charged. Please ask the merchant for a new link.' },
} as const satisfies Record<Over, Words>;

const SETUP = {
  ...PAYMENT,
  done: { title: 'Your card is registered', text: 'Nothing was charged. There is nothing left to do here.' },
  canceled: { title: 'This request was cancelled', text: 'Your card is not registered, and nothing was charged.' },
} as const satisfies Record<Over, Words>;

/** Payers are not told which of these it is: the service knows a cancelled payment no more. */
const GONE = {
  title: 'There is nothing to pay here',
  text: 'The payment was cancelled, its link has expired, or the address is not complete. Nothing was charged.',
} as const;
const UNREACHABLE = {
  title: 'We cannot be reached',
  text: 'Nothing was charged. Please try again in a moment.',
} as const;
const NO_WAY = {
  title: 'This cannot be paid on this page',
  text: 'Nothing was charged. Please ask the merchant for another way to pay.',
} as const;
const NO_WALLET = {
  title: NO_WAY.title,
  text: 'Apple Pay and Google Pay do not work on this page yet, and no other way to pay is offered. Nothing was charged. Please ask the merchant for another way to pay.',
} as const;
const WAITING = {
  title: 'Your payment is being checked',
  text: 'The bank has not answered yet. Please do not pay again; this page shows the result as soon as it is known.',
} as const;

/** What the page says of an intent that nobody can pay any more; the heading has the focus. */
export function overFace(intent: Intent, standing: Over): HTMLElement {
  const words = intent.kind === 'payment' ? PAYMENT : SETUP;
  const back = wayBack(intent.config.redirectUrl, intent);
  const link = back === null ? null : element('p', {}, [element('a', { href: back }, ['Continue'])]);
  return face(words[standing], standing === 'done' ? link : null);
}

export function goneFace(): HTMLElement {
  return face(GONE, null);
}

/** No card is asked for, and what the integrator takes instead is not there. */
export function noWayFace(intent: Intent): HTMLElement {
  const back = wayBack(intent.config.cancelUrl, intent);
  const link = back === null ? null : element('p', {}, [element('a', { href: back }, ['Cancel and go back'])]);
  return face(intent.paymentMethods.includes('Wallet') ? NO_WALLET : NO_WAY, link);
}

export function waitingFace(): HTMLElement {
  return face(WAITING, null);
}

export function unreachableFace(again: () => void): HTMLElement {
  const button = element('button', { type: 'button' }, ['Try again']);
  button.addEventListener('click', again);
  return face(UNREACHABLE, button);
}

function face({ title, text }: Words, more: HTMLElement | null): HTMLElement {
  const heading = element('h1', { tabindex: '-1' }, [title]);
  return element('section', { class: 'face', role: 'status' }, [heading, element('p', {}, [text]), more]);
}

import { createElement } from '../elements/element.js';
import { createIcon, type IconName } from '../elements/icons.js';
import { type Intent, type EndState, buildReturnUrl } from '../service/intent.js';
import type { TextName } from '../texts/english.js';
import { formatMoney } from '../texts/money-text.js';
import { getText } from '../texts/texts.js';
import { createPaymentFacts, createPrintButton } from './payment-facts.js';

interface ViewTexts {
  readonly title: TextName;
  readonly text: TextName;
  readonly icon: IconName;
}

const PAYMENT_TEXTS = {
  done: { title: 'paidTitle', text: 'paidText', icon: 'done' },
  returned: { title: 'returnedTitle', text: 'returnedText', icon: 'ended' },
  canceled: { title: 'canceledTitle', text: 'canceledText', icon: 'ended' },
  expired: { title: 'expiredTitle', text: 'expiredText', icon: 'clock' },
} as const satisfies Record<EndState, ViewTexts>;
const ALREADY_PAID_TEXTS = { title: 'alreadyPaidTitle', text: 'alreadyPaidText', icon: 'done' } as const;
const ALREADY_HELD_TEXTS = { title: 'alreadyHeldTitle', text: 'alreadyHeldText', icon: 'done' } as const;
const ALREADY_REGISTERED_TEXTS: ViewTexts = {
  title: 'alreadyRegisteredTitle',
  text: 'alreadyRegisteredText',
  icon: 'done',
};
const HELD_TEXTS = { title: 'heldTitle', text: 'heldText', icon: 'done' } as const;
const SETUP_TEXTS = {
  ...PAYMENT_TEXTS,
  done: { title: 'registeredTitle', text: 'registeredText', icon: 'done' },
  canceled: { title: 'canceledSetupTitle', text: 'canceledSetupText', icon: 'ended' },
} as const satisfies Record<EndState, ViewTexts>;

/** What the payer can do after a payment. */
interface EndOptions {
  /** The form that mails the receipt; null where it is not offered. */
  readonly receipt: HTMLElement | null;
  /** This browser has paid; otherwise somebody else with the link has. */
  readonly isOwnPayment: boolean;
}

/** Shows the final state of an intent; the heading has the focus. */
export function createEndView(intent: Intent, state: EndState, { receipt, isOwnPayment }: EndOptions): HTMLElement {
  const merchant = intent.config.tradingName;
  const isDone = state === 'done';
  const address = isDone ? buildReturnUrl(intent.config.redirectUrl, intent) : null;
  const link =
    address === null ? null : createElement('a', { href: address, class: 'button' }, [getText('backTo', { merchant })]);
  const amount = intent.kind === 'payment' ? formatMoney(intent.totalAmount) : '';
  const facts = intent.kind === 'payment' && (isDone || state === 'returned') ? createPaymentFacts(intent) : null;
  return createView(chooseTexts(intent, state, isOwnPayment), { merchant, amount }, [
    ...[facts, isDone ? receipt : null, link, facts === null ? null : createPrintButton()],
  ]);
}

function chooseTexts(intent: Intent, state: EndState, isOwnPayment: boolean): ViewTexts {
  const isOfAnother = state === 'done' && !isOwnPayment;
  if (intent.kind === 'setup') return isOfAnother ? ALREADY_REGISTERED_TEXTS : SETUP_TEXTS[state];
  const isHeld = state === 'done' && intent.status === 'Authorized';
  if (isOfAnother) return isHeld ? ALREADY_HELD_TEXTS : ALREADY_PAID_TEXTS;
  return isHeld ? HELD_TEXTS : PAYMENT_TEXTS[state];
}

/** The end of a link whose intent can no longer be read. */
export function createEndedLinkView(
  { kind, tradingName: merchant }: { readonly kind: Intent['kind']; readonly tradingName: string },
  state: 'canceled' | 'expired',
): HTMLElement {
  return createView((kind === 'payment' ? PAYMENT_TEXTS : SETUP_TEXTS)[state], { merchant });
}

/** No intent has this id. */
export function createGoneView(): HTMLElement {
  return createView({ title: 'goneTitle', text: 'goneText', icon: 'warning' }, {});
}

/** The account of the merchant is disabled. */
export function createClosedView({ config }: Intent): HTMLElement {
  return createView({ title: 'closedTitle', text: 'closedText', icon: 'ended' }, { merchant: config.tradingName });
}

/** No card is accepted, and this page does not support the accepted methods. */
export function createNoMethodView(intent: Intent): HTMLElement {
  const back = buildReturnUrl(intent.config.cancelUrl, intent);
  const link = back === null ? null : createElement('a', { href: back, class: 'button' }, [getText('cancel')]);
  const text = intent.paymentMethods.includes('Wallet') ? 'noWalletText' : 'noMethodText';
  const texts = { title: 'noMethodTitle', text, icon: 'warning' } as const;
  return createView(texts, { merchant: intent.config.tradingName }, [link]);
}

/** The result of a try is not known yet: of one of this page, or of somebody else with the link. */
export function createWaitingView(attempt: 'own' | 'other' | 'otherAtBank'): HTMLElement {
  return createView(WAITING_TEXTS[attempt], {});
}

const WAITING_TEXTS = {
  own: { title: 'waitingTitle', text: 'waitingText', icon: 'clock' },
  other: { title: 'busyTitle', text: 'busyText', icon: 'clock' },
  otherAtBank: { title: 'busyTitle', text: 'busyAtBankText', icon: 'clock' },
} as const satisfies Record<string, ViewTexts>;

/** Lets a payer who reopens the page continue or stop the challenge that they have not answered. */
export function createOpenChallengeView(onContinue: () => void, onStop: () => void): HTMLElement {
  const continuing = createElement('button', { type: 'button', class: 'button' }, [getText('challengeContinue')]);
  const stopping = createElement('button', { type: 'button', class: 'plain' }, [getText('challengeStop')]);
  continuing.addEventListener('click', onContinue);
  stopping.addEventListener('click', onStop);
  const texts = { title: 'challengeOpenTitle', text: 'challengeOpenText', icon: 'clock' } as const;
  return createView(texts, {}, [continuing, stopping]);
}

export function createUnreachableView(onRetry: () => void): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'button' }, [getText('tryAgain')]);
  button.addEventListener('click', onRetry);
  return createView({ title: 'unreachableTitle', text: 'unreachableText', icon: 'warning' }, {}, [button]);
}

function createView(
  { title, text, icon }: ViewTexts,
  values: Readonly<Record<string, string>>,
  extras: readonly (HTMLElement | null)[] = [],
): HTMLElement {
  const heading = createElement('h1', { tabindex: '-1' }, [getText(title, values)]);
  return createElement('section', { class: `end end-${icon}` }, [
    createElement('span', { class: 'badge' }, [createIcon(icon)]),
    createElement('div', { role: 'status' }, [heading, createElement('p', {}, [getText(text, values)])]),
    ...extras,
  ]);
}

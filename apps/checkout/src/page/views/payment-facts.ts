import { createElement } from '../elements/element.js';
import type { Intent } from '../service/intent.js';
import { formatMoney } from '../texts/money-text.js';
import { getLocale, getText } from '../texts/texts.js';

type PaymentView = Extract<Intent, { kind: 'payment' }>;

/** The merchant, amount, reference and date of a payment, for the payer's records. */
export function createPaymentFacts({ config, totalAmount, reference, paymentEvents }: PaymentView): HTMLElement {
  const paidAt = paymentEvents.findLast(({ eventType }) => eventType === 'Captured' || eventType === 'Authorized');
  const facts: [string, string][] = [
    [getText('factMerchant'), config.tradingName],
    [getText('factAmount'), formatMoney(totalAmount)],
    [getText('factReference'), reference],
    ...(paidAt === undefined
      ? []
      : [[getText('factDate'), formatDate(paidAt.transactionDateTime)] satisfies [string, string]]),
  ];
  return createElement(
    'dl',
    { class: 'facts' },
    facts.map(([name, value]) =>
      createElement('div', {}, [createElement('dt', {}, [name]), createElement('dd', {}, [value])]),
    ),
  );
}

export function createPrintButton(): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'plain no-print' }, [getText('print')]);
  button.addEventListener('click', () => window.print());
  return button;
}

function formatDate(moment: string): string {
  return new Intl.DateTimeFormat(getLocale().locale, { dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(moment),
  );
}

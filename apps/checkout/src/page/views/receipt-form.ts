import { createElement } from '../elements/element.js';
import { Field } from '../elements/field.js';
import type { Intent } from '../service/intent.js';
import type { ReceiptOutcome } from '../service/payment-client.js';
import { getText } from '../texts/texts.js';

/** Where the payer asks for the receipt by mail. */
export function createReceiptForm(
  { config, customer }: Intent,
  sendReceipt: (email: string) => Promise<ReceiptOutcome>,
): HTMLElement {
  const input = createElement('input', {
    ...{ type: 'email', name: 'receiptEmail', autocomplete: 'email', maxlength: '254', required: true },
    ...{ inputmode: 'email', value: customer?.emailAddress ?? null },
  });
  const field = new Field(input, { label: getText('email'), wrong: 'emailWrong' });
  const button = createElement('button', { type: 'submit', class: 'plain' }, [getText('receiptSend')]);
  const message = createElement('p', { role: 'status', class: 'quiet' });
  const form = createElement(
    'form',
    { novalidate: true, class: 'receipt no-print', 'aria-label': getText('receiptLegend') },
    [createElement('div', { class: 'with-button' }, [field.element, button]), message],
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.checkValue()) void send();
    else input.focus();
  });
  const send = async (): Promise<void> => {
    button.disabled = true;
    const email = input.value.trim();
    const outcome = await sendReceipt(email);
    button.disabled = false;
    if (outcome === 'refused') field.showError(getText('emailWrong'));
    message.textContent = describeOutcome(outcome, { email, merchant: config.tradingName });
  };
  return form;
}

function describeOutcome(outcome: ReceiptOutcome, values: Readonly<Record<string, string>>): string {
  if (outcome === 'sent') return getText('receiptSent', values);
  if (outcome === 'exhausted') return getText('receiptLimit', values);
  return outcome === 'refused' ? '' : getText('receiptFailed');
}

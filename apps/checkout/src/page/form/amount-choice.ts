import { createElement } from '../elements/element.js';
import { Field } from '../elements/field.js';
import type { Intent } from '../service/intent.js';
import { formatInputAmount, formatMoney, getCurrencySign, parseAmount } from '../texts/money-text.js';
import { getText } from '../texts/texts.js';

type PaymentView = Extract<Intent, { kind: 'payment' }>;

const TIP_PERCENTS = [10, 15, 20] as const;

/** The outcome of a change: the intent with the new amount, or the text that says why there is none. */
export type AmountChangeOutcome = { readonly intent: Intent } | { readonly problem: string };

interface AmountChoiceActions {
  readonly changeTip: (value: number) => Promise<AmountChangeOutcome>;
  readonly changeAmount: (value: number) => Promise<AmountChangeOutcome>;
}

/** Where the payer chooses a tip or an amount, as the integrator allows; null where neither is allowed. */
export function createAmountChoice(intent: Intent, actions: AmountChoiceActions): HTMLElement | null {
  if (intent.kind !== 'payment') return null;
  const parts = [
    isAmountOpen(intent) ? createCustomAmount(intent, actions.changeAmount) : null,
    intent.config.payment.tipsAllowed ? createTips(intent, actions.changeTip) : null,
  ].filter((each) => each !== null);
  return parts.length === 0 ? null : createElement('div', { class: 'amounts' }, parts);
}

/** A bill with lines has a fixed price. */
function isAmountOpen({ config, itemLines, taxLines }: PaymentView): boolean {
  return config.payment.customAmountAllowed && itemLines.length === 0 && taxLines.length === 0;
}

function createCustomAmount(
  { amount }: PaymentView,
  changeAmount: (value: number) => Promise<AmountChangeOutcome>,
): HTMLElement {
  return createElement('fieldset', {}, [
    createElement('legend', {}, [getText('amountLegend')]),
    createAmountInput({ label: 'amountField', name: 'customAmount', shown: amount, least: 1 }, changeAmount),
  ]);
}

/** The tip of a percentage, to the nearest minor unit. */
export function computeTip(value: number, percent: number): number {
  return Math.round((value * percent) / 100);
}

function createTips(
  { amount, tipsAmount }: PaymentView,
  changeTip: (value: number) => Promise<AmountChangeOutcome>,
): HTMLElement {
  const { currencyCode } = amount;
  const chosen = tipsAmount?.value ?? 0;
  const offered = [0, ...TIP_PERCENTS].map((percent) => ({ percent, value: computeTip(amount.value, percent) }));
  const isOffered = offered.some(({ value }) => value === chosen);
  const other = createAmountInput(
    { label: 'tipAmount', name: 'tipsAmount', shown: { value: chosen, currencyCode }, least: 0 },
    changeTip,
  );
  other.hidden = isOffered;
  const error = createElement('p', { class: 'field-error', role: 'alert' });
  const radios = offered.map(({ percent, value }) => {
    const title = percent === 0 ? getText('tipNone') : getText('tipPercent', { percent: String(percent) });
    const detail = percent === 0 ? null : formatMoney({ value, currencyCode });
    return createChip({ title, detail, isChosen: value === chosen }, async () => {
      other.hidden = true;
      const outcome = await changeTip(value);
      error.textContent = 'problem' in outcome ? outcome.problem : '';
    });
  });
  const otherChip = createChip({ title: getText('tipOther'), detail: null, isChosen: !isOffered }, () => {
    other.hidden = false;
    other.querySelector('input')?.focus();
  });
  return createElement('fieldset', {}, [
    createElement('legend', {}, [getText('tipLegend')]),
    createElement('div', { class: 'chips' }, [...radios, otherChip]),
    other,
    error,
  ]);
}

interface Chip {
  readonly title: string;
  readonly detail: string | null;
  readonly isChosen: boolean;
}

function createChip({ title, detail, isChosen }: Chip, onChoice: () => unknown): HTMLElement {
  const input = createElement('input', { type: 'radio', name: 'tip', checked: isChosen });
  input.addEventListener('change', () => void onChoice());
  return createElement('label', { class: 'chip' }, [
    input,
    createElement('span', {}, [title]),
    detail === null ? null : createElement('small', {}, [detail]),
  ]);
}

interface AmountInput {
  readonly label: 'amountField' | 'tipAmount';
  readonly name: string;
  readonly shown: PaymentView['amount'];
  readonly least: number;
}

/** An amount that the payer types. It is sent by its button, or by Enter. */
function createAmountInput(
  { label, name, shown, least }: AmountInput,
  change: (value: number) => Promise<AmountChangeOutcome>,
): HTMLElement {
  const { currencyCode } = shown;
  const input = createElement('input', {
    ...{ name, inputmode: 'decimal', autocomplete: 'off', maxlength: '20', value: formatInputAmount(shown) },
  });
  const field = new Field(input, { label: getText(label, { currency: getCurrencySign(currencyCode) }) });
  const apply = async (): Promise<void> => {
    const value = parseAmount(input.value, currencyCode);
    if (value === null || value < least) {
      const example = formatInputAmount({ value: 1250, currencyCode });
      field.showError(getText('amountWrong', { example }));
      return;
    }
    const outcome = await change(value);
    field.showError('problem' in outcome ? outcome.problem : null);
    if ('intent' in outcome) input.value = formatInputAmount({ value, currencyCode });
  };
  const button = createElement('button', { type: 'button', class: 'plain' }, [getText('apply')]);
  button.addEventListener('click', () => void apply());
  input.addEventListener('keydown', (event) => {
    // The Enter that accepts the proposal of an input method changes nothing.
    if (event.key !== 'Enter' || event.isComposing) return;
    // Enter would submit the form with the previous amount.
    event.preventDefault();
    void apply();
  });
  return createElement('div', { class: 'with-button' }, [field.element, button]);
}

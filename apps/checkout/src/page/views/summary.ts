import { createElement } from '../elements/element.js';
import type { Intent } from '../service/intent.js';
import { formatMoney } from '../texts/money-text.js';
import { getText } from '../texts/texts.js';

type PaymentView = Extract<Intent, { kind: 'payment' }>;

/** More lines than these are folded, so that the amount and the form stay in view. */
const OPEN_LINES_MAX = 6;

/** What the payer pays for: title, amount and lines, as far as the integrator wants to show them. */
export function createSummary(intent: Intent): HTMLElement {
  const { config, description, reference } = intent;
  const merchant = config.tradingName;
  const standard = intent.kind === 'payment' ? getText('titlePayment', { merchant }) : getText('titleSetup');
  const isAmountShown = intent.kind === 'payment' && config.details.showTotal;
  return createElement(
    'section',
    { class: isAmountShown ? 'summary with-amount' : 'summary', 'aria-label': getText('summaryLabel') },
    [
      createElement('h1', {}, [config.title ?? standard]),
      isAmountShown ? createElement('p', { class: 'amount' }, [formatMoney(intent.totalAmount)]) : null,
      description === undefined ? null : createElement('p', { class: 'description' }, [description]),
      intent.kind === 'payment' ? createLinesTable(intent) : createIntendedAmount(intent),
      config.details.showReference
        ? createElement('p', { class: 'quiet' }, [getText('reference', { reference })])
        : null,
    ],
  );
}

/** The standard title of a payment names the merchant itself. */
export function isMerchantInHeader({ kind, config }: Intent): boolean {
  return kind === 'setup' || config.title !== undefined;
}

function createIntendedAmount({ intendedAmount }: Extract<Intent, { kind: 'setup' }>): HTMLElement | null {
  if (intendedAmount === undefined) return null;
  return createElement('p', {}, [getText('atMost', { amount: formatMoney(intendedAmount) })]);
}

function createLinesTable({ itemLines, taxLines, tipsAmount, totalAmount, config }: PaymentView): HTMLElement | null {
  const rows = [
    ...itemLines.map(createItemRow),
    ...taxLines.map((tax) => createRow(tax.caption ?? getText('tax'), tax.subCaption, formatMoney(tax.amountTotal))),
    ...(tipsAmount === undefined || tipsAmount.value === 0
      ? []
      : [createRow(getText('tip'), undefined, formatMoney(tipsAmount))]),
  ];
  if (rows.length === 0) return null;
  const total = config.details.showTotal
    ? createElement('tfoot', {}, [createRow(getText('total'), undefined, formatMoney(totalAmount))])
    : null;
  const table = createElement('table', {}, [createElement('tbody', {}, rows), total]);
  if (rows.length <= OPEN_LINES_MAX) return table;
  const count = String(rows.length);
  return createElement('details', {}, [createElement('summary', {}, [getText('moreItems', { count })]), table]);
}

function createItemRow({
  quantity,
  caption = getText('item'),
  amountTotal,
  modifiers,
}: PaymentView['itemLines'][number]): HTMLElement {
  const title = quantity === 1 ? caption : `${quantity} × ${caption}`;
  const extras = modifiers.map(
    (each) =>
      `${each.quantity === 1 ? '' : `${each.quantity} × `}${each.name} (${formatMoney(each.amountPerModifier)})`,
  );
  return createRow(title, extras.length === 0 ? undefined : extras.join(', '), formatMoney(amountTotal));
}

function createRow(title: string, detail: string | undefined, amount: string): HTMLElement {
  const subtitle = detail === undefined ? null : createElement('small', {}, [detail]);
  return createElement('tr', {}, [
    createElement('th', { scope: 'row' }, [title, subtitle]),
    createElement('td', {}, [amount]),
  ]);
}

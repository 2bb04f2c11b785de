import { createElement } from './element.js';
import type { Intent } from './intent.js';
import { formatMoney } from './money-text.js';
import { SCHEME_NAMES, WALLET_NAMES } from './display-names.js';
import { listSchemes, type AvailableMethods } from './available-methods.js';

type PaymentView = Extract<Intent, { kind: 'payment' }>;

/** The merchant's name and logo, in the merchant's colours. */
export function createMerchantHeader({ config: { branding, tradingName } }: Intent): HTMLElement {
  const logo = branding.logoUrl === undefined ? null : createElement('img', { src: branding.logoUrl, alt: '' });
  // Without the logo, a failed image would leave an empty box.
  logo?.addEventListener('error', () => logo.remove());
  return createElement('header', {}, [logo, createElement('p', {}, [tradingName])]);
}

export function setFavicon({ config: { branding } }: Intent): void {
  if (branding.faviconUrl === undefined) return;
  document.head.append(createElement('link', { rel: 'icon', href: branding.faviconUrl }));
}

/** The lines of the payment that the integrator wants to show. */
export function createSummary(intent: Intent): HTMLElement {
  const { config, description, reference } = intent;
  return createElement('section', { class: 'facts', 'aria-label': 'What you pay for' }, [
    description === undefined ? null : createElement('p', {}, [description]),
    intent.kind === 'payment' ? createLinesTable(intent) : createIntendedAmount(intent),
    config.details.showReference ? createElement('p', { class: 'quiet' }, [`Reference: ${reference}`]) : null,
  ]);
}

function createIntendedAmount({ intendedAmount }: Extract<Intent, { kind: 'setup' }>): HTMLElement | null {
  if (intendedAmount === undefined) return null;
  return createElement('p', {}, [
    `At most ${formatMoney(intendedAmount)} may be charged later. Nothing is charged now.`,
  ]);
}

function createLinesTable({ itemLines, taxLines, tipsAmount, totalAmount, config }: PaymentView): HTMLElement | null {
  const rows = [
    ...itemLines.flatMap(createItemRows),
    ...taxLines.map((tax) => createRow(tax.caption ?? 'Tax', tax.subCaption, formatMoney(tax.amountTotal))),
    ...(tipsAmount === undefined || tipsAmount.value === 0
      ? []
      : [createRow('Tip', undefined, formatMoney(tipsAmount))]),
  ];
  const isTotalShown = config.details.showTotal;
  if (rows.length === 0 && !isTotalShown) return null;
  return createElement('table', {}, [
    createElement('tbody', {}, rows),
    isTotalShown ? createElement('tfoot', {}, [createRow('Total', undefined, formatMoney(totalAmount))]) : null,
  ]);
}

function createItemRows({
  quantity,
  caption = 'Item',
  amountTotal,
  modifiers,
}: PaymentView['itemLines'][number]): HTMLElement[] {
  const title = quantity === 1 ? caption : `${quantity} × ${caption}`;
  const extras = modifiers.map(
    (each) =>
      `${each.quantity === 1 ? '' : `${each.quantity} × `}${each.name} (${formatMoney(each.amountPerModifier)})`,
  );
  return [createRow(title, extras.length === 0 ? undefined : extras.join(', '), formatMoney(amountTotal))];
}

function createRow(title: string, detail: string | undefined, amount: string): HTMLElement {
  const subtitle = detail === undefined ? null : createElement('small', {}, [detail]);
  return createElement('tr', {}, [
    createElement('th', { scope: 'row' }, [title, subtitle]),
    createElement('td', {}, [amount]),
  ]);
}

/** The accepted payment methods. */
export function createAcceptedText(intent: Intent, methods: AvailableMethods): HTMLElement {
  const names = [
    ...listSchemes(intent, methods).map((scheme) => SCHEME_NAMES[scheme]),
    ...methods.wallets.map((wallet) => WALLET_NAMES[wallet]),
  ];
  return createElement('p', { class: 'quiet', id: 'accepted' }, [`Accepted: ${names.join(', ')}`]);
}

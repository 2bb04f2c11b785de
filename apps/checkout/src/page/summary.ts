import { element } from './elements.js';
import type { Intent } from './intent.js';
import { moneyText } from './money-text.js';
import { SCHEMES, WALLETS } from './names.js';
import { schemesOf, type Ways } from './ways.js';

type Payment = Extract<Intent, { kind: 'payment' }>;

/** Who asks for the money, in his colours. */
export function merchantHeader({ config: { branding, tradingName } }: Intent): HTMLElement {
  const logo = branding.logoUrl === undefined ? null : element('img', { src: branding.logoUrl, alt: '' });
  // A logo that does not come leaves no hole.
  logo?.addEventListener('error', () => logo.remove());
  return element('header', {}, [logo, element('p', {}, [tradingName])]);
}

export function useFavicon({ config: { branding } }: Intent): void {
  if (branding.faviconUrl === undefined) return;
  document.head.append(element('link', { rel: 'icon', href: branding.faviconUrl }));
}

/** What is paid for, as far as the integrator wants it shown. */
export function summary(intent: Intent): HTMLElement {
  const { config, description, reference } = intent;
  return element('section', { class: 'facts', 'aria-label': 'What you pay for' }, [
    description === undefined ? null : element('p', {}, [description]),
    intent.kind === 'payment' ? linesTable(intent) : intended(intent),
    config.details.showReference ? element('p', { class: 'quiet' }, [`Reference: ${reference}`]) : null,
  ]);
}

function intended({ intendedAmount }: Extract<Intent, { kind: 'setup' }>): HTMLElement | null {
  if (intendedAmount === undefined) return null;
  return element('p', {}, [`At most ${moneyText(intendedAmount)} may be charged later. Nothing is charged now.`]);
}

function linesTable({ itemLines, taxLines, tipsAmount, totalAmount, config }: Payment): HTMLElement | null {
  const rows = [
    ...itemLines.flatMap(itemRows),
    ...taxLines.map((tax) => row(tax.caption ?? 'Tax', tax.subCaption, moneyText(tax.amountTotal))),
    ...(tipsAmount === undefined || tipsAmount.value === 0 ? [] : [row('Tip', undefined, moneyText(tipsAmount))]),
  ];
  const isTotalShown = config.details.showTotal;
  if (rows.length === 0 && !isTotalShown) return null;
  return element('table', {}, [
    element('tbody', {}, rows),
    isTotalShown ? element('tfoot', {}, [row('Total', undefined, moneyText(totalAmount))]) : null,
  ]);
}

function itemRows({ quantity, caption = 'Item', amountTotal, modifiers }: Payment['itemLines'][number]): HTMLElement[] {
  const title = quantity === 1 ? caption : `${quantity} × ${caption}`;
  const extras = modifiers.map(
    (each) => `${each.quantity === 1 ? '' : `${each.quantity} × `}${each.name} (${moneyText(each.amountPerModifier)})`,
  );
  return [row(title, extras.length === 0 ? undefined : extras.join(', '), moneyText(amountTotal))];
}

function row(title: string, more: string | undefined, amount: string): HTMLElement {
  const small = more === undefined ? null : element('small', {}, [more]);
  return element('tr', {}, [element('th', { scope: 'row' }, [title, small]), element('td', {}, [amount])]);
}

/** What is taken here. */
export function accepted(intent: Intent, ways: Ways): HTMLElement {
  const names = [
    ...schemesOf(intent, ways).map((scheme) => SCHEMES[scheme]),
    ...ways.wallets.map((wallet) => WALLETS[wallet]),
  ];
  return element('p', { class: 'quiet', id: 'accepted' }, [`Accepted: ${names.join(', ')}`]);
}

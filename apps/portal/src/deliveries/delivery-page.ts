import type { LinkedDeliveries } from '@pos/payments/webhooks';
import { DELIVERY_PAGE_MESSAGES, type DeliveryPageText, type PageLanguage } from './delivery-page-messages.js';

/** Where the style of the page is served. */
export const DELIVERY_STYLE_PATH = '/embed/deliveries.css';

type Delivery = LinkedDeliveries['deliveries'][number];

/** The page with the deliveries of a link. It has no script: it shows what was when it was loaded. */
export function renderDeliveries(
  language: PageLanguage,
  { tradingName, url, deliveries, attempts, expiresAt }: LinkedDeliveries & { readonly expiresAt: Date },
): string {
  const text = translate(language);
  const rows = deliveries.map((delivery) =>
    renderDelivery(language, {
      ...delivery,
      entries: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
    }),
  );
  const columns = (['created', 'event', 'state', 'attempts', 'next', 'answer'] as const)
    .map((name) => `<th scope="col">${text(name)}</th>`)
    .join('');
  const list =
    rows.length === 0
      ? `<p>${text('none')}</p>`
      : `<div class="frame" role="region" aria-label="${text('title')}" tabindex="0"><table><thead><tr>${columns}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  const head = `<header><h1>${text('title')}</h1><p>${escapeHtml(tradingName)} · ${text('endpoint')} <code>${escapeHtml(url)}</code></p></header>`;
  const end = text('ends').replace('{time}', formatMoment(expiresAt, language));
  return renderPage(language, `${head}${list}<footer><p>${end} <a href="">${text('reload')}</a></p></footer>`);
}

/** The page of a link that has ended, or never was. */
export function renderRefusal(language: PageLanguage, kind: 'expired' | 'invalid'): string {
  const text = translate(language);
  return renderPage(language, `<h1>${text(`${kind}Title`)}</h1><p>${text(`${kind}Text`)}</p>`);
}

/** Nothing is loaded except the style, and only pages of the named origins may embed the page; without one, none. */
export function buildPageHeaders(frameAncestors: readonly string[]): Readonly<Record<string, string>> {
  const ancestors = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${ancestors}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    // The address is the permission to read the page.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

function renderDelivery(
  language: PageLanguage,
  delivery: Delivery & { readonly entries: LinkedDeliveries['attempts'] },
): string {
  const text = translate(language);
  const { event, state, attempts, nextAttemptAt, lastError, lastStatus, createdAt, entries } = delivery;
  const cells = [
    formatMoment(createdAt, language),
    `<code>${escapeHtml(event)}</code>`,
    `<span class="state ${state}">${text(state)}</span>`,
    entries.length === 0 ? String(attempts) : renderAttempts(language, { attempts, entries }),
    nextAttemptAt === null ? '–' : formatMoment(nextAttemptAt, language),
    escapeHtml(lastError ?? String(lastStatus ?? '–')),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function renderAttempts(
  language: PageLanguage,
  { attempts, entries }: { readonly attempts: number; readonly entries: LinkedDeliveries['attempts'] },
): string {
  const text = translate(language);
  const items = entries.map(({ createdAt, status, error, tookMs, details }) => {
    const number = text('attempt').replace('{number}', String(details.attempt ?? 1));
    const result = escapeHtml(status === null ? (error ?? '') : String(status));
    return `<li>${number}: ${formatMoment(createdAt, language)} · ${result} · ${tookMs} ms</li>`;
  });
  return `<details><summary>${attempts}</summary><ol>${items.join('')}</ol></details>`;
}

function renderPage(language: PageLanguage, content: string): string {
  const text = translate(language);
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text('title')}</title><link rel="stylesheet" href="${DELIVERY_STYLE_PATH}"></head><body><main>${content}</main></body></html>`;
}

function translate(language: PageLanguage): (name: DeliveryPageText) => string {
  return (name) => DELIVERY_PAGE_MESSAGES[language][name];
}

/** In UTC: the server does not know where the reader is. */
function formatMoment(at: Date, language: PageLanguage): string {
  const format = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const;
  return `<time datetime="${at.toISOString()}">${new Intl.DateTimeFormat(language, format).format(at)} UTC</time>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

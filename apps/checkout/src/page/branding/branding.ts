import { BRAND_FONT_FAMILIES } from '@pos/web-ui/branding';
import { type AccentColors, deriveAccentColors } from '@pos/core/branding';
import { createElement } from '../elements/element.js';
import type { Intent } from '../service/intent.js';
import { getLocale, getText } from '../texts/texts.js';

type Branding = Intent['config']['branding'];

/** The merchant's look. Null where the merchant has chosen none. */
export interface Theme {
  readonly colors: AccentColors | null;
  readonly font: Branding['font'] | null;
}

export function readTheme({ config: { branding } }: { readonly config: { readonly branding: Branding } }): Theme {
  const { accentColor, font } = branding;
  return { colors: accentColor === undefined ? null : deriveAccentColors(accentColor), font: font ?? null };
}

const COLOR_NAMES = ['accent', 'onAccent', 'lightText', 'darkText'] as const;

/** Applies the merchant's title, icon, colours and font to the page. */
export function applyBranding(config: Intent['config']): void {
  const { branding, title, tradingName } = config;
  document.title = title ?? getText('documentTitle', { merchant: tradingName });
  const { colors, font } = readTheme({ config });
  const { style, dataset } = document.documentElement;
  if (colors !== null) {
    for (const name of COLOR_NAMES) style.setProperty(`--brand-${name}`, colors[name]);
    dataset['branded'] = '';
  }
  if (font !== null && font !== undefined) style.setProperty('--font', BRAND_FONT_FAMILIES[font]);
  if (branding.faviconUrl !== undefined && document.querySelector('link[rel=icon]') === null)
    document.head.append(createElement('link', { rel: 'icon', href: branding.faviconUrl }));
}

/** The language of the texts, for screen readers and hyphenation. */
export function applyLanguage(): void {
  document.documentElement.lang = getLocale().language;
}

/** The merchant's name and logo. The name is left out where the title of the page has it. */
export function createMerchantHeader(
  { branding, tradingName }: Pick<Intent['config'], 'branding' | 'tradingName'>,
  isNamed = true,
): HTMLElement {
  const logo = branding.logoUrl === undefined ? null : createElement('img', { src: branding.logoUrl, alt: '' });
  // Without the logo, a failed image would leave an empty box.
  logo?.addEventListener('error', () => logo.remove());
  return createElement('header', {}, [logo, isNamed ? createElement('p', {}, [tradingName]) : null]);
}

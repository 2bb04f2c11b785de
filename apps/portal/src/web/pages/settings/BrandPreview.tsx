import { BRAND_FONT_FAMILIES } from '@pos/web-ui/branding';
import { type BrandFont, deriveAccentColors, SURFACES } from '@pos/core/branding';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { CSSProperties, ReactNode } from 'react';
import { SETTING_MESSAGES } from './setting-messages.js';
import classes from './brand-preview.module.css';

interface Look {
  readonly tradingName: string;
  /** As it was entered; the colours of the service are shown until it is a colour. */
  readonly color: string;
  readonly font: BrandFont | null;
  readonly hasLogo: boolean;
}

const AMOUNT = { value: 1250, currencyCode: 'GBP' };

/** The payment page in the light and in the dark, as far as the settings change it. */
export function BrandPreview({ look }: { look: Look }): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  return (
    <figure className={classes['preview']}>
      <figcaption>{text('preview')}</figcaption>
      <Page look={look} theme="light" />
      <Page look={look} theme="dark" />
    </figure>
  );
}

function Page({ look, theme }: { look: Look; theme: keyof typeof SURFACES }): ReactNode {
  const { tradingName, color, font, hasLogo } = look;
  const text = useMessages(SETTING_MESSAGES);
  const amount = formatMoney(AMOUNT, useLanguage());
  return (
    <div className={`${classes['page']} ${classes[theme]}`} style={createStyle(color, { font, theme })}>
      {/* Loading the logo here would send the address of the reader to the server that has it. */}
      {hasLogo && <span className={classes['logo']}>{text('logoPlace')}</span>}
      <span className={classes['merchant']}>{tradingName}</span>
      <span className={classes['amount']}>{amount}</span>
      <span className={classes['input']}>{text('previewCard')}</span>
      <span className={classes['button']}>{text('previewPay', { amount })}</span>
      <span className={classes['link']}>{text('previewLink')}</span>
    </div>
  );
}

function createStyle(
  color: string,
  { font, theme }: { readonly font: BrandFont | null; readonly theme: keyof typeof SURFACES },
): CSSProperties {
  const colors = deriveAccentColors(color);
  return {
    backgroundColor: SURFACES[theme],
    ...(font !== null && { fontFamily: BRAND_FONT_FAMILIES[font] }),
    ...(colors !== null && {
      '--preview-accent': colors.accent,
      '--preview-on-accent': colors.onAccent,
      '--preview-link': theme === 'light' ? colors.lightText : colors.darkText,
    }),
  };
}

import { TextField } from '@pos/web-ui/components';
import { computeContrast, deriveAccentColors, parseColor, SURFACES } from '@pos/core/branding';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { SETTING_MESSAGES } from './setting-messages.js';
import classes from './settings.module.css';

interface ColorFieldProps {
  readonly color: string;
  readonly error: ReactNode;
  readonly onChange: (color: string) => void;
}

const UNCHOSEN = '#1d4ed8';

/** A colour as text and as a picker, with what the payment page makes of it so that its texts can be read. */
export function ColorField({ color, error, onChange }: ColorFieldProps): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const isColor = parseColor(color) !== null;
  return (
    <>
      <div className={classes['color']}>
        <input
          type="color"
          aria-label={text('pickColor')}
          value={isColor ? color.toLowerCase() : UNCHOSEN}
          onChange={({ target }) => onChange(target.value)}
        />
        <TextField
          label={text('accentColor')}
          autoComplete="off"
          maxLength={7}
          placeholder={UNCHOSEN}
          value={color}
          hint={text('accentColorHint')}
          error={error}
          onValueChange={onChange}
        />
      </div>
      <ContrastNote color={color} />
    </>
  );
}

/** The contrasts that follow from a colour; WCAG requires 4.5 for text. */
function ContrastNote({ color }: { color: string }): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const language = useLanguage();
  const colors = deriveAccentColors(color);
  if (colors === null) return color === '' ? null : <p className={classes['help']}>{text('notYetColor')}</p>;
  const ratio = (first: string, second: string): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 1, roundingMode: 'floor' }).format(
      computeContrast(parseColor(first) ?? BLACK, parseColor(second) ?? BLACK),
    );
  const { accent, onAccent, lightText, darkText } = colors;
  const button = onAccent === '#ffffff' ? 'onButtonWhite' : 'onButtonBlack';
  const light = lightText === accent ? 'onLightKept' : 'onLightChanged';
  const dark = darkText === accent ? 'onDarkKept' : 'onDarkChanged';
  return (
    <ul className={classes['contrast']} aria-label={text('contrast')}>
      <li>{text(button, { ratio: ratio(onAccent, accent) })}</li>
      <li>{text(light, { ratio: ratio(accent, SURFACES.light), color: lightText })}</li>
      <li>{text(dark, { ratio: ratio(accent, SURFACES.dark), color: darkText })}</li>
    </ul>
  );
}

const BLACK = [0, 0, 0] as const;

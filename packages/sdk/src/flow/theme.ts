import { PosUsageError } from '../errors/errors.js';

/** The colours of a payment flow. */
export const THEME_COLORS = [
  'primaryLabelTextColor',
  'secondaryLabelTextColor',
  'headerTintColor',
  'headerButtonTintColor',
  'primarySurfaceBackgroundColor',
  'primaryCTAButtonActiveBackgroundColor',
  'primaryCTAButtonActiveTextColor',
  'primaryCTAButtonDisabledBackgroundColor',
  'primaryCTAButtonDisableTextColor',
  'secondaryCTAButtonActiveBorderColor',
  'secondaryCTAButtonActiveTextColor',
  'separatorColor',
  'errorTextColor',
  'loadingIndicatorColor',
  'inputFieldPlaceholderColor',
  'inputFieldBackgroundColor',
  'inputFieldDefaultBorderColor',
  'inputFieldSelectedBorderColor',
  'inputElementActiveTintColor',
  'inputElementDefaultTintColor',
] as const;

export type ThemeColor = (typeof THEME_COLORS)[number];

/** The look of a payment flow. Colours are `#rrggbb` or `#rrggbbaa`; what is left out has the default of the device. */
export type PaymentTheme = Readonly<Partial<Record<ThemeColor, string>>> & {
  /** Whether elements that the device draws, such as lists and scroll bars, are light; false: dark. */
  readonly lightStyleForDefaultElements?: boolean;
};

const COLOR = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;
const COLOR_NAMES: ReadonlySet<string> = new Set(THEME_COLORS);

/** The checked theme. Throws `PosUsageError` that names the first wrong property; unknown names are wrong too. */
export function readTheme(theme: unknown): PaymentTheme {
  if (theme === undefined) return {};
  if (typeof theme !== 'object' || theme === null) throw new PosUsageError('theme is no object');
  for (const [name, value] of Object.entries(theme) as [string, unknown][]) {
    if (value === undefined) continue;
    if (COLOR_NAMES.has(name)) {
      if (typeof value !== 'string' || !COLOR.test(value))
        throw new PosUsageError(`theme.${name} is no colour #rrggbb`);
    } else if (name !== 'lightStyleForDefaultElements') throw new PosUsageError(`theme.${name} is unknown`);
    else if (typeof value !== 'boolean') throw new PosUsageError(`theme.${name} must be true or false`);
  }
  return { ...theme };
}

const COLOR = /^#[0-9a-f]{6}$/i;
/** Colours of an integrator's theme may be translucent. */
const THEME_COLOR = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FONTS = new Set(['sans', 'humanist', 'geometric', 'rounded', 'serif']);

/** The theme properties of the client SDK that concern fields, and what they colour. */
const PROPERTIES = {
  primaryLabelTextColor: '--text',
  secondaryLabelTextColor: '--quiet',
  errorTextColor: '--alarm',
  inputFieldPlaceholderColor: '--placeholder',
  inputFieldBackgroundColor: '--surface',
  inputFieldDefaultBorderColor: '--control',
  inputFieldSelectedBorderColor: '--focus',
  inputElementActiveTintColor: '--caret',
} as const;

/** Applies the colours and the font of the page around the frame. Ignores everything that is neither. */
export function applyTheme(theme: unknown): void {
  if (!isRecord(theme)) return;
  const { style, dataset } = document.documentElement;
  const { colors, font, properties } = theme;
  if (isRecord(colors)) {
    for (const name of ['lightText', 'darkText']) {
      const color = colors[name];
      if (typeof color === 'string' && COLOR.test(color)) style.setProperty(`--brand-${name}`, color);
    }
  }
  if (typeof font === 'string' && FONTS.has(font)) dataset['font'] = font;
  if (!isRecord(properties)) return;
  for (const [name, value] of listThemeStyles(properties)) {
    style.setProperty(name, value);
    if (name === 'color-scheme') dataset['scheme'] = value;
  }
}

/** The styles of an integrator's theme: those whose values are colours. Other values never reach a style. */
export function listThemeStyles(properties: Readonly<Record<string, unknown>>): [name: string, value: string][] {
  const colors = Object.entries(PROPERTIES).flatMap(([property, name]): [string, string][] => {
    const value = Object.hasOwn(properties, property) ? properties[property] : undefined;
    return typeof value === 'string' && THEME_COLOR.test(value) ? [[name, value]] : [];
  });
  const isLight = properties['lightStyleForDefaultElements'];
  return typeof isLight === 'boolean' ? [...colors, ['color-scheme', isLight ? 'light' : 'dark']] : colors;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

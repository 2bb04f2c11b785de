import { type PaymentTheme, THEME_COLORS } from '../flow/theme.js';

/**
 * Applies a theme to an element of the component. Returns the theme for the card fields, which are as light or dark as the
 * element: by the theme, its background, or the page around it.
 */
export function applyTheme(host: HTMLElement, theme: PaymentTheme): PaymentTheme {
  for (const name of THEME_COLORS) {
    const color = theme[name];
    if (color !== undefined) host.style.setProperty(`--${name}`, color);
  }
  const isLight = isLightTheme(theme) ?? isLightPage(host);
  host.style.colorScheme = isLight ? 'light' : 'dark';
  host.dataset['scheme'] = isLight ? 'light' : 'dark';
  return { ...theme, lightStyleForDefaultElements: isLight };
}

/** Null for a theme that does not say. */
function isLightTheme({ lightStyleForDefaultElements, primarySurfaceBackgroundColor }: PaymentTheme): boolean | null {
  if (lightStyleForDefaultElements !== undefined) return lightStyleForDefaultElements;
  return primarySurfaceBackgroundColor === undefined ? null : isLightColor(primarySurfaceBackgroundColor);
}

/** Whether black text is easier to read on the colour than white: its luminance is above that of middle grey. */
export function isLightColor(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
}

function isLightPage(host: HTMLElement): boolean {
  const scheme = getComputedStyle(host).colorScheme;
  if (!scheme.includes('dark')) return true;
  return scheme.includes('light') && !matchMedia('(prefers-color-scheme: dark)').matches;
}

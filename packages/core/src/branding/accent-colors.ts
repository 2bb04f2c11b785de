/** Colours on which the payment page writes, in the light and in the dark. */
export const SURFACES = { light: '#ffffff', dark: '#1b1f27' } as const;
/** WCAG 2.2, level AA: text, and everything else that must be recognised. */
const TEXT_CONTRAST_MIN = 4.5;
const MIX_STEPS = 20;

type Rgb = readonly [number, number, number];

/** Colours of a merchant that can be read wherever the payment page uses them. */
export interface AccentColors {
  /** The background of the button. */
  readonly accent: string;
  /** The text on the button. */
  readonly onAccent: string;
  /** Links and outlines on the surface in the light, and in the dark. */
  readonly lightText: string;
  readonly darkText: string;
}

/**
 * The colours that follow from the merchant's own. Black or white can always be read on it; as text it is made darker
 * or lighter until it can be read. Null for a text that is no colour.
 */
export function deriveAccentColors(color: string): AccentColors | null {
  const rgb = parseColor(color);
  if (rgb === null) return null;
  const onAccent = computeContrast(rgb, WHITE) >= TEXT_CONTRAST_MIN ? WHITE : BLACK;
  return {
    accent: formatColor(rgb),
    onAccent: formatColor(onAccent),
    lightText: formatColor(mixUntilReadable(rgb, parseColor(SURFACES.light) ?? WHITE, BLACK)),
    darkText: formatColor(mixUntilReadable(rgb, parseColor(SURFACES.dark) ?? BLACK, WHITE)),
  };
}

/** A text on its background. */
export interface ColorPair {
  readonly background: string;
  readonly text: string;
  /** As WCAG defines it, rounded down to two decimals. */
  readonly contrast: number;
}

/** The texts that the payment page writes in the colours of a merchant. */
export interface AccentPairs {
  readonly button: ColorPair;
  /** A link on the surface in the light, and in the dark. */
  readonly lightLink: ColorPair;
  readonly darkLink: ColorPair;
}

/** The same colours as pairs with their contrasts. Null for a text that is no colour. */
export function pairAccentColors(color: string): AccentPairs | null {
  const colors = deriveAccentColors(color);
  if (colors === null) return null;
  return {
    button: pairColors(colors.accent, colors.onAccent),
    lightLink: pairColors(SURFACES.light, colors.lightText),
    darkLink: pairColors(SURFACES.dark, colors.darkText),
  };
}

function pairColors(background: string, text: string): ColorPair {
  const contrast = computeContrast(parseColor(background) ?? BLACK, parseColor(text) ?? BLACK);
  return { background, text, contrast: Math.floor(contrast * 100) / 100 };
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The contrast of two colours, from 1 to 21, as WCAG defines it. */
export function computeContrast(first: Rgb, second: Rgb): number {
  const [dark = 0, light = 0] = [computeLuminance(first), computeLuminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

export function parseColor(color: string): Rgb | null {
  const [, ...parts] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? [];
  const [red, green, blue] = parts.map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue];
}

function mixUntilReadable(color: Rgb, surface: Rgb, end: Rgb): Rgb {
  for (let step = 0; step < MIX_STEPS; step += 1) {
    const mixed = mixColors(color, end, step / MIX_STEPS);
    if (computeContrast(mixed, surface) >= TEXT_CONTRAST_MIN) return mixed;
  }
  return end;
}

function mixColors(from: Rgb, to: Rgb, share: number): Rgb {
  const mix = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share);
  return [mix(0), mix(1), mix(2)];
}

function computeLuminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function formatColor(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

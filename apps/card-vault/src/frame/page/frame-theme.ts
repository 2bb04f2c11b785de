const COLOR = /^#[0-9a-f]{6}$/i;
const FONTS = new Set(['sans', 'humanist', 'geometric', 'rounded', 'serif']);

/** Applies the colours and the font of the page around the frame. Ignores everything that is neither. */
export function applyTheme(theme: unknown): void {
  if (!isRecord(theme)) return;
  const { style, dataset } = document.documentElement;
  const { colors, font } = theme;
  if (isRecord(colors)) {
    for (const name of ['lightText', 'darkText']) {
      const color = colors[name];
      if (typeof color === 'string' && COLOR.test(color)) style.setProperty(`--brand-${name}`, color);
    }
  }
  if (typeof font === 'string' && FONTS.has(font)) dataset['font'] = font;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

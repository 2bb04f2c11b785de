import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeContrast, deriveAccentColors, pairAccentColors, parseColor, type ColorPair } from './accent-colors.js';

const contrastOf = (first: string, second: string): number => computeContrast(parseColor(first)!, parseColor(second)!);

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
])('%s on %s has the contrast %d', (first, second, contrast) => {
  expect(contrastOf(first, second)).toBeCloseTo(contrast, 2);
});

test.each([
  // A yellow cannot be read on white, a navy not in the dark.
  ['#ffd400', { accent: '#ffd400', onAccent: '#000000', darkText: '#ffd400' }],
  ['#001a4d', { accent: '#001a4d', onAccent: '#ffffff', lightText: '#001a4d' }],
])('%s keeps its colour where it can be read', (color, kept) => {
  expect(deriveAccentColors(color)).toMatchObject(kept);
});

test('every colour of a merchant can be read: on the button, in the light and in the dark', () => {
  const part = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(part, part, part, (...rgb) => {
      const color = `#${rgb.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
      const { accent, onAccent, lightText, darkText } = deriveAccentColors(color)!;
      expect(contrastOf(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(lightText, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(darkText, '#1b1f27')).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a yellow button has black text, and its links are darkened in the light only', () => {
  expect(pairAccentColors('#FFD400')).toEqual({
    button: { background: '#ffd400', text: '#000000', contrast: 14.66 },
    lightLink: { background: '#ffffff', text: '#8c7500', contrast: 4.5 },
    darkLink: { background: '#1b1f27', text: '#ffd400', contrast: 11.53 },
  });
});

test('no contrast is rounded up to one that the colours do not have', () => {
  const part = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(part, part, part, (...rgb) => {
      const pairs = pairAccentColors(`#${rgb.map((each) => each.toString(16).padStart(2, '0')).join('')}`)!;
      for (const { background, text, contrast } of Object.values(pairs) as ColorPair[]) {
        expect(contrast).toBeLessThanOrEqual(contrastOf(background, text));
        expect(contrast).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test.each(['', 'red', '#fff', '#12345g', 'url(https://evil.example)', '#123456;'])('%p is no colour', (color) => {
  expect([deriveAccentColors(color), pairAccentColors(color)]).toEqual([null, null]);
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeContrast, deriveAccentColors, parseColor } from './contrast.js';

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

test.each(['', 'red', '#fff', '#12345g', 'url(https://evil.example)', '#123456;'])('%p is no colour', (color) => {
  expect(deriveAccentColors(color)).toBeNull();
});

import { describe, expect, test } from '@jest/globals';
import { listThemeStyles } from './frame-theme.js';

describe("the integrator's theme of the card fields", () => {
  test('colours fields, their names, hints and errors', () => {
    const theme = {
      primaryLabelTextColor: '#101820',
      inputFieldBackgroundColor: '#FFFFFF80',
      errorTextColor: '#b3261e',
    };
    expect(listThemeStyles(theme)).toEqual([
      ['--text', '#101820'],
      ['--alarm', '#b3261e'],
      ['--surface', '#FFFFFF80'],
    ]);
  });

  test.each([
    [true, 'light'],
    [false, 'dark'],
  ])('lightStyleForDefaultElements %s makes controls of the browser %s', (isLight, scheme) => {
    expect(listThemeStyles({ lightStyleForDefaultElements: isLight })).toEqual([['color-scheme', scheme]]);
  });

  test.each([
    ...['red', '#fff', '#12345', '#1234567', '#12345g', ' #123456', '#123456;', 'url(https://a.example)', '', null, 7],
    ...['#123456\n', 'var(--x)', 'expression(1)', { toString: () => '#123456' }, ['#123456'], true],
  ])('a colour %j is ignored', (value) => {
    expect(listThemeStyles({ errorTextColor: value })).toEqual([]);
  });

  test.each([
    [{ '--text': '#123456' }],
    [{ color: '#123456' }],
    [{ toString: '#123456' }],
    [{ lightStyleForDefaultElements: 'light' }],
  ])('a property %j is ignored', (properties) => {
    expect(listThemeStyles(properties)).toEqual([]);
  });
});

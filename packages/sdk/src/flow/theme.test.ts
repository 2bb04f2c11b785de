import { describe, expect, test } from '@jest/globals';
import { PosUsageError } from '../errors/errors.js';
import { readTheme, THEME_COLORS } from './theme.js';

describe('a theme', () => {
  test('may set every colour of the interface, and the style of default elements', () => {
    expect(THEME_COLORS).toHaveLength(20);
    const colors = Object.fromEntries(THEME_COLORS.map((name, index) => [name, `#1020${String(index + 10)}`]));
    const theme = { ...colors, lightStyleForDefaultElements: false };
    expect(readTheme(theme)).toEqual(theme);
    expect([readTheme(undefined), readTheme({ separatorColor: undefined })]).toEqual([
      {},
      { separatorColor: undefined },
    ]);
    expect(readTheme({ separatorColor: '#A0b1C2d3' })).toEqual({ separatorColor: '#A0b1C2d3' });
  });

  test.each<[unknown, string]>([
    [{ separatorColor: 'red' }, 'theme.separatorColor'],
    [{ separatorColor: '#fff' }, 'theme.separatorColor'],
    [{ separatorColor: '#12345g' }, 'theme.separatorColor'],
    [{ separatorColor: '#123456;color:red' }, 'theme.separatorColor'],
    [{ separatorColor: 'url(https://evil.example)' }, 'theme.separatorColor'],
    [{ separatorColor: 7 }, 'theme.separatorColor'],
    [{ separatorColor: null }, 'theme.separatorColor'],
    [{ primaryCTAButtonDisabledTextColor: '#123456' }, 'theme.primaryCTAButtonDisabledTextColor'],
    [{ toString: '#123456' }, 'theme.toString'],
    [{ lightStyleForDefaultElements: 'light' }, 'theme.lightStyleForDefaultElements'],
    ['dark', 'theme'],
    [null, 'theme'],
  ])('%j is refused, and the wrong property is named', (theme, name) => {
    expect(() => readTheme(theme)).toThrow(PosUsageError);
    expect(() => readTheme(theme)).toThrow(`${name} `);
  });
});

import { expect, test } from '@jest/globals';
import { resolveAccountSettings } from '../accounts/account.js';
import { type Branding, NO_BRANDING, resolveBranding } from './branding.js';

const PRODUCTION: Branding = {
  logoUrl: 'https://cdn.example/logo.svg',
  faviconUrl: null,
  accentColor: '#0b57d0',
  font: 'serif',
};

// oxfmt-ignore
test.each<[string, Partial<Branding>, Branding]>([
  ['tries nothing', {}, PRODUCTION],
  ['tries a colour', { accentColor: '#7a1f3d' }, { ...PRODUCTION, accentColor: '#7a1f3d' }],
  ['tries an icon that production does not have', { faviconUrl: 'https://cdn.example/i.png' }, { ...PRODUCTION, faviconUrl: 'https://cdn.example/i.png' }],
  ['tries another font and logo', { font: 'sans', logoUrl: 'https://cdn.example/new.svg' }, { ...PRODUCTION, font: 'sans', logoUrl: 'https://cdn.example/new.svg' }],
  ['had a colour and gave it up', { accentColor: null }, PRODUCTION],
])('a sandbox that %s shows the rest of production, and production shows none of it', (_, sandboxBranding, shown) => {
  const settings = resolveAccountSettings({ branding: PRODUCTION, sandboxBranding });
  expect(resolveBranding(settings, 'sandbox')).toEqual(shown);
  expect(resolveBranding(settings, 'production')).toEqual(PRODUCTION);
});

test('an account whose settings name no look of its sandbox has none', () => {
  const { sandboxBranding } = resolveAccountSettings({ branding: { font: 'serif' } });
  expect(sandboxBranding).toEqual(NO_BRANDING);
});

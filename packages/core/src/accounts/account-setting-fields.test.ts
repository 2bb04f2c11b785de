import { describe, expect, test } from '@jest/globals';
import { resolveAccountSettings } from './account.js';
import {
  ACCOUNT_SETTING_FIELDS,
  flattenSettings,
  mergeStoredSettings,
  readColumnSettings,
  requireSettingValues,
} from './account-setting-fields.js';
import { Refusal } from '../refusals/refusal.js';

const DEFAULTS = flattenSettings(resolveAccountSettings({}));

test('every stored setting has a field, and the default of each setting is a value that it accepts', () => {
  const columns = ['tradingName', 'merchantId', 'currencies', 'cardAttestationUntil'];
  expect(Object.keys(ACCOUNT_SETTING_FIELDS).sort()).toEqual([...columns, ...Object.keys(DEFAULTS)].sort());
  expect(requireSettingValues(DEFAULTS)).toEqual(DEFAULTS);
});

function findRefused(values: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    requireSettingValues(values);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return Object.keys(error.members);
    throw error;
  }
}

describe('a value of another form is refused by the name of its setting', () => {
  test.each<[string, readonly unknown[]]>([
    ['tradingName', [null, undefined, '', ' The Oyster Shed', 'two\nlines', 'x'.repeat(201), 7]],
    ['merchantId', [null, '', 5_265_670_01, 'm'.repeat(65)]],
    ['currencies', [null, 'GBP', [], ['gbp'], ['GBP', 'GBP'], ['GBP', 1], ['ABC'], ['XAU'], ['BGN']]],
    ['cardAttestationUntil', ['2027-01-31', new Date(Number.NaN), 0]],
    ['supportedPaymentMethods.cardSchemes', [null, [], ['visa'], 'VISA']],
    [
      'branding.logoUrl',
      ['', 'logo.svg', 'http://plain.example/l.svg', 'https://user@host/l.svg', 'javascript:alert(1)'],
    ],
    ['branding.accentColor', ['', 'red', '#fff', '#0b57d', '#0b57d00', '#0b57dg', 'url(https://a.example)', 7]],
    [
      'embeddingOrigins.sandbox',
      [
        ...[
          null,
          'https://shop.example',
          ['*'],
          ['http://shop.example'],
          ['https://shop.example', 'https://shop.example'],
        ],
        ...[[7], Array.from({ length: 21 }, (_, index) => `https://shop${index}.example`)],
      ],
    ],
    ['embeddingOrigins.production', [['http://localhost:3000'], ['https://shop.example/pay']]],
    ['branding.font', ['', 'Arial', 'Sans', 'serif;', 7]],
    ['sandboxBranding.logoUrl', ['', 'http://plain.example/l.svg']],
    ['sandboxBranding.faviconUrl', ['icon.png']],
    ['sandboxBranding.accentColor', ['red', '#fff']],
    ['sandboxBranding.font', ['', 'Arial']],
    ['sandboxBranding', [{ font: 'serif' }, null]],
    ['phoneNumber', ['', '0'.repeat(41), 207_946]],
    ['authorizedReversalWindowMs', [null, -1, 1.5, '7', Number.POSITIVE_INFINITY]],
    ['capturedReversalDays', [61, -1, null]],
    ['rateLimitPerSecond', [0, -5, 1_000_001]],
    ['hasSandboxEpos', [null, 1, 'true']],
    ['payAtTable.transport', [null, 'pigeon', 'AUTO']],
    ['payAtTable', [{ isEnabled: true }]],
    ['toString', ['x']],
    ['__proto__.polluted', [true]],
  ])('%s', (name, values) => {
    for (const value of values) expect([value, findRefused({ [name]: value })]).toEqual([value, [name]]);
  });

  test('all wrong ones are named at once', () => {
    expect(findRefused({ colour: 'red', site: '1 High Street', hasSandboxEpos: 'no' })).toEqual([
      'colour',
      'hasSandboxEpos',
    ]);
  });
});

test('a change of one member leaves its group and other settings as they are, and stores no columns', () => {
  const stored = { payAtTable: { isEnabled: false }, site: '1 High Street' };
  const values = { 'payAtTable.asksWaiterId': true, phoneNumber: null, currencies: ['EUR'] };
  expect(mergeStoredSettings(stored, values)).toEqual({
    payAtTable: { isEnabled: false, asksWaiterId: true },
    site: '1 High Street',
    phoneNumber: null,
  });
  expect(readColumnSettings(values)).toEqual({ currencies: ['EUR'] });
  const resolved = resolveAccountSettings({ branding: { logoUrl: 'https://a.example/l.svg' } });
  expect(resolved.branding).toEqual({
    ...{ logoUrl: 'https://a.example/l.svg', faviconUrl: null },
    ...{ accentColor: null, font: null },
  });
});

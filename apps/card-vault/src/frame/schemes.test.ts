import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { CARD_SCHEMES, SCHEMES } from '@pos/core/cards';
import { findScheme as findSchemeOfCore } from '@pos/core/testing';
import { findScheme } from './page/card-formats.js';

const FILE = new URL('../../src/frame/page/schemes.ts', import.meta.url);

test('the card fields, which import nothing, have the schemes of core; UPDATE_GOLDEN=1 rewrites them', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(FILE, renderSchemes());
  expect(readFileSync(FILE, 'utf8')).toBe(renderSchemes());
});

test.each([
  ...[
    '',
    '4',
    '41',
    '50',
    '56',
    '59',
    '6',
    '60',
    '601',
    '6011',
    '64',
    '643',
    '644',
    '649',
    '65',
    '66',
    '2',
    '22',
    '222',
  ],
  ...['2220', '2221', '2299', '23', '26', '27', '271', '2720', '2721', '3', '30', '305', '306', '309', '3094', '3095'],
  ...['34', '35', '36', '37', '38', '39', '1', '9'],
])('the card fields and core know the same scheme by "%s"', (digits) => {
  expect(findScheme(digits)?.name ?? null).toBe(findSchemeOfCore(digits));
});

function renderSchemes(): string {
  const rows = CARD_SCHEMES.map((name) => {
    const { prefix, groups, securityCodeLength } = SCHEMES[name];
    const members = [
      `name: '${name}'`,
      `prefix: ${prefix}`,
      `groups: [${groups.join(', ')}]`,
      `securityCodeLength: ${securityCodeLength}`,
    ];
    return `  {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`;
  });
  return `// Generated from the card schemes of core; UPDATE_GOLDEN=1 and the test beside this folder rewrite it.

export type SchemeName = ${CARD_SCHEMES.map((name) => `'${name}'`).join(' | ')};

/** What the card fields need to know of a scheme. */
export interface SchemeForm {
  readonly name: SchemeName;
  /** The first digits, also of a number that is still being typed. */
  readonly prefix: RegExp;
  /** Digits between the spaces, as on the card. */
  readonly groups: readonly number[];
  readonly securityCodeLength: 3 | 4;
}

export const SCHEMES: readonly SchemeForm[] = [
${rows.join('')}];
`;
}

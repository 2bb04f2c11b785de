import { ACCOUNT_SETTING_FIELDS } from '@pos/core/accounts';
import { BRAND_FONTS } from '@pos/core/branding';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';

const ADDRESS_LENGTH_MAX = 2_000;
const COLOR_LENGTH_MAX = 7;

/** The look of an account as its owner changes it. Each value has the rule of its setting. */
export const BrandingMembers = z.object({
  logoUrl: settingText('branding.logoUrl', ADDRESS_LENGTH_MAX)
    .nullable()
    .describe('The https address of the logo; null: none.'),
  faviconUrl: settingText('branding.faviconUrl', ADDRESS_LENGTH_MAX)
    .nullable()
    .describe('The https address of the icon of the browser tab; null: none.'),
  accentColor: settingText('branding.accentColor', COLOR_LENGTH_MAX)
    .nullable()
    .describe('The colour of the button, `#0b57d0`; null: that of the service.'),
  font: z.enum(BRAND_FONTS).nullable().describe('The kind of letters; null: the font of the system.'),
});

/** A text that the setting of this name accepts. */
function settingText(name: keyof typeof ACCOUNT_SETTING_FIELDS, lengthMax: number) {
  const { findProblem } = ACCOUNT_SETTING_FIELDS[name];
  return z
    .string()
    .check((subject) => {
      const problem = findProblem(subject.value);
      if (problem !== null) subject.issues.push({ code: 'custom', input: subject.value, message: `Must ${problem}.` });
    })
    .meta({ maxLength: lengthMax });
}

const ColorPair = z
  .object({
    background: z.string().describe('The colour below the text.'),
    text: z.string().describe('The colour of the text.'),
    contrast: z
      .number()
      .min(1)
      .max(21)
      .describe('The contrast of the two as WCAG 2.2 defines it, rounded down to two decimals; at least 4.5.'),
  })
  .meta({ id: 'ColorPair', examples: [{ background: '#0b57d0', text: '#ffffff', contrast: 6.38 }] });

const BrandingColors = z
  .object({
    button: ColorPair.describe('The button: black or white on `accentColor`.'),
    lightLink: ColorPair.describe('Links and outlines on light pages: `accentColor`, darkened until it can be read.'),
    darkLink: ColorPair.describe('Links and outlines on dark pages: `accentColor`, lightened until it can be read.'),
  })
  .meta({ id: 'BrandingColors' });

const BrandingView = z
  .object({
    ...BrandingMembers.shape,
    colors: BrandingColors.nullable().describe(
      'Read-only: the colours that the page derives from `accentColor`; null without one.',
    ),
  })
  .meta({
    id: 'Branding',
    examples: [
      {
        logoUrl: 'https://cdn.example/logo.svg',
        faviconUrl: null,
        accentColor: '#0b57d0',
        font: 'serif',
        colors: {
          button: { background: '#0b57d0', text: '#ffffff', contrast: 6.38 },
          lightLink: { background: '#ffffff', text: '#0b57d0', contrast: 6.38 },
          darkLink: { background: '#1b1f27', text: '#5489de', contrast: 4.72 },
        },
      },
    ],
  });
export type BrandingView = z.output<typeof BrandingView>;

const BrandingChange = BrandingMembers.partial().meta({
  id: 'BrandingChange',
  description:
    'A member that is not sent stays as it is. In production null removes it; in a sandbox null restores the value of production.',
  examples: [{ accentColor: '#0b57d0', font: 'serif' }],
});

const shared = { tag: 'Branding', version: 'required', path: '/branding', returns: BrandingView } as const;

export const getBranding = {
  ...shared,
  id: 'getBranding',
  method: 'GET',
  summary: 'Read the look of the payment page',
  description:
    'The look that payers of the environment see. A sandbox has that of production, except for what it changed.',
  permission: 'branding.read',
  idempotency: 'none',
  refusals: [],
} as const satisfies Operation;

export const changeBranding = {
  ...shared,
  id: 'changeBranding',
  method: 'PATCH',
  summary: 'Change the look of the payment page',
  description:
    'Changes the environment of the key only, so nothing that a sandbox tries is seen by payers of production. No role ' +
    'has the permission: a key has it by its name. Processes use the new look within two seconds.',
  permission: 'branding.write',
  idempotency: 'optional',
  body: BrandingChange,
  refusals: ['account_disabled'],
} as const satisfies Operation;

export const BRANDING_OPERATIONS = [getBranding, changeBranding] as const;

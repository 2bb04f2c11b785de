import type { Environment } from '../identity/identity.js';

/** Fonts that every device has, so that the payment page loads none. */
export const BRAND_FONTS = ['sans', 'humanist', 'geometric', 'rounded', 'serif'] as const;
export type BrandFont = (typeof BRAND_FONTS)[number];

/** The look of a merchant's pages for payers. Null where the merchant has chosen none. */
export interface Branding {
  readonly logoUrl: string | null;
  readonly faviconUrl: string | null;
  /** `#0b57d0`. */
  readonly accentColor: string | null;
  readonly font: BrandFont | null;
}

export const NO_BRANDING: Branding = { logoUrl: null, faviconUrl: null, accentColor: null, font: null };

/** The settings that contain a look. */
export interface BrandingSettings {
  readonly branding: Branding;
  /** What the sandbox has in place of members of `branding`; a member that is null is that of `branding`. */
  readonly sandboxBranding: Branding;
}

/** The setting that a change in each environment writes. Payers of production never see what a sandbox tries. */
export const BRANDING_SETTINGS = {
  sandbox: 'sandboxBranding',
  production: 'branding',
} as const satisfies Readonly<Record<Environment, keyof BrandingSettings>>;

/** The look that payers of the environment see. */
export function resolveBranding({ branding, sandboxBranding }: BrandingSettings, environment: Environment): Branding {
  if (environment === 'production') return branding;
  return {
    logoUrl: sandboxBranding.logoUrl ?? branding.logoUrl,
    faviconUrl: sandboxBranding.faviconUrl ?? branding.faviconUrl,
    accentColor: sandboxBranding.accentColor ?? branding.accentColor,
    font: sandboxBranding.font ?? branding.font,
  };
}

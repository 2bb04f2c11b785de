// The look of a merchant's payment pages: fonts, logo and accent colours with sufficient contrast.
export { BRAND_FONTS, type BrandFont, type Branding, BRANDING_SETTINGS, resolveBranding } from './branding.js';
export {
  type AccentColors,
  computeContrast,
  deriveAccentColors,
  pairAccentColors,
  parseColor,
  SURFACES,
} from './accent-colors.js';

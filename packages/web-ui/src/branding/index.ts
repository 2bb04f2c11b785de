// Font families that a merchant can choose for the payment pages.
export { BRAND_FONT_FAMILIES } from './brand-fonts.js';

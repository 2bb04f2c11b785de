import type { BrandFont } from '@pos/core/branding';

/** The families of the fonts that a merchant may choose. Devices have them, so that pages load none. */
export const BRAND_FONT_FAMILIES: Readonly<Record<BrandFont, string>> = {
  sans: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', sans-serif",
  geometric: "Avenir, Montserrat, Corbel, 'URW Gothic', sans-serif",
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Manjari, 'Arial Rounded MT', Calibri, sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif",
};

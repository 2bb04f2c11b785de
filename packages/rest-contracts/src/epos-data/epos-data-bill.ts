import { z } from 'zod';
import { EposOrder } from './epos-data-orders.js';

const align = z.enum(['Left', 'Center', 'Right']).optional();

/**
 * One line of a printed bill. Its member decides its kind, also where `lineType` disagrees; a line without a known
 * member is skipped. Printers wrap headers at 24 characters and body text at 32.
 */
const Line = z
  .object({
    lineType: z.string(),
    logo: z.object({ svgImage: z.string() }).optional(),
    image: z.object({ svgImage: z.string(), align }).optional(),
    merchantName: z.object({ name: z.string() }).optional(),
    merchantEmailAddress: z.object({ emailAddress: z.string() }).optional(),
    merchantPhoneNumber: z.object({ phoneNumber: z.string() }).optional(),
    merchantAddress: z.object({ addressLines: z.array(z.string()), postcode: z.string() }).optional(),
    text: z
      .object({ value: z.string(), size: z.enum(['Body', 'Header1', 'Header2']), align, bold: z.boolean().optional() })
      .optional(),
    horizontalLine: z.object({ line: z.enum(['Single', 'Double']) }).optional(),
    url: z
      .object({
        url: z.string(),
        description: z.string().optional(),
        showQR: z.boolean().optional(),
        showURL: z.boolean().optional(),
      })
      .optional(),
    taxNumber: z.object({ name: z.string(), number: z.string() }).optional(),
  })
  .meta({ id: 'EposBillLine' });
export type EposBillLine = z.output<typeof Line>;

const Section = z.object({ lines: z.array(Line) });

/** The printable bill of an order. */
export const EposBill = z.object({ header: Section, order: EposOrder, footer: Section }).meta({
  id: 'EposBill',
  examples: [
    {
      header: { lines: [{ lineType: 'MerchantName', merchantName: { name: 'The Blue Door' } }] },
      order: { id: '118', status: 'Accepted', details: { orderType: 'DineIn', dineIn: { tableId: 't-7' } } },
      footer: { lines: [{ lineType: 'HorizontalLine', horizontalLine: { line: 'Double' } }] },
    },
  ],
});
export type EposBill = z.output<typeof EposBill>;

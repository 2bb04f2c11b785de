import { z } from 'zod';
import { EposOrder } from './epos-data-orders.js';

const align = z.enum(['Left', 'Center', 'Right']).optional();

/**
 * One line of a printed bill. Its member decides its kind, also where `lineType` disagrees; a line without a known
 * member is skipped. Printers wrap headers at 24 characters and body text at 32.
 */
export const EposBillLine = z
  .object({
    lineType: z
      .string()
      .describe(
        'Kind of the line: `Logo`, `Image`, `MerchantName`, `MerchantEmailAddress`, `MerchantPhoneNumber`, `MerchantAddress`, `Text`, `HorizontalLine`, `URL` or `TaxNumber`.',
      ),
    logo: z
      .object({ svgImage: z.string().describe('The picture as SVG.') })
      .optional()
      .describe('Logo at the top of the bill.'),
    image: z
      .object({
        svgImage: z.string().describe('The picture as SVG.'),
        align: align.describe('Where the picture is placed on the line.'),
      })
      .optional()
      .describe('A picture.'),
    merchantName: z
      .object({ name: z.string().describe('The name to print.') })
      .optional()
      .describe('Name of the restaurant.'),
    merchantEmailAddress: z
      .object({ emailAddress: z.string().describe('The e-mail address to print.') })
      .optional()
      .describe('E-mail address of the restaurant.'),
    merchantPhoneNumber: z
      .object({ phoneNumber: z.string().describe('The phone number to print.') })
      .optional()
      .describe('Phone number of the restaurant.'),
    merchantAddress: z
      .object({
        addressLines: z.array(z.string()).describe('Lines of the address, from the top.'),
        postcode: z.string().describe('Postal code of the address.'),
      })
      .optional()
      .describe('Address of the restaurant.'),
    text: z
      .object({
        value: z.string().describe('The words; printers wrap headers at 24 characters and body text at 32.'),
        size: z.enum(['Body', 'Header1', 'Header2']).describe('Size of the letters.'),
        align: align.describe('Where the words are placed on the line.'),
        bold: z.boolean().optional().describe('True: print in bold.'),
      })
      .optional()
      .describe('Words to print.'),
    horizontalLine: z
      .object({ line: z.enum(['Single', 'Double']).describe('One line or two.') })
      .optional()
      .describe('A line across the paper.'),
    url: z
      .object({
        url: z.string().describe('The address itself.'),
        description: z.string().optional().describe('Text beside the address.'),
        showQR: z.boolean().optional().describe('True: print the address as a QR code.'),
        showURL: z.boolean().optional().describe('True: print the address as text.'),
      })
      .optional()
      .describe('An address for the customer.'),
    taxNumber: z
      .object({
        name: z.string().describe('Name of the number, such as “VAT no.”.'),
        number: z.string().describe('The number to print.'),
      })
      .optional()
      .describe('Tax number of the restaurant, at the bottom of the bill.'),
  })
  .meta({ id: 'EposBillLine' });
export type EposBillLine = z.output<typeof EposBillLine>;

const Section = z.object({
  lines: z.array(EposBillLine).describe('Lines from top to bottom; empty when there are none.'),
});

/** The printable bill of an order. */
export const EposBill = z
  .object({
    header: Section.describe('Lines above the order.'),
    order: EposOrder.describe('The order whose items are printed.'),
    footer: Section.describe('Lines below the order.'),
  })
  .meta({
    id: 'EposBill',
    examples: [
      {
        header: { lines: [{ lineType: 'MerchantName', merchantName: { name: 'The Blue Anchor' } }] },
        order: { id: '118', status: 'Accepted', details: { orderType: 'DineIn', dineIn: { tableId: 't-7' } } },
        footer: { lines: [{ lineType: 'HorizontalLine', horizontalLine: { line: 'Double' } }] },
      },
    ],
  });
export type EposBill = z.output<typeof EposBill>;

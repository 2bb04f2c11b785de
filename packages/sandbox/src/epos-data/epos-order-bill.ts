import type { EposBill, EposBillLine, EposOrder } from '@pos/rest-contracts/epos-data';

/** The printable bill of an order, the same as in the pay-at-table contract. */
export function printOrder(order: EposOrder, merchantName: string): EposBill {
  const { displayName = '', details } = order;
  const tableId = details.dineIn?.tableId;
  const placeText = tableId === undefined ? displayName : `Table ${tableId.replace(/^t-/, '')}, ${displayName}`;
  return {
    header: {
      lines: [
        { lineType: 'MerchantName', merchantName: { name: merchantName } },
        {
          lineType: 'MerchantAddress',
          merchantAddress: { addressLines: ['12 Harbour Street', 'Whitstable'], postcode: 'CT5 1AQ' },
        },
        { lineType: 'MerchantPhoneNumber', merchantPhoneNumber: { phoneNumber: '+44 1632 960001' } },
        { lineType: 'HorizontalLine', horizontalLine: { line: 'Double' } },
        createBillText(placeText, 'Header2'),
        { lineType: 'HorizontalLine', horizontalLine: { line: 'Single' } },
      ],
    },
    order,
    footer: {
      lines: [
        { lineType: 'HorizontalLine', horizontalLine: { line: 'Single' } },
        createBillText('Thank you, see you soon', 'Body'),
        {
          lineType: 'URL',
          url: {
            url: `https://restaurant.example/bills/${order.id ?? ''}`,
            ...{ description: 'Your bill online', showQR: true, showURL: false },
          },
        },
        { lineType: 'TaxNumber', taxNumber: { name: 'VAT', number: 'GB 000 0000 00' } },
      ],
    },
  };
}

function createBillText(value: string, size: 'Body' | 'Header2'): EposBillLine {
  return { lineType: 'Text', text: { value, size, align: 'Center', bold: size !== 'Body' } };
}

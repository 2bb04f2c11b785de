import {
  Align,
  HorizontalLine,
  ReceiptLineType,
  Size,
  type ReceiptLine,
  type ReceiptSection,
} from '@pos/grpc-contracts/tables';
import type { DiningSession } from '../restaurant/restaurant.js';

/** The lines above a bill. */
export function buildReceiptHeader(session: DiningSession, merchantName: string): ReceiptSection {
  const table = session.tableName === null ? session.name : `Table ${session.tableName}, ${session.name}`;
  return {
    receiptLines: [
      {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_NAME,
        line: { $case: 'receiptMerchantName', value: { merchantName } },
      },
      {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_ADDRESS,
        line: {
          $case: 'receiptMerchantAddress',
          value: { addressLines: ['12 Harbour Street', 'Whitstable'], postcode: 'CT5 1AQ' },
        },
      },
      {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_PHONE_NUMBER,
        line: { $case: 'receiptMerchantPhoneNumber', value: { phoneNumber: '+44 1632 960001' } },
      },
      {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_VAT_NUMBER,
        line: { $case: 'receiptVatNumber', value: { vatNumber: 'GB 000 0000 00' } },
      },
      createRulerLine(HorizontalLine.HORIZONTAL_LINE_DOUBLE),
      createTextLine(table, Size.SIZE_HEADER_2),
      createTextLine(`Served by ${session.waiter.name}`, Size.SIZE_BODY),
      createRulerLine(HorizontalLine.HORIZONTAL_LINE_SINGLE),
    ],
  };
}

/** The lines below a bill. */
export function buildReceiptFooter(session: DiningSession): ReceiptSection {
  return {
    receiptLines: [
      createRulerLine(HorizontalLine.HORIZONTAL_LINE_SINGLE),
      createTextLine('Thank you, see you soon', Size.SIZE_BODY),
      {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_URL,
        line: {
          $case: 'receiptUrl',
          value: {
            url: `https://restaurant.example/bills/${session.id}`,
            description: 'Your bill online',
            showQr: true,
            showUrl: false,
          },
        },
      },
    ],
  };
}

function createTextLine(value: string, size: Size): ReceiptLine {
  return {
    receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_TEXT,
    line: {
      $case: 'receiptText',
      value: { value, size, align: Align.ALIGN_CENTER, emphasisBold: size !== Size.SIZE_BODY },
    },
  };
}

function createRulerLine(type: HorizontalLine): ReceiptLine {
  return {
    receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_HORIZONTAL_LINE,
    line: { $case: 'receiptHorizontalLine', value: { type } },
  };
}

import { ReceiptLineType, type FullBill, type ReceiptUrl } from './gen/index.service.tables.v1.js';
import { fromJson } from './json-edge.js';
import { fullBill } from './tables-shapes.js';

/** A session with all its members, as it travels. */
export const SESSION = {
  id: '5f0e5d0e-8f4b-4a52-9d4e-0f3a9d4b7c11',
  name: 'Smith',
  tableName: '12',
  createdAt: '2026-03-01T19:05:00.000Z',
  isPayable: true,
  numberOfCovers: 2,
  waiter: { id: 42, name: 'Ann' },
};

/** A card payment with all its members, as it travels. */
export const PAYMENT = {
  id: 'c0a8012e-1111-4222-8333-444455556666',
  sessionId: SESSION.id,
  waiterId: 42,
  currency: 'GBP',
  baseAmount: 2500,
  gratuityAmount: 250,
  cashbackAmount: 0,
  paymentSuccessful: true,
  attemptedAt: '2026-03-01T20:00:00.123Z',
  methodDetails: {
    method: 'PAYMENT_METHOD_CARD_PRESENT',
    cardPresentPaymentStatus: 'CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL',
    cardPresentPaymentInfo: {
      authCode: '123456',
      entryMode: 'ENTRY_MODE_CONTACTLESS',
      card: {
        scheme: 'CARD_SCHEME_VISA',
        last4PAN: '1014',
        expiryDate: { month: 12, year: 2030 },
        fundingType: 'CARD_FUNDING_TYPE_DEBIT',
      },
      cardholderVerificationMethod: 'CARDHOLDER_VERIFICATION_METHOD_NONE',
      terminalId: '90000001',
      merchantId: '0001234',
      acquirerTransactionId: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20',
    },
  },
};

/** A bill with a modifier and a discount, as it travels. */
export const BILL = {
  totalAmount: 2500,
  paidAmount: 0,
  taxAmount: 417,
  serviceCharge: 0,
  currency: 'GBP',
  items: [
    {
      id: '1',
      name: 'Pie',
      category: [],
      quantity: 1,
      amountPerItem: 3000,
      lastOrderedAt: '2026-03-01T19:10:00.000Z',
      modifiers: [{ id: 'm', name: 'no peas', amountPerModifier: -50, quantity: 1 }],
    },
    {
      id: '2',
      name: 'Discount',
      category: [],
      quantity: 1,
      amountPerItem: -450,
      lastOrderedAt: '2026-03-01T19:10:00.000Z',
    },
  ],
  sessionId: SESSION.id,
};

/** A printed bill, as it travels. */
export const FULL_BILL = {
  header: {
    receiptLines: [
      { receiptLineType: 'RECEIPT_LINE_TYPE_LOGO', receiptLogo: { svgImage: '<svg/>' } },
      {
        receiptLineType: 'RECEIPT_LINE_TYPE_TEXT',
        receiptText: { value: 'Welcome', size: 'SIZE_HEADER_2', align: 'ALIGN_CENTER', emphasisBold: false },
      },
      {
        receiptLineType: 'RECEIPT_LINE_TYPE_HORIZONTAL_LINE',
        receiptHorizontalLine: { type: 'HORIZONTAL_LINE_DOUBLE' },
      },
    ],
  },
  billItems: BILL,
  footer: {
    receiptLines: [
      { receiptLineType: 'RECEIPT_LINE_TYPE_VAT_NUMBER', receiptVATNumber: { vatNumber: 'GB1' } },
      {
        receiptLineType: 'RECEIPT_LINE_TYPE_URL',
        receiptURL: { url: 'https://example.com', description: 'Rate us', showQR: true, showURL: false },
      },
    ],
  },
};

/** The printed bill with one line in its foot, as it travels. */
export function withFooter(line: unknown): unknown {
  return { billItems: BILL, footer: { receiptLines: [line] } };
}

/** The printed bill with a link in its foot, as a message. */
export function urlLine(members: Partial<ReceiptUrl>): FullBill {
  const { billItems } = fromJson(fullBill, { billItems: BILL });
  const value = { url: 'u', ...members };
  const receiptLineType = ReceiptLineType.RECEIPT_LINE_TYPE_URL;
  return {
    header: undefined,
    billItems,
    footer: { receiptLines: [{ receiptLineType, line: { $case: 'receiptUrl', value } }] },
  };
}

/** The payment with other details, as it travels. */
export function withDetails(members: object): unknown {
  return { ...PAYMENT, methodDetails: { ...PAYMENT.methodDetails, ...members } };
}

/** The payment with another card, as it travels. */
export function withCard(members: object): unknown {
  const { cardPresentPaymentInfo: info } = PAYMENT.methodDetails;
  return withDetails({ cardPresentPaymentInfo: { ...info, card: { ...info.card, ...members } } });
}

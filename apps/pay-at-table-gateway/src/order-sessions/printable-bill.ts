import {
  Align,
  type Bill,
  type FullBill,
  HorizontalLine,
  type ReceiptLine,
  ReceiptLineType,
  Size,
} from '@pos/grpc-contracts/tables';
import type { EposBill, EposBillLine } from '@pos/rest-contracts/epos-data';

/** A printable bill in the form of the pay-at-table contract. */
export function toFullBill({ header, footer }: Pick<EposBill, 'header' | 'footer'>, billItems: Bill): FullBill {
  return {
    billItems,
    header: { receiptLines: header.lines.flatMap(toReceiptLines) },
    footer: { receiptLines: footer.lines.flatMap(toReceiptLines) },
  };
}

type ReceiptLineContent = NonNullable<ReceiptLine['line']>;

function toReceiptLines(line: EposBillLine): ReceiptLine[] {
  const content = toMerchantLine(line) ?? toContentLine(line);
  return content === null ? [] : [{ receiptLineType: LINE_TYPES[content.$case], line: content }];
}

/** A line about the merchant. */
function toMerchantLine(line: EposBillLine): ReceiptLineContent | null {
  const { logo, image, merchantName, merchantEmailAddress, merchantPhoneNumber, merchantAddress } = line;
  if (logo !== undefined) return { $case: 'receiptLogo', value: logo };
  if (image !== undefined) {
    return { $case: 'receiptImage', value: { svgImage: image.svgImage, align: toAlignment(image.align) } };
  }
  if (merchantName !== undefined) {
    return { $case: 'receiptMerchantName', value: { merchantName: merchantName.name } };
  }
  if (merchantEmailAddress !== undefined) {
    return { $case: 'receiptMerchantEmailAddress', value: merchantEmailAddress };
  }
  if (merchantPhoneNumber !== undefined) {
    return { $case: 'receiptMerchantPhoneNumber', value: merchantPhoneNumber };
  }
  return merchantAddress === undefined ? null : { $case: 'receiptMerchantAddress', value: merchantAddress };
}

/** Any other line. */
function toContentLine({ text, horizontalLine, url, taxNumber }: EposBillLine): ReceiptLineContent | null {
  if (text !== undefined) {
    const { value, size, align, bold } = text;
    return {
      $case: 'receiptText',
      value: { value, size: BILL_TEXT_SIZES[size], align: toAlignment(align), emphasisBold: bold },
    };
  }
  if (horizontalLine !== undefined) {
    return { $case: 'receiptHorizontalLine', value: { type: HORIZONTAL_LINES[horizontalLine.line] } };
  }
  if (url !== undefined) {
    const { description, showQR, showURL } = url;
    return { $case: 'receiptUrl', value: { url: url.url, description, showQr: showQR, showUrl: showURL } };
  }
  return taxNumber === undefined ? null : { $case: 'receiptVatNumber', value: { vatNumber: taxNumber.number } };
}

const LINE_TYPES = {
  receiptLogo: ReceiptLineType.RECEIPT_LINE_TYPE_LOGO,
  receiptImage: ReceiptLineType.RECEIPT_LINE_TYPE_IMAGE,
  receiptMerchantName: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_NAME,
  receiptMerchantPhoneNumber: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_PHONE_NUMBER,
  receiptMerchantEmailAddress: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_EMAIL_ADDRESS,
  receiptMerchantAddress: ReceiptLineType.RECEIPT_LINE_TYPE_MERCHANT_ADDRESS,
  receiptText: ReceiptLineType.RECEIPT_LINE_TYPE_TEXT,
  receiptHorizontalLine: ReceiptLineType.RECEIPT_LINE_TYPE_HORIZONTAL_LINE,
  receiptUrl: ReceiptLineType.RECEIPT_LINE_TYPE_URL,
  receiptVatNumber: ReceiptLineType.RECEIPT_LINE_TYPE_VAT_NUMBER,
} as const satisfies Record<ReceiptLineContent['$case'], ReceiptLineType>;

const BILL_TEXT_SIZES = { Body: Size.SIZE_BODY, Header1: Size.SIZE_HEADER_1, Header2: Size.SIZE_HEADER_2 } as const;
const HORIZONTAL_LINES = {
  Single: HorizontalLine.HORIZONTAL_LINE_SINGLE,
  Double: HorizontalLine.HORIZONTAL_LINE_DOUBLE,
} as const;
const BILL_ALIGNMENTS = { Left: Align.ALIGN_LEFT, Center: Align.ALIGN_CENTER, Right: Align.ALIGN_RIGHT } as const;

function toAlignment(align: keyof typeof BILL_ALIGNMENTS | undefined): Align | undefined {
  return align === undefined ? undefined : BILL_ALIGNMENTS[align];
}

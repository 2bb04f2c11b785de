import type {
  Receipt,
  ReceiptAlign,
  ReceiptCopy,
  ReceiptLine as PrintedLine,
  ReceiptTextSize,
} from '@pos/core/receipts';
import { ReceiptCopy as WireCopy } from '@pos/grpc-contracts/gateway';
import {
  Align,
  HorizontalLine,
  type ReceiptLine,
  ReceiptLineType,
  type ReceiptSection,
  Size,
} from '@pos/grpc-contracts/tables';
import { sendReceipt } from '@pos/rest-contracts/payment-intents';
import { createParseRefusal } from '../devices/device-request.js';

/** A receipt in the form of a printed bill: devices print both in the same way. */
export function presentReceipt({ lines }: Receipt): ReceiptSection {
  return { receiptLines: lines.map(presentReceiptLine) };
}

/** The requested copy. */
export function readReceiptCopy(copy: WireCopy): ReceiptCopy {
  if (copy === WireCopy.RECEIPT_COPY_CUSTOMER) return 'customer';
  if (copy === WireCopy.RECEIPT_COPY_MERCHANT) return 'merchant';
  throw createParseRefusal('copy', 'must be the customer\u2019s or the merchant\u2019s');
}

/** E-mail addresses, with the rules of the payments API. */
export function readAddresses(emails: readonly string[]): readonly string[] {
  const reading = sendReceipt.body.safeParse({ emails });
  if (reading.success) return reading.data.emails;
  throw createParseRefusal('email_addresses', 'must be 1 to 10 plain e-mail addresses');
}

function presentReceiptLine({ lineType, text, imageLogo }: PrintedLine): ReceiptLine {
  switch (lineType) {
    case 'Text':
      return buildTextLine(text?.value ?? '', text);
    case 'NewLine':
      return buildTextLine('', undefined);
    case 'LogoImage':
      return {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_IMAGE,
        line: {
          $case: 'receiptImage',
          value: { svgImage: imageLogo?.value ?? '', align: imageLogo && RECEIPT_ALIGNMENTS[imageLogo.align] },
        },
      };
    case 'SingleLineSeperator':
      return buildRule(HorizontalLine.HORIZONTAL_LINE_SINGLE);
    case 'DoubleLineSeperator':
      return buildRule(HorizontalLine.HORIZONTAL_LINE_DOUBLE);
  }
}

function buildTextLine(value: string, textStyle: PrintedLine['text']): ReceiptLine {
  return {
    receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_TEXT,
    line: {
      $case: 'receiptText',
      value: {
        value,
        size: textStyle === undefined ? Size.SIZE_BODY : RECEIPT_TEXT_SIZES[textStyle.size],
        align: textStyle && RECEIPT_ALIGNMENTS[textStyle.align],
        emphasisBold: textStyle?.emphasisBold,
      },
    },
  };
}

function buildRule(type: HorizontalLine): ReceiptLine {
  return {
    receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_HORIZONTAL_LINE,
    line: { $case: 'receiptHorizontalLine', value: { type } },
  };
}

const RECEIPT_TEXT_SIZES = {
  SizeHeader1: Size.SIZE_HEADER_1,
  SizeHeader2: Size.SIZE_HEADER_2,
  SizeBody: Size.SIZE_BODY,
} as const satisfies Record<ReceiptTextSize, Size>;

const RECEIPT_ALIGNMENTS = {
  AlignLeft: Align.ALIGN_LEFT,
  AlignCenter: Align.ALIGN_CENTER,
  AlignRight: Align.ALIGN_RIGHT,
} as const satisfies Record<ReceiptAlign, Align>;

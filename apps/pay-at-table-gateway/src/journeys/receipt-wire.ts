import type {
  Receipt,
  ReceiptAlign,
  ReceiptCopy,
  ReceiptLine as PrintedLine,
  ReceiptTextSize,
} from '@pos/core/receipt';
import { ReceiptCopy as WireCopy } from '@pos/grpc-contracts/gateway';
import {
  Align,
  HorizontalLine,
  type ReceiptLine,
  ReceiptLineType,
  type ReceiptSection,
  Size,
} from '@pos/grpc-contracts/tables';
import { sendReceipt } from '@pos/rest-contracts/receipts';
import { unreadable } from '../devices/device-request.js';

/** A receipt in the words of a printed bill: a device prints both alike. */
export function presentReceipt({ lines }: Receipt): ReceiptSection {
  return { receiptLines: lines.map(presentLine) };
}

/** Whose copy is wanted. */
export function readReceiptCopy(copy: WireCopy): ReceiptCopy {
  if (copy === WireCopy.RECEIPT_COPY_CUSTOMER) return 'customer';
  if (copy === WireCopy.RECEIPT_COPY_MERCHANT) return 'merchant';
  throw unreadable('copy', 'must be the customer\u2019s or the merchant\u2019s');
}

/** Addresses as the payments API takes them. */
export function readAddresses(emails: readonly string[]): readonly string[] {
  const reading = sendReceipt.body.safeParse({ emails });
  if (reading.success) return reading.data.emails;
  throw unreadable('email_addresses', 'must be 1 to 10 plain e-mail addresses');
}

function presentLine({ lineType, text, imageLogo }: PrintedLine): ReceiptLine {
  switch (lineType) {
    case 'Text':
      return textLine(text?.value ?? '', text);
    case 'NewLine':
      return textLine('', undefined);
    case 'LogoImage':
      return {
        receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_IMAGE,
        line: {
          $case: 'receiptImage',
          value: { svgImage: imageLogo?.value ?? '', align: imageLogo && ALIGNS[imageLogo.align] },
        },
      };
    case 'SingleLineSeperator':
      return rule(HorizontalLine.HORIZONTAL_LINE_SINGLE);
    case 'DoubleLineSeperator':
      return rule(HorizontalLine.HORIZONTAL_LINE_DOUBLE);
  }
}

function textLine(value: string, look: PrintedLine['text']): ReceiptLine {
  return {
    receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_TEXT,
    line: {
      $case: 'receiptText',
      value: {
        value,
        size: look === undefined ? Size.SIZE_BODY : SIZES[look.size],
        align: look && ALIGNS[look.align],
        emphasisBold: look?.emphasisBold,
      },
    },
  };
}

function rule(type: HorizontalLine): ReceiptLine {
  return {
    receiptLineType: ReceiptLineType.RECEIPT_LINE_TYPE_HORIZONTAL_LINE,
    line: { $case: 'receiptHorizontalLine', value: { type } },
  };
}

const SIZES = {
  SizeHeader1: Size.SIZE_HEADER_1,
  SizeHeader2: Size.SIZE_HEADER_2,
  SizeBody: Size.SIZE_BODY,
} as const satisfies Record<ReceiptTextSize, Size>;

const ALIGNS = {
  AlignLeft: Align.ALIGN_LEFT,
  AlignCenter: Align.ALIGN_CENTER,
  AlignRight: Align.ALIGN_RIGHT,
} as const satisfies Record<ReceiptAlign, Align>;

import {
  Align,
  HorizontalLine,
  ReceiptLineType,
  Size,
  type ReceiptHorizontalLine,
  type ReceiptImage,
  type ReceiptLine,
  type ReceiptLogo,
  type ReceiptMerchantAddress,
  type ReceiptMerchantEmailAddress,
  type ReceiptMerchantName,
  type ReceiptMerchantPhoneNumber,
  type ReceiptSection,
  type ReceiptText,
  type ReceiptUrl,
  type ReceiptVatNumber,
} from './gen/service/tables/v1/receipt.js';
import { enumeration, flag, JsonEdgeError, list, text } from './json-kind.js';
import { oneof, optional, required, requiredEnum } from './json-member.js';
import { shape, type JsonShape } from './json-shape.js';

type Line = NonNullable<ReceiptLine['line']>;

const align = enumeration(Align);

const line = oneof<Line>({
  receiptLogo: { kind: shape<ReceiptLogo>('ReceiptLogo', { svgImage: required(text) }) },
  receiptImage: {
    kind: shape<ReceiptImage>('ReceiptImage', { svgImage: required(text), align: optional(align) }),
  },
  receiptMerchantName: {
    kind: shape<ReceiptMerchantName>('ReceiptMerchantName', { merchantName: required(text) }),
  },
  receiptMerchantPhoneNumber: {
    kind: shape<ReceiptMerchantPhoneNumber>('ReceiptMerchantPhoneNumber', { phoneNumber: required(text) }),
  },
  receiptMerchantEmailAddress: {
    kind: shape<ReceiptMerchantEmailAddress>('ReceiptMerchantEmailAddress', { emailAddress: required(text) }),
  },
  receiptMerchantAddress: {
    kind: shape<ReceiptMerchantAddress>('ReceiptMerchantAddress', {
      addressLines: required(list(text)),
      postcode: required(text),
    }),
  },
  receiptText: {
    kind: shape<ReceiptText>('ReceiptText', {
      value: required(text),
      size: requiredEnum(enumeration(Size), Size.SIZE_UNSPECIFIED),
      align: optional(align),
      emphasisBold: optional(flag),
    }),
  },
  receiptHorizontalLine: {
    kind: shape<ReceiptHorizontalLine>('ReceiptHorizontalLine', {
      type: requiredEnum(enumeration(HorizontalLine), HorizontalLine.HORIZONTAL_LINE_UNSPECIFIED),
    }),
  },
  receiptUrl: {
    kind: shape<ReceiptUrl>('ReceiptUrl', {
      url: required(text),
      description: optional(text),
      showQr: optional(flag, { as: 'showQR' }),
      showUrl: optional(flag, { as: 'showURL' }),
    }),
    spelling: { as: 'receiptURL' },
  },
  receiptVatNumber: {
    kind: shape<ReceiptVatNumber>('ReceiptVatNumber', { vatNumber: required(text) }),
    spelling: { as: 'receiptVATNumber' },
  },
});

/** The type that goes with each member. */
const TYPE_OF = {
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
} as const satisfies Record<Line['$case'], ReceiptLineType>;

const LINE_TYPES: ReadonlySet<string> = new Set(Object.values(TYPE_OF));

/** A line as it is read: its member decides, not its type. */
interface DraftLine {
  receiptLineType: string | undefined;
  line: Line | undefined;
}

const draftLine = shape<DraftLine>('ReceiptLine', { receiptLineType: optional(text), line });

/**
 * One line. The type is written from the member and, on reading, replaced by it. A line of a type that is not known,
 * with no member that is, is dropped: it must not cost the whole bill.
 */
export const receiptLine: JsonShape<ReceiptLine> = {
  name: 'ReceiptLine',
  read(json, at) {
    const draft = draftLine.read(json, at);
    if (draft?.line !== undefined) return { receiptLineType: TYPE_OF[draft.line.$case], line: draft.line };
    const type = draft?.receiptLineType;
    if (type === undefined) throw new JsonEdgeError(at, 'has neither a type nor a member');
    if (LINE_TYPES.has(type)) throw new JsonEdgeError(at, `has no member for ${type}`);
    return undefined;
  },
  write(message, at) {
    if (message.line === undefined) throw new JsonEdgeError(at, 'has no member');
    const json = { receiptLineType: TYPE_OF[message.line.$case] };
    line.write(message.line, { json, key: 'line', at });
    return json;
  },
};

/** The head or foot of a printed bill. */
export const receiptSection: JsonShape<ReceiptSection> = shape<ReceiptSection>('ReceiptSection', {
  receiptLines: required(list(receiptLine)),
});

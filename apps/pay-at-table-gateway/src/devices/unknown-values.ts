import {
  CardFundingType,
  CardholderVerificationMethod,
  CardPresentPaymentStatus,
  CardScheme,
  EntryMode,
  HorizontalLine,
  PaymentMethod,
  type ReceiptLine,
  ReceiptLineType,
  RemotePaymentStatus,
  RemoteVerificationMethod,
  Size,
  TableStatus,
} from '@pos/grpc-contracts/tables';

/** The members of TablesService with a value of a list, and what a value that we do not know becomes; undefined: absent. */
const UNKNOWN_VALUES: ReadonlyMap<string, string | undefined> = new Map<string, string | undefined>([
  ['status', TableStatus.TABLE_STATUS_UNSPECIFIED],
  ['statuses', TableStatus.TABLE_STATUS_UNSPECIFIED],
  ['size', Size.SIZE_UNSPECIFIED],
  ['align', undefined],
  ['type', HorizontalLine.HORIZONTAL_LINE_UNSPECIFIED],
  ['method', PaymentMethod.PAYMENT_METHOD_UNSPECIFIED],
  ['cardPresentPaymentStatus', CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_UNKNOWN],
  ['remotePaymentStatus', RemotePaymentStatus.REMOTE_PAYMENT_STATUS_UNKNOWN],
  ['remoteVerificationMethod', RemoteVerificationMethod.REMOTE_VERIFICATION_METHOD_UNKNOWN],
  ['entryMode', EntryMode.ENTRY_MODE_UNKNOWN],
  ['cardholderVerificationMethod', CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_UNKNOWN],
  ['scheme', CardScheme.CARD_SCHEME_UNKNOWN],
  ['fundingType', CardFundingType.CARD_FUNDING_TYPE_UNKNOWN],
]);

/** What the generated decoder makes of a number that no value has. It would be encoded as -1. */
const UNRECOGNIZED = 'UNRECOGNIZED';

/**
 * Replaces values of a newer or a strange contract by UNKNOWN, or by the unspecified value where there is no UNKNOWN. Both
 * sides then read the same over gRPC as over JSON, which has names and no numbers.
 */
export function replaceUnknownValues<Message extends object>(message: Message): Message;
export function replaceUnknownValues(message: object): object {
  return replaceWithin(message, '') as object;
}

/** Copies only what changes: a bill has a thousand items and seldom such a value. */
function replaceWithin(value: unknown, member: string): unknown {
  if (value === UNRECOGNIZED && UNKNOWN_VALUES.has(member)) return UNKNOWN_VALUES.get(member);
  if (Array.isArray(value)) return replaceWithinList(value, member);
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  const entries = Object.entries(value as object);
  const replaced = entries.map(([name, each]) => [name, replaceWithin(each, name)] as const);
  return replaced.every(([, each], index) => each === entries[index]?.[1]) ? value : Object.fromEntries(replaced);
}

function replaceWithinList(list: readonly unknown[], member: string): readonly unknown[] {
  // Devices print a receipt line by the member that is set, so a line of an unknown type gets the type of its member.
  const known = member === 'receiptLines' ? list.flatMap(readReceiptLine) : list;
  const replaced = known.map((element) => replaceWithin(element, member));
  return replaced.length === list.length && replaced.every((element, index) => element === list[index])
    ? list
    : replaced;
}

/** The line with the type of its member; none if neither its type nor its member is known. */
function readReceiptLine(line: unknown): unknown[] {
  const { receiptLineType, line: content } = line as ReceiptLine;
  if (receiptLineType !== ReceiptLineType.UNRECOGNIZED) return [line];
  return content === undefined ? [] : [{ receiptLineType: LINE_TYPES[content.$case], line: content }];
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
} as const satisfies Record<NonNullable<ReceiptLine['line']>['$case'], ReceiptLineType>;

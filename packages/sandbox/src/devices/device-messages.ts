import type { Journey, JourneyPayment, JourneyPaymentState } from '@pos/grpc-contracts/gateway';
import {
  Align,
  type Bill,
  HorizontalLine,
  type ReceiptLine,
  type ReceiptSection,
  type Session,
  Size,
} from '@pos/grpc-contracts/tables';
import type { BillView, ReceiptView, TablePaymentView, TableView } from '@pos/rest-contracts/sandbox';

/** A session as a page lists it. */
export function presentTableView({ id, name, tableName, numberOfCovers, waiter }: Session): TableView {
  return {
    ...{ sessionId: id, name },
    ...(tableName !== undefined && { tableName }),
    ...(numberOfCovers !== undefined && { covers: numberOfCovers }),
    ...(waiter?.name !== undefined && { waiter: waiter.name }),
  };
}

export function presentBillView(bill: Bill): BillView {
  const { sessionId, currency, totalAmount, paidAmount, serviceCharge, items } = bill;
  return {
    ...{ sessionId, currency, total: Number(totalAmount), paid: Number(paidAmount) },
    // Nothing is left to pay on an overpaid bill.
    outstanding: Math.max(0, Number(totalAmount - paidAmount)),
    ...(serviceCharge !== undefined && { serviceCharge: Number(serviceCharge) }),
    items: items.map(({ id, name, quantity, amountPerItem, modifiers }) => {
      const extras = modifiers.reduce((sum, each) => sum + each.amountPerModifier * BigInt(each.quantity), 0n);
      return {
        ...{ id, name, quantity },
        amount: Number((amountPerItem + extras) * BigInt(quantity)),
        extras: modifiers.map((each) => each.name),
      };
    }),
  };
}

const STATES: Readonly<Record<JourneyPaymentState, TablePaymentView['state']>> = {
  JOURNEY_PAYMENT_STATE_UNSPECIFIED: 'started',
  JOURNEY_PAYMENT_STATE_STARTED: 'started',
  JOURNEY_PAYMENT_STATE_APPROVED: 'approved',
  JOURNEY_PAYMENT_STATE_RECORDING: 'recording',
  JOURNEY_PAYMENT_STATE_RECORD_UNKNOWN: 'recording',
  JOURNEY_PAYMENT_STATE_RECORDED: 'recorded',
  JOURNEY_PAYMENT_STATE_REFUSED: 'givingBack',
  JOURNEY_PAYMENT_STATE_GIVING_BACK: 'givingBack',
  JOURNEY_PAYMENT_STATE_GIVEN_BACK: 'givenBack',
  JOURNEY_PAYMENT_STATE_ENDED: 'ended',
  JOURNEY_PAYMENT_STATE_NEEDS_OPERATOR: 'needsOperator',
  UNRECOGNIZED: 'started',
};

export function presentPayment(journey: Journey, payment: JourneyPayment): TablePaymentView {
  const { terminalSessionStatus, paymentLink, detail, paymentId } = payment;
  return {
    ...{ paymentId, sessionId: journey.sessionId, currency: journey.currency, detail },
    state: STATES[payment.state],
    baseAmount: Number(payment.baseAmount),
    gratuityAmount: Number(payment.gratuityAmount),
    outstanding: Number(journey.outstanding),
    ...(terminalSessionStatus !== undefined && { terminalSessionStatus }),
    ...(paymentLink !== undefined && { paymentLink }),
  };
}

/** The text of a receipt; logos and images are left out. */
export function presentReceipt({ receiptLines }: ReceiptSection): ReceiptView {
  return { lines: receiptLines.flatMap((line) => presentLine(line) ?? []) };
}

type LineView = ReceiptView['lines'][number];

function presentLine({ line }: ReceiptLine): LineView | null {
  switch (line?.$case) {
    case 'receiptMerchantName':
      return { kind: 'text', text: line.value.merchantName, align: 'center', isLarge: true, isBold: true };
    case 'receiptMerchantPhoneNumber':
      return { kind: 'text', text: line.value.phoneNumber, align: 'center' };
    case 'receiptMerchantEmailAddress':
      return { kind: 'text', text: line.value.emailAddress, align: 'center' };
    case 'receiptMerchantAddress':
      return { kind: 'text', text: [...line.value.addressLines, line.value.postcode].join(', '), align: 'center' };
    case 'receiptText':
      return presentText(line.value);
    case 'receiptHorizontalLine':
      return line.value.type === HorizontalLine.HORIZONTAL_LINE_UNSPECIFIED ? { kind: 'space' } : { kind: 'rule' };
    case 'receiptVatNumber':
      return { kind: 'text', text: line.value.vatNumber, align: 'center' };
    case 'receiptUrl':
      return { kind: 'text', text: line.value.url, align: 'center' };
    case 'receiptLogo':
    case 'receiptImage':
    case undefined:
      return null;
  }
}

function presentText(line: {
  value: string;
  size: Size;
  align?: Align | undefined;
  emphasisBold?: boolean | undefined;
}): LineView {
  if (line.value === '') return { kind: 'space' };
  return {
    ...{ kind: 'text', text: line.value },
    ...(line.size === Size.SIZE_HEADER_1 && { isLarge: true }),
    ...(line.emphasisBold === true && { isBold: true }),
    align: line.align === Align.ALIGN_RIGHT ? 'right' : line.align === Align.ALIGN_CENTER ? 'center' : 'left',
  };
}

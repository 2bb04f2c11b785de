import {
  PaymentMethod,
  RequestorType,
  TableStatus,
  TablesErrorCode,
  type Bill as BillMessage,
  type Payment,
  type RequestorInfo,
  type Session,
  type Table,
  type TablesError,
} from '@pos/grpc-contracts/tables';
import type { Bill, EposErrorCode } from '@pos/core/tables';
import { money, type Money } from '@pos/core/money';
import { EposRefusal, type RecordPaymentRequest } from './reference-epos.js';
import type { LockRequestor } from './epos-locks.js';
import {
  isPayable,
  type DiningSession,
  type RestaurantTable,
  type TableStatus as Status,
} from '../restaurant/restaurant.js';

const TABLE_STATUSES = {
  Available: TableStatus.TABLE_STATUS_AVAILABLE,
  PendingAvailable: TableStatus.TABLE_STATUS_PENDING_AVAILABLE,
  Occupied: TableStatus.TABLE_STATUS_OCCUPIED,
  NotInUse: TableStatus.TABLE_STATUS_NOT_IN_USE,
} as const satisfies Record<Status, TableStatus>;

const STATUSES_FROM_PROTO = {
  TABLE_STATUS_AVAILABLE: 'Available',
  TABLE_STATUS_PENDING_AVAILABLE: 'PendingAvailable',
  TABLE_STATUS_OCCUPIED: 'Occupied',
  TABLE_STATUS_NOT_IN_USE: 'NotInUse',
  TABLE_STATUS_UNSPECIFIED: null,
  UNRECOGNIZED: null,
} as const satisfies Record<TableStatus, Status | null>;

const PAYMENT_METHODS = {
  PAYMENT_METHOD_CARD_PRESENT: 'cardPresent',
  PAYMENT_METHOD_REMOTE: 'remote',
  PAYMENT_METHOD_UNSPECIFIED: null,
  UNRECOGNIZED: null,
} as const satisfies Record<PaymentMethod, RecordPaymentRequest['method'] | null>;

const ERROR_CODES = {
  SESSION_NO_SUCH_SESSION: TablesErrorCode.SESSION_NO_SUCH_SESSION,
  TABLE_NO_SUCH_TABLE: TablesErrorCode.TABLE_NO_SUCH_TABLE,
  BILL_NO_SUCH_BILL: TablesErrorCode.BILL_NO_SUCH_BILL,
  SESSION_ALREADY_LOCKED: TablesErrorCode.SESSION_ALREADY_LOCKED,
  SESSION_NOT_LOCKED: TablesErrorCode.SESSION_NOT_LOCKED,
  SESSION_UNABLE_TO_UNLOCK: TablesErrorCode.SESSION_UNABLE_TO_UNLOCK,
  PAYMENT_ALREADY_RECORDED: TablesErrorCode.PAYMENT_ALREADY_RECORDED,
  PAYMENT_NOT_RECORDED: TablesErrorCode.PAYMENT_NOT_RECORDED,
  WAITER_INCORRECT_WAITER_ID: TablesErrorCode.WAITER_INCORRECT_WAITER_ID,
  ERROR_PARSE_ERROR: TablesErrorCode.ERROR_PARSE_ERROR,
  ERROR_INTERNAL_POS_ERROR: TablesErrorCode.ERROR_INTERNAL_POS_ERROR,
} as const satisfies Record<EposErrorCode, TablesErrorCode>;

export function presentTablesError(code: EposErrorCode, reason: string): TablesError {
  return { errorCode: ERROR_CODES[code], errorReason: reason };
}

export function presentSession(session: DiningSession): Session {
  const { id, name, tableName, createdAt, finishedAt, covers, waiter } = session;
  return {
    ...{ id, name, createdAt },
    tableName: tableName ?? undefined,
    finishedAt: finishedAt ?? undefined,
    isPayable: isPayable(session),
    numberOfCovers: covers,
    waiter: { id: waiter.id, name: waiter.name },
  };
}

export function presentTable({ name, maxCovers, status }: RestaurantTable): Table {
  return { name, maxCovers, status: TABLE_STATUSES[status] };
}

export function presentBill(bill: Bill): BillMessage {
  return {
    sessionId: bill.sessionId,
    totalAmount: toMinorUnits(bill.total),
    paidAmount: toMinorUnits(bill.paid),
    taxAmount: toMinorUnits(bill.tax),
    serviceCharge: bill.serviceCharge === null ? undefined : toMinorUnits(bill.serviceCharge),
    currency: bill.total.currencyCode,
    note: bill.note ?? undefined,
    items: bill.items.map(({ id, name, category, quantity, amountPerItem, lastOrderedAt, modifiers, ...weight }) => ({
      ...{ id, name, category: [...category], quantity, amountPerItem: toMinorUnits(amountPerItem), ...weight },
      lastOrderedAt: lastOrderedAt ?? undefined,
      modifiers: modifiers.map((modifier) => ({
        id: modifier.id,
        name: modifier.name,
        quantity: modifier.quantity,
        amountPerModifier: toMinorUnits(modifier.amountPerModifier),
      })),
    })),
  };
}

export function readTableStatuses(statuses: readonly TableStatus[]): Status[] {
  return statuses.flatMap((status) => STATUSES_FROM_PROTO[status] ?? []);
}

/** Reads the caller. A call without a requestor type is a parse error. */
export function readRequestor(message: RequestorInfo | undefined): LockRequestor {
  if (message?.requestorType === RequestorType.REQUESTOR_TYPE_CARD_MACHINE) {
    const machine = message.requestor?.$case === 'cardMachineRequestorInfo' ? message.requestor.value : null;
    return {
      kind: 'cardMachine',
      terminalId: machine?.terminalId ?? null,
      waiterId: machine?.waiterId ?? null,
    };
  }
  if (message?.requestorType === RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE) {
    return { kind: 'consumerDevice', terminalId: null, waiterId: null };
  }
  throw createParseRefusal('requestorInfo.requestorType', message?.requestorType);
}

/** The refusal of an enum value that is unspecified or only in a newer contract. */
function createParseRefusal(path: string, value: string | undefined): EposRefusal {
  return new EposRefusal('ERROR_PARSE_ERROR', `${path} is ${value === 'UNRECOGNIZED' ? 'unknown' : 'missing'}`);
}

/** Reads a payment. One with missing or impossible members is a parse error. */
export function readPayment(message: Payment | undefined): RecordPaymentRequest {
  const method = PAYMENT_METHODS[message?.methodDetails?.method ?? PaymentMethod.PAYMENT_METHOD_UNSPECIFIED];
  if (message === undefined) throw new EposRefusal('ERROR_PARSE_ERROR', 'payment is missing');
  if (!UUID.test(message.id)) throw new EposRefusal('ERROR_PARSE_ERROR', 'payment.id is not a UUID');
  if (method === null) throw createParseRefusal('payment.methodDetails.method', message.methodDetails?.method);
  if (message.attemptedAt === undefined) {
    throw new EposRefusal('ERROR_PARSE_ERROR', 'payment.attemptedAt is missing');
  }
  const { currency, methodDetails } = message;
  const amount = (name: 'baseAmount' | 'gratuityAmount' | 'cashbackAmount'): Money => {
    const value = Number(message[name]);
    const isReadable = Number.isSafeInteger(value) && value >= 0 && /^[A-Z]{3}$/.test(currency);
    if (!isReadable) throw new EposRefusal('ERROR_PARSE_ERROR', `payment.${name} or currency cannot be read`);
    return money(value, currency);
  };
  return {
    id: message.id.toLowerCase(),
    sessionId: message.sessionId.toLowerCase(),
    base: amount('baseAmount'),
    gratuity: amount('gratuityAmount'),
    cashback: amount('cashbackAmount'),
    isSuccessful: message.paymentSuccessful,
    attemptedAt: message.attemptedAt,
    method,
    acquirerTransactionId:
      methodDetails?.cardPresentPaymentInfo?.acquirerTransactionId ??
      methodDetails?.remotePaymentInfo?.acquirerTransactionId ??
      '',
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function toMinorUnits({ value }: Money): bigint {
  return BigInt(value);
}

import type { Bill, BillItem, BillItemModifier, FullBill } from './gen/service/tables/v1/bill.js';
import { TablesErrorCode, type ErrorNotification, type TablesError } from './gen/service/tables/v1/error.js';
import {
  RequestorType,
  type CardMachineRequestorInfo,
  type ConsumerDeviceRequestorInfo,
  type RequestorInfo,
} from './gen/service/tables/v1/requestor.js';
import type { Session, Waiter } from './gen/service/tables/v1/session.js';
import { TableStatus, type Table } from './gen/service/tables/v1/table.js';
import { closedEnumeration, enumeration, flag, int32, int64, list, text, time, waiterNumberKind } from './json-kind.js';
import { lenient, oneof, optional, optionalList, required, requiredEnum, requiredMessage } from './json-member.js';
import { shape, type JsonShape } from './json-shape.js';
import { receiptSection } from './receipt-shapes.js';

const waiter = shape<Waiter>('Waiter', { id: required(waiterNumberKind), name: optional(text) });

/** A party with a bill. */
export const session: JsonShape<Session> = shape<Session>('Session', {
  id: required(text),
  name: required(text),
  tableName: optional(text),
  createdAt: requiredMessage(time),
  finishedAt: optional(time),
  isPayable: required(flag),
  numberOfCovers: optional(int32),
  waiter: optional(waiter),
});

const tableStatus = enumeration(TableStatus);

/** A place where a party sits. */
export const table: JsonShape<Table> = shape<Table>('Table', {
  name: required(text),
  maxCovers: required(int32),
  status: requiredEnum(tableStatus, TableStatus.TABLE_STATUS_UNSPECIFIED),
});

/** The statuses a list of tables is filtered by. */
export const tableStatuses = optionalList(list(tableStatus));

const billItemModifier = shape<BillItemModifier>('BillItemModifier', {
  id: required(text),
  name: required(text),
  amountPerModifier: required(int64, { or: ['amountPerItem'] }),
  quantity: required(int32),
});

const billItem = shape<BillItem>('BillItem', {
  id: required(text),
  name: required(text),
  category: required(list(text)),
  quantity: required(int32),
  amountPerItem: required(int64),
  lastOrderedAt: requiredMessage(time),
  modifiers: optionalList(list(billItemModifier)),
  quantityThousandths: optional(int32),
});

/** What a session owes. */
export const bill: JsonShape<Bill> = shape<Bill>('Bill', {
  totalAmount: required(int64),
  paidAmount: required(int64),
  taxAmount: required(int64),
  serviceCharge: optional(int64),
  currency: required(text),
  items: required(list(billItem)),
  note: optional(text),
  sessionId: required(text),
});

/** A bill as it is printed. */
export const fullBill: JsonShape<FullBill> = shape<FullBill>('FullBill', {
  header: optional(receiptSection),
  billItems: requiredMessage(bill),
  footer: optional(receiptSection),
});

/** Who asks; the member must be of the kind that the type says. */
export const requestorInfo: JsonShape<RequestorInfo> = shape<RequestorInfo>(
  'RequestorInfo',
  {
    requestorType: required(closedEnumeration(RequestorType)),
    requestor: oneof<NonNullable<RequestorInfo['requestor']>>({
      cardMachineRequestorInfo: {
        kind: shape<CardMachineRequestorInfo>('CardMachineRequestorInfo', {
          terminalId: optional(text),
          waiterId: optional(waiterNumberKind),
        }),
      },
      consumerDeviceRequestorInfo: {
        kind: shape<ConsumerDeviceRequestorInfo>('ConsumerDeviceRequestorInfo', {}),
      },
    }),
  },
  ({ requestorType, requestor }) =>
    requestor === undefined || requestor.$case === REQUESTOR_OF[requestorType]
      ? null
      : `has ${requestor.$case} with ${requestorType}`,
);

const REQUESTOR_OF = {
  REQUESTOR_TYPE_UNSPECIFIED: null,
  REQUESTOR_TYPE_CARD_MACHINE: 'cardMachineRequestorInfo',
  REQUESTOR_TYPE_CONSUMER_DEVICE: 'consumerDeviceRequestorInfo',
  UNRECOGNIZED: null,
} as const satisfies Record<RequestorType, NonNullable<RequestorInfo['requestor']>['$case'] | null>;

// A code that is not known is still a refusal: "anything else".
const errorCode = enumeration(TablesErrorCode, TablesErrorCode.ERROR_INTERNAL_POS_ERROR);

/** A refusal. */
export const tablesError: JsonShape<TablesError> = shape<TablesError>('TablesError', {
  errorCode: required(errorCode),
  errorReason: lenient(text, ''),
});

/** Sent to an EPOS whose message could not be read. */
export const errorNotification: JsonShape<ErrorNotification> = shape<ErrorNotification>('ErrorNotification', {
  id: required(text),
  errorCode: required(errorCode),
  errorReason: required(text),
});

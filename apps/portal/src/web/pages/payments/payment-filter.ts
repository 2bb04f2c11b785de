import { addDays, toZonedMoment } from '@pos/core/time';
import { readText } from '../../components/page-search.js';
import type { PaymentAnswer } from '../../client/answers.js';

export type PaymentStatus = PaymentAnswer['status'];

export const PAYMENT_STATUSES = [
  'Created',
  'Authorized',
  'Captured',
  'Reversed',
  'Refunded',
  'Canceled',
] as const satisfies readonly PaymentStatus[];

/** Which payments are listed: the part of the address after `?`, so that a list can be sent to a colleague. */
export interface PaymentFilter {
  readonly status?: PaymentStatus;
  /** Days as `yyyy-mm-dd`, both inclusive, by the calendar of the account. */
  readonly from?: string;
  readonly to?: string;
  readonly before?: string;
  readonly after?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export const PaymentFilter = {
  /** What cannot be read is left out: an address is typed by people. */
  parse(search: Readonly<Record<string, unknown>>): PaymentFilter {
    const status = PAYMENT_STATUSES.find((each) => each === search['status']);
    const [from, to] = [readDay(search['from']), readDay(search['to'])];
    const [before, after] = [readText(search['before']), readText(search['after'])];
    return {
      ...(status !== undefined && { status }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && before === undefined && { after }),
    };
  },

  /** The filter without the page: what a saved view is. */
  toView({ status, from, to }: PaymentFilter): PaymentFilter {
    return {
      ...(status !== undefined && { status }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
  },

  /** Whether both list the same payments; the page does not count. */
  isSameView(one: PaymentFilter, other: PaymentFilter): boolean {
    return one.status === other.status && one.from === other.from && one.to === other.to;
  },

  /** The body of the search. */
  toSearch(
    { status, from, to, before, after }: PaymentFilter,
    { limit, timeZone }: { readonly limit: number; readonly timeZone: string },
  ) {
    return {
      statuses: status === undefined ? [] : [status],
      ...(from !== undefined && { startDate: toZonedMoment(from, timeZone).toISOString() }),
      ...(to !== undefined && { endDate: toZonedMoment(addDays(to, 1), timeZone).toISOString() }),
      cursor: { limit, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
    };
  },
};

function readDay(value: unknown): string | undefined {
  return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

import { AUDIT_ACTIONS, type AuditAction } from '@pos/core/administration';
import { readText } from '../../../components/page-search.js';

/** Which entries are listed: the part of the address after `?`, so that a list can be sent to a colleague. */
export interface AuditFilter {
  readonly account?: string;
  readonly isSystem?: true;
  readonly actor?: string;
  readonly action?: AuditAction;
  /** Days as `yyyy-mm-dd`, both inclusive, in the time zone of the browser. */
  readonly from?: string;
  readonly to?: string;
  readonly after?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export const AuditFilter = {
  /** What cannot be read is left out: an address is typed by people. */
  parse(search: Readonly<Record<string, unknown>>): AuditFilter {
    const action = AUDIT_ACTIONS.find((each) => each === search['action']);
    const [account, actor, after] = ['account', 'actor', 'after'].map((name) => readText(search[name]));
    const [from, to] = ['from', 'to'].map((name) => readDay(search[name]));
    return {
      ...(account !== undefined && { account }),
      ...(account === undefined && search['isSystem'] === true && { isSystem: true }),
      ...(actor !== undefined && { actor }),
      ...(action !== undefined && { action }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(after !== undefined && { after }),
    };
  },

  /** The query of the operation. */
  toQuery({ from, to, ...rest }: AuditFilter, limit: number) {
    return {
      ...rest,
      ...(from !== undefined && { from: startOfDay(from, 0) }),
      ...(to !== undefined && { to: startOfDay(to, 1) }),
      limit,
    };
  },
};

function readDay(value: unknown): string | undefined {
  return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** The first moment of the day that is `days` later, where the browser is. */
function startOfDay(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + days).toISOString();
}

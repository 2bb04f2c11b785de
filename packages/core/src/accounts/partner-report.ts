import { formatDecimal } from '../money/money-text.js';
import { add, type Money, subtract } from '../money/money.js';
import type { Partners } from './partner-headers.js';
import { PARTNER_KINDS, type PartnerKind, type PartnerStatus } from './partner.js';

/** The money that the requests of two partners moved in one currency. */
export interface PartnerTurnover {
  readonly partners: Partners;
  readonly paymentCount: number;
  /** With tips and cashback. */
  readonly taken: Money;
  readonly refundCount: number;
  readonly returned: Money;
}

/** The turnover of a partner in one currency. */
export interface PartnerReportLine extends Omit<PartnerTurnover, 'partners'> {
  readonly kind: PartnerKind;
  /** Null: the requests named no partner of the kind. */
  readonly partnerId: string | null;
  /** Null: the partner is not registered. */
  readonly name: string | null;
  readonly status: PartnerStatus | null;
  /** Taken without returned. */
  readonly net: Money;
}

const PARTNER_MEMBERS = {
  'software-house': 'softwareHouseId',
  reseller: 'resellerId',
} as const satisfies Record<PartnerKind, keyof Partners>;

/** Sums turnovers by kind, partner and currency: each of them counts once for each kind. */
export class PartnerTotals {
  readonly #lines = new Map<string, PartnerReportLine>();

  addTurnover({ partners, ...turnover }: PartnerTurnover): void {
    for (const kind of PARTNER_KINDS) {
      const partnerId = partners[PARTNER_MEMBERS[kind]];
      const net = subtract(turnover.taken, turnover.returned);
      this.#addLine({ kind, partnerId, name: null, status: null, ...turnover, net });
    }
  }

  /** By kind, then the greatest number of payments first. */
  listLines(): PartnerReportLine[] {
    return [...this.#lines.values()].sort(compareLines);
  }

  #addLine(line: PartnerReportLine): void {
    const key = JSON.stringify([line.kind, line.partnerId, line.taken.currencyCode]);
    const total = this.#lines.get(key);
    if (total === undefined) {
      this.#lines.set(key, line);
      return;
    }
    this.#lines.set(key, {
      ...total,
      paymentCount: total.paymentCount + line.paymentCount,
      taken: add(total.taken, line.taken),
      refundCount: total.refundCount + line.refundCount,
      returned: add(total.returned, line.returned),
      net: add(total.net, line.net),
    });
  }
}

function compareLines(first: PartnerReportLine, second: PartnerReportLine): number {
  return (
    PARTNER_KINDS.indexOf(first.kind) - PARTNER_KINDS.indexOf(second.kind) ||
    second.paymentCount - first.paymentCount ||
    compareTexts(first.partnerId ?? '', second.partnerId ?? '') ||
    compareTexts(first.taken.currencyCode, second.taken.currencyCode)
  );
}

function compareTexts(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

const CSV_HEAD = 'kind,partner,name,status,currency,payments,taken,refunds,returned,net';

/** The report as CSV: a line per partner and currency, amounts in major units with the decimals of their currency. */
export function formatPartnerReport(lines: readonly PartnerReportLine[]): string {
  const rows = lines.map(({ kind, partnerId, name, status, paymentCount, taken, refundCount, returned, net }) =>
    [
      ...[kind, partnerId ?? '', name ?? '', status ?? ''].map(formatText),
      ...[taken.currencyCode, String(paymentCount), formatDecimal(taken)],
      ...[String(refundCount), formatDecimal(returned), formatDecimal(net)],
    ].join(','),
  );
  return `${[CSV_HEAD, ...rows].join('\r\n')}\r\n`;
}

/** A text that begins like a formula is one for spreadsheets, which would run it. */
const FORMULA = /^[=+\-@\t\r]/;

function formatText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

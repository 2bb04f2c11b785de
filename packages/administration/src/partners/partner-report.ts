import { type Partner, type PartnerKind, type PartnerReportLine, PartnerTotals } from '@pos/core/accounts';
import type { Environment } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import type { Database } from '@pos/store/database';
import { readPartnerRegistry, sumPartnerTurnover, type TimeSpan } from '@pos/store/repositories';

/** What a report is about. */
export interface PartnerReportRequest extends TimeSpan {
  readonly environment: Environment;
  /** Of one kind only, if given. */
  readonly kind?: PartnerKind | undefined;
  /** Of one partner only, if given. */
  readonly partnerId?: string | undefined;
}

export const REPORT_DAYS_MAX = 92;

/** Splits a span at midnight UTC, so that each statement reads at most the rows of a day. */
export function splitIntoDays({ from, to }: TimeSpan): TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (let start = from; start < to;) {
    const midnight = new Date((Math.floor(start.getTime() / DAY_MS) + 1) * DAY_MS);
    const end = midnight < to ? midnight : to;
    spans.push({ from: start, to: end });
    start = end;
  }
  return spans;
}

/**
 * The turnover of partners over all accounts, by kind, partner and currency: sales and captures that stand, and refunds.
 * Refuses a span of more than 92 days.
 */
export async function reportPartners(database: Database, request: PartnerReportRequest): Promise<PartnerReportLine[]> {
  const { environment, from, to, kind, partnerId } = request;
  if (to <= from) throw createViolation('validation_failed', 'to', 'must be after from');
  if (to.getTime() - from.getTime() > REPORT_DAYS_MAX * DAY_MS) {
    throw createViolation('validation_failed', 'to', `must be at most ${REPORT_DAYS_MAX} days after from`);
  }
  const totals = new PartnerTotals();
  for (const span of splitIntoDays({ from, to })) {
    const turnovers = await database.readSystem((reader) => sumPartnerTurnover(reader, environment, span));
    for (const turnover of turnovers) totals.addTurnover(turnover);
  }
  const { partners } = await database.readSystem(readPartnerRegistry);
  return totals
    .listLines()
    .filter((line) => kind === undefined || line.kind === kind)
    .filter((line) => partnerId === undefined || line.partnerId === partnerId)
    .map((line) => describePartner(line, partners));
}

function describePartner(line: PartnerReportLine, partners: readonly Partner[]): PartnerReportLine {
  const found = partners.find(({ kind, id }) => kind === line.kind && id === line.partnerId);
  return found === undefined ? line : { ...line, name: found.name, status: found.status };
}

import { Controller } from '@nestjs/common';
import * as rest from '@pos/rest-contracts/portal';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { getAccountTime } from '@pos/store/clock';
import { Database } from '@pos/store/database';
import { readTimeZone } from '@pos/store/repositories';
import { readPortalOverview } from '@pos/store/portal';
import { PortalSessions } from '../sessions/portal-sessions.js';

const DAY_MS = 86_400_000;

/** The numbers that the public API has no operation for. */
@Controller()
export class OverviewController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly database: Database,
  ) {}

  @Serve(rest.readPortalOverview)
  async read({ headers }: OperationCall<typeof rest.readPortalOverview>) {
    const { scope } = await this.sessions.requirePermission(headers, 'transactions.read');
    // Of the account: the transactions of a sandbox have its time.
    const { at, timeZone } = await this.database.read(scope, async (reader) => ({
      at: (await getAccountTime(reader)).getTime(),
      timeZone: await readTimeZone(reader),
    }));
    const since = { volumeSince: new Date(at - 7 * DAY_MS), deliveriesSince: new Date(at - DAY_MS), timeZone };
    const { days, attempts, deliveries, isLimited } = await this.database.readSnapshot(scope, (reader) =>
      readPortalOverview(reader, since),
    );
    const { medianMs, ...counts } = deliveries;
    return {
      days: days.map(({ day, amount, currencyCode, payments }) => ({
        ...{ day, payments },
        amount: { value: amount, currencyCode },
      })),
      attempts,
      deliveries: { ...counts, ...(medianMs !== null && { medianMs: Math.max(0, medianMs) }) },
      isLimited,
    };
  }
}

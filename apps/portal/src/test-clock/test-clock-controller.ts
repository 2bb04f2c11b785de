import { Controller } from '@nestjs/common';
import { readTestClock } from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { getAccountTime } from '@pos/store/clock';
import { Database } from '@pos/store/database';
import { PortalSessions } from '../sessions/portal-sessions.js';

/** The time of a sandbox, which the public API moves forward and names only then. */
@Controller()
export class TestClockController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly database: Database,
  ) {}

  @Serve(readTestClock)
  async read({ headers }: OperationCall<typeof readTestClock>) {
    const { scope } = await this.sessions.requireSandbox(headers);
    return { now: presentMoment(await this.database.read(scope, getAccountTime)) };
  }
}

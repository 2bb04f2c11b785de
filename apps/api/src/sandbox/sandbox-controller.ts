import { Controller, Inject } from '@nestjs/common';
import type { ActivityRecorder } from '@pos/core/activities';
import { ACTIVITIES } from '@pos/nest-modules';
import { advanceClock } from '@pos/payments/sandbox-clock';
import { presentMoment } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/sandbox';
import { putSandboxEpos, readSandboxEpos } from '@pos/rest-contracts/sandbox';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { updateAccountSettings, getAccount } from '@pos/store/repositories';
import { ApiDatabase } from '../database/api-database.js';

/** Operations that exist for sandboxes only. */
@Controller()
export class SandboxController {
  constructor(
    private readonly store: ApiDatabase,
    @Inject(ACTIVITIES) private readonly activities: ActivityRecorder,
  ) {}

  @Serve(rest.advanceClock)
  async advance({ caller, body, idempotency }: OperationCall<typeof rest.advanceClock>) {
    const { database } = this.store;
    // What waits to be stored is dated by the clock of then.
    await this.activities.flush();
    return this.store.runAndStore<typeof rest.advanceClock>({ caller, idempotency }, async () => ({
      now: presentMoment(await advanceClock(database, caller.scope, body.by)),
    }));
  }

  @Serve(readSandboxEpos)
  async readEpos({ caller }: OperationCall<typeof readSandboxEpos>) {
    const { settings } = await this.store.readSingle(caller.scope, getAccount);
    return { isEnabled: settings.hasSandboxEpos };
  }

  @Serve(putSandboxEpos)
  async putEpos(call: OperationCall<typeof putSandboxEpos>) {
    const { isEnabled } = call.body;
    return this.store.runOnce<typeof putSandboxEpos>(call, async (tx) => {
      await updateAccountSettings(tx, { hasSandboxEpos: isEnabled });
      return { isEnabled };
    });
  }
}

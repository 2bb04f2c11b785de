import { Controller } from '@nestjs/common';
import { advanceClock } from '@pos/payments/sandbox-clock';
import { presentMoment } from '@pos/rest-contracts/moment';
import * as rest from '@pos/rest-contracts/sandbox-clock';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';

/** What only a sandbox has. */
@Controller()
export class SandboxController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.advanceClock)
  async advance({ caller, body, idempotency }: Call<typeof rest.advanceClock>) {
    const { database } = this.store;
    return this.store.keep<typeof rest.advanceClock>({ caller, idempotency }, async () => ({
      now: presentMoment(await advanceClock(database, caller.scope, body.by)),
    }));
  }
}

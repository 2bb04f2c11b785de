import { Controller } from '@nestjs/common';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { type AgreedSetting, listAgreedSettings } from '@pos/store/startup';
import { OperatorAccess } from './operator-access.js';

/** The settings that all processes have agreed on. */
@Controller()
export class AgreedSettingsController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly database: Database,
  ) {}

  @Serve(rest.listAgreedSettings)
  async list({ headers }: OperationCall<typeof rest.listAgreedSettings>) {
    await this.access.requireOperator(headers);
    return (await this.database.readSystem(listAgreedSettings)).map(presentSetting);
  }
}

function presentSetting({ name, value, nextValue, app, changedAt, refused }: AgreedSetting): rest.AgreedSetting {
  return {
    ...{ name, value, app, changedAt: presentMoment(changedAt) },
    ...(nextValue !== null && { nextValue }),
    refused: refused.map(({ at, ...start }) => ({ ...start, at: presentMoment(at) })),
  };
}

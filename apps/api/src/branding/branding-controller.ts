import { Controller } from '@nestjs/common';
import { type Branding, pairAccentColors } from '@pos/core/branding';
import { changeBranding, getBranding } from '@pos/payments/account-settings';
import * as rest from '@pos/rest-contracts/accounts';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';

const REASON = 'changed by the API';

/** The look that payers of the caller's environment see. */
@Controller()
export class BrandingController {
  constructor(private readonly database: ApiDatabase) {}

  @Serve(rest.getBranding)
  async get({ caller }: OperationCall<typeof rest.getBranding>) {
    return presentBranding(await this.database.readSingle(caller.scope, getBranding));
  }

  @Serve(rest.changeBranding)
  async change(call: OperationCall<typeof rest.changeBranding>) {
    const { keyId, actor = keyId } = call.caller;
    return this.database.runOnce<typeof rest.changeBranding>(call, async (tx) =>
      presentBranding(await changeBranding(tx, { actor, reason: REASON }, call.body)),
    );
  }
}

function presentBranding({ logoUrl, faviconUrl, accentColor, font }: Branding): rest.BrandingView {
  const colors = accentColor === null ? null : pairAccentColors(accentColor);
  return { logoUrl, faviconUrl, accentColor, font, colors };
}

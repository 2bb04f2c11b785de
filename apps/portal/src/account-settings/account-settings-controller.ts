import { Controller } from '@nestjs/common';
import { flattenSettings } from '@pos/core/accounts';
import { resolveBranding } from '@pos/core/branding';
import { findPortalRole } from '@pos/core/identity';
import { requireAccount } from '@pos/payments/audit';
import { changeOwnAccountSettings } from '@pos/administration/accounts';
import * as rest from '@pos/rest-contracts/portal';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database, type Reader } from '@pos/store/database';
import {
  isAdministrator,
  PortalSessions,
  requireReauthentication,
  type WorkingSession,
} from '../sessions/portal-sessions.js';

const REASON = 'changed in the portal by an administrator of the account';

/** The settings that the administrators of an account decide. No API key can change them, except the look (ADR 0115). */
@Controller()
export class AccountSettingsController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly database: Database,
  ) {}

  @Serve(rest.readPortalAccountSettings)
  async read({ headers }: OperationCall<typeof rest.readPortalAccountSettings>) {
    const working = await this.sessions.requireAdministrator(headers);
    return this.database.read(working.scope, (reader) => presentSettings(reader, canChangeShared(working)));
  }

  @Serve(rest.changePortalAccountSettings)
  async change({ headers, body }: OperationCall<typeof rest.changePortalAccountSettings>) {
    const working = await this.sessions.requireAdministrator(headers);
    const { session, scope } = working;
    requireReauthentication(session);
    const isShared = canChangeShared(working);
    const change = { actor: session.user.id, reason: REASON, canChangeShared: isShared };
    return this.database.transact(scope, async (tx) => {
      await changeOwnAccountSettings(tx, change, flattenSettings(body));
      return presentSettings(tx, isShared);
    });
  }
}

/** What both environments use can be changed only by a user who is an administrator in production too. */
function canChangeShared({ session, scope }: WorkingSession): boolean {
  return isAdministrator(findPortalRole(session.user, { accountId: scope.accountId, environment: 'production' }));
}

async function presentSettings(reader: Reader, isShared: boolean): Promise<rest.PortalAccountSettings> {
  const { tradingName, settings } = await requireAccount(reader);
  const { embeddingOrigins, supportedPaymentMethods, payAtTable } = settings;
  const { phoneNumber, site, hasAmountTriggers, hasSandboxEpos, requiresSecondFactor } = settings;
  const { asksWaiterId, asksGratuity, offersEmailReceipts, reportUnsuccessful } = payAtTable;
  const { environment } = reader.scope;
  const { logoUrl, faviconUrl, accentColor, font } = resolveBranding(settings, environment);
  return {
    branding: { logoUrl, faviconUrl, accentColor, font },
    embeddingOrigins: { [environment]: [...embeddingOrigins[environment]] },
    supportedPaymentMethods: {
      cardSchemes: [...supportedPaymentMethods.cardSchemes],
      wallets: [...supportedPaymentMethods.wallets],
    },
    payAtTable: { asksWaiterId, asksGratuity, offersEmailReceipts, reportUnsuccessful },
    requiresSecondFactor,
    ...{ phoneNumber, site, hasAmountTriggers, hasSandboxEpos, tradingName, canChangeShared: isShared },
  };
}

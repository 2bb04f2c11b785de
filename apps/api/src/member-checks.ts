import type { Caller } from '@pos/core/caller';
import type { EposRegistration } from '@pos/payments/epos-registration';
import type { PaymentIntents } from '@pos/payments/payment-intents';
import type { SetupIntents } from '@pos/payments/setup-intents';
import type { TerminalSessions } from '@pos/payments/terminal-sessions';
import { putGrpcIntegration, putRestIntegration } from '@pos/rest-contracts/epos-registration';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intent-operations';
import { readableSetupWish } from '@pos/rest-contracts/read-setup-wish';
import { createSetupIntent } from '@pos/rest-contracts/setup-intent-operations';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import { changeSubscription, createSubscription } from '@pos/rest-contracts/webhooks';
import { memberCheck, type MemberChecks } from '@pos/service-kit/member-checks';
import type { RegistrableAddresses } from '@pos/service-kit/registered-address';
import type { ApiDatabase } from './api-database.js';
import { readableIntentWish } from './payment-intents/read-intent-wish.js';

/** Who judges the members of a request beyond their form. */
export interface MemberJudges {
  readonly database: ApiDatabase;
  readonly intents: PaymentIntents;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly addresses: RegistrableAddresses;
  readonly registration: EposRegistration;
}

/** What the use cases refuse by member, for requests that do not get as far because their form is wrong (ADR 0063). */
export function apiMemberChecks(judges: MemberJudges): MemberChecks {
  const { database, intents, setups, sessions, addresses, registration } = judges;
  const checkWebhook = (_: Caller, { url }: { readonly url?: string | undefined }): void => {
    if (url !== undefined) addresses.requireWebhook(url);
  };
  const checkEpos = ({ scope }: Caller, { url }: { readonly url?: string | undefined }): void => {
    if (url === undefined) return;
    addresses.requireEpos(scope, url);
    registration.requireTls(scope, url);
  };
  return new Map([
    memberCheck(createPaymentIntent, ({ scope }, body) =>
      database.read(scope, (reader) => intents.requireSound(reader, readableIntentWish(body))),
    ),
    memberCheck(createSetupIntent, ({ scope }, body) =>
      database.read(scope, (reader) => setups.requireSound(reader, readableSetupWish(body))),
    ),
    memberCheck(createTerminalSession, async ({ scope }, { details }) => {
      const { amount } = (details !== undefined && 'unlinkedRefund' in details && details.unlinkedRefund) || {};
      if (amount !== undefined) await database.readOne(scope, (reader) => sessions.requireCurrency(reader, amount));
    }),
    memberCheck(createSubscription, checkWebhook),
    memberCheck(changeSubscription, checkWebhook),
    memberCheck(putRestIntegration, checkEpos),
    memberCheck(putGrpcIntegration, checkEpos),
  ]);
}

import type { Caller } from '@pos/core/accounts';
import type { EposRegistration } from '@pos/payments/accounts';
import type { PaymentIntents } from '@pos/payments/payment-intents';
import type { SetupIntents } from '@pos/payments/setup-intents';
import type { TerminalSessions } from '@pos/payments/terminals';
import { putGrpcIntegration, putRestIntegration } from '@pos/rest-contracts/accounts';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { createSetupIntent, listReadableSetupMembers } from '@pos/rest-contracts/setup-intents';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import { changeSubscription, createSubscription } from '@pos/rest-contracts/webhooks';
import { defineMemberCheck, type MemberChecks } from '@pos/service-kit/request-checks';
import type { RegistrableAddressPolicy } from '@pos/service-kit/egress';
import type { ApiDatabase } from '../database/api-database.js';
import { readPartialIntentRequest } from '../payment-intents/intent-request.js';

/** The services that check the members of a request beyond their shape. */
export interface MemberCheckServices {
  readonly database: ApiDatabase;
  readonly intents: PaymentIntents;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly addresses: RegistrableAddressPolicy;
  readonly registration: EposRegistration;
}

/** The use cases' checks by member, also for requests that a shape error stops before the use case (ADR 0063). */
export function createMemberChecks(services: MemberCheckServices): MemberChecks {
  const { database, intents, setups, sessions, addresses, registration } = services;
  const checkWebhook = ({ scope }: Caller, { url }: { readonly url?: string | undefined }): void => {
    if (url !== undefined) addresses.requireWebhookUrl(scope, url);
  };
  const checkEpos = ({ scope }: Caller, { url }: { readonly url?: string | undefined }): void => {
    if (url === undefined) return;
    addresses.requireEposUrl(scope, url);
    registration.requireTls(scope, url);
  };
  return new Map([
    defineMemberCheck(createPaymentIntent, ({ scope }, body) =>
      database.read(scope, (reader) => intents.requireSound(reader, readPartialIntentRequest(body))),
    ),
    defineMemberCheck(createSetupIntent, ({ scope }, body) =>
      database.read(scope, (reader) => setups.requireSound(reader, listReadableSetupMembers(body))),
    ),
    defineMemberCheck(createTerminalSession, async ({ scope }, { details }) => {
      const { amount } = (details !== undefined && 'unlinkedRefund' in details && details.unlinkedRefund) || {};
      if (amount !== undefined) await database.readSingle(scope, (reader) => sessions.requireCurrency(reader, amount));
    }),
    defineMemberCheck(createSubscription, checkWebhook),
    defineMemberCheck(changeSubscription, checkWebhook),
    defineMemberCheck(putRestIntegration, checkEpos),
    defineMemberCheck(putGrpcIntegration, checkEpos),
  ]);
}

import { Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { Holds } from '@pos/payments/holds';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { postponeDueMail, sendDueMail } from '@pos/payments/receipts';
import type { ReconciliationReport } from '@pos/payments/reconciliation';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { SetupIntents } from '@pos/payments/setup-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import { runPortalUsersUpkeep } from '@pos/administration/portal';
import { createTimerEffects } from '@pos/payments/timers';
import { AcquirerClients, PAYMENT_SETTINGS } from '@pos/nest-modules';
import { CONFIG, defineToken, LOG, provide } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { Database } from '@pos/store/database';
import { type TimerKind, TimerQueue } from '@pos/store/queues';
import type { Config } from '../config/config.js';
import { MAILER, MailModule } from '../mail/mail-module.js';
import type { TimerEffect, TimerEffects } from './timer-worker.js';

/** What is done when a timer of a kind is due. */
export const TIMER_EFFECTS = defineToken<TimerEffects>('TIMER_EFFECTS');

/** The gateway and the card vault work these; a new kind that is not among them does not compile until it is worked here. */
type KindOfOtherApp =
  | 'table-payment'
  | 'session-lease'
  | 'order-lock'
  | 'order-placement'
  | 'order-release'
  | 'card-erasure'
  | 'card-expiry';

const DEPENDENCIES = {
  database: Database,
  queue: TimerQueue,
  intents: PaymentIntents,
  holds: Holds,
  setups: SetupIntents,
  sessions: TerminalSessions,
  calls: AcquirerCalls,
  settings: PAYMENT_SETTINGS,
  accounts: AccountCache,
  acquirers: AcquirerClients,
  mailer: MAILER,
  config: CONFIG,
  log: LOG,
};

const EFFECTS = provide(TIMER_EFFECTS, DEPENDENCIES, ({ mailer, config, log, ...parts }): TimerEffects => {
  const { database, queue } = parts;
  const { UNUSED_USER_DAYS: unusedUserDays }: Config = config;
  const effects = createTimerEffects({
    ...parts,
    reconciliationReport: createReconciliationReport(log),
  });
  const onGivenUp = (mail: object): void => log.error('mail.given_up', { ...mail });
  return {
    ...effects,
    'portal-users': (claimed) => runPortalUsersUpkeep({ database, queue, unusedUserDays }, claimed),
    mail: (claimed) =>
      mailer === null
        ? postponeDueMail({ database, queue, onGivenUp }, claimed)
        : sendDueMail({ database, queue, mailer, onGivenUp }, claimed),
  } satisfies Record<Exclude<TimerKind, KindOfOtherApp>, TimerEffect>;
});

function createReconciliationReport(log: Log): ReconciliationReport {
  return {
    onFound: ({ accountId, environment }, { kind, reference, says }) => {
      log.error('reconciliation.difference_found', { account_id: accountId, environment, kind, reference, says });
    },
    onEnded: ({ accountId, environment }, result) => {
      const level = result.error === undefined ? 'info' : 'warn';
      log[level]('reconciliation.ended', { account_id: accountId, environment, ...result });
    },
  };
}

/** Deadlines of payments, sessions, cards and calls to the acquirer. */
@Module({ imports: [MailModule], providers: [EFFECTS], exports: [TIMER_EFFECTS] })
export class TimersModule {}

import { Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { Holds } from '@pos/payments/captures-refunds/holds';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { postponeDueMail, sendDueMail } from '@pos/payments/receipts/mail-sender';
import type { ReconciliationReport } from '@pos/payments/reconciliation/check-report';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { createTimerEffects } from '@pos/payments/timers/worker-timers';
import { AcquirerClients } from '@pos/nest-modules/acquirer-clients';
import { PAYMENT_SETTINGS } from '@pos/nest-modules/payments-module';
import { defineToken, provide } from '@pos/service-kit/nest/provide';
import { LOG } from '@pos/service-kit/nest/settings-module';
import type { Log } from '@pos/service-kit/telemetry/log';
import { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';
import { MAILER, MailModule } from '../mail/mail-module.js';
import type { TimerEffects } from './timer-worker.js';

/** What is done when a timer of a kind is due. */
export const TIMER_EFFECTS = defineToken<TimerEffects>('TIMER_EFFECTS');

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
  log: LOG,
};

const EFFECTS = provide(TIMER_EFFECTS, DEPENDENCIES, ({ mailer, log, ...parts }): TimerEffects => {
  const { database, queue } = parts;
  const effects = createTimerEffects({
    ...parts,
    reconciliationReport: createReconciliationReport(log),
  });
  const onGivenUp = (mail: object): void => log.error('mail.given_up', { ...mail });
  return {
    ...effects,
    mail: (claimed) =>
      mailer === null
        ? postponeDueMail({ database, queue, onGivenUp }, claimed)
        : sendDueMail({ database, queue, mailer, onGivenUp }, claimed),
  };
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

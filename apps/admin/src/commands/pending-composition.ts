import type { Config } from '../config/config.js';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import {
  AcquirerDirectory,
  type AcquirerPorts,
  createCompleteDirectory,
} from '@pos/payments/accounts/acquirer-directory';
import { AcquirerClient } from '@pos/payments/acquirer/acquirer-client';
import type { Environment } from '@pos/core/identity/identity';
import { Refusal } from '@pos/core/refusals/refusal';
import { openAcquirerChannels } from '@pos/service-kit/grpc/acquirer-channels';
import { listDeclaredAcquirers } from '@pos/store/repositories/acquirers';
import { SILENT_LOG } from '../doctor/silent-log.js';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts/payment-settings';
import { PendingAdministration } from '@pos/payments/administration/pending-administration';
import { OperatorService } from '@pos/payments/operators/operator-service';
import { OrderPlacements } from '@pos/payments/orders/order-placements';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { ReconciliationService } from '@pos/payments/reconciliation/reconciliation-service';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { Leases } from '@pos/payments/tables/leases';
import { TablePayments } from '@pos/payments/tables/table-payments';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import type { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';

/** The use cases about open money. They only write rows, which the apps work on; no acquirer is called here. */
export function createPendingAdministration(database: Database, config: Config): PendingAdministration {
  // The worker has the acquirers; whether one is missing is in its log.
  return compose(database, config, { acquirers: createCompleteDirectory(), ports: { find: () => null } });
}

/** The same with the acquirers of the settings, to read their books. Throws ConfigError for settings without one. */
export async function runWithAcquirers<T>(
  database: Database,
  config: Config,
  work: (pending: PendingAdministration) => Promise<T>,
): Promise<T> {
  const channels = openAcquirerChannels(config, SILENT_LOG);
  const clients = channels.targets.map(({ environment, name, address, tls, credential }) => ({
    ...{ environment, name },
    client: new AcquirerClient(address, { tls, credential: credential ?? undefined }),
  }));
  try {
    const acquirers = new AcquirerDirectory(channels.targets);
    for (const declared of await database.readSystem(listDeclaredAcquirers)) {
      if (acquirers.isNamed(declared)) acquirers.declare(declared, declared.capabilities);
    }
    const find = (environment: Environment, name: string): AcquirerClient => {
      const found = clients.find((each) => each.environment === environment && each.name === name);
      if (found !== undefined) return found.client;
      const detail = `the settings of this command have no acquirer "${name}" of ${environment}: set them as the apps have them`;
      throw new Refusal('acquirer_not_configured', detail);
    };
    return await work(compose(database, config, { acquirers, ports: { find } }));
  } finally {
    for (const { client } of clients) client.close();
    channels.close();
  }
}

function compose(
  database: Database,
  config: Config,
  { acquirers, ports }: { readonly acquirers: AcquirerDirectory; readonly ports: AcquirerPorts },
): PendingAdministration {
  const accounts = new AccountCache();
  const settings = { ...DEFAULT_PAYMENT_SETTINGS, acquirers, callPendingMs: config.ACQUIRER_CALL_PENDING_MS };
  const queue = new TimerQueue(database);
  const leases = new Leases();
  const intents = new PaymentIntents(accounts, settings);
  const sessions = new TerminalSessions(accounts, settings);
  const operators = new OperatorService({
    leases,
    tablePayments: new TablePayments({ accounts, intents, sessions, leases, queue }),
    placements: new OrderPlacements({ accounts, queue }),
    calls: new AcquirerCalls({ database, acquirers: ports, accounts, settings }),
    settings,
  });
  return new PendingAdministration(operators, new ReconciliationService(settings));
}

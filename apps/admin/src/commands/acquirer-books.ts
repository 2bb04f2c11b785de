import { AcquirerDirectory } from '@pos/payments/accounts';
import { AcquirerClient } from '@pos/payments/acquirer';
import { createPendingAdministrationWithBooks, type PendingAdministration } from '@pos/administration/pending-work';
import type { Environment } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { openAcquirerChannels } from '@pos/service-kit/grpc';
import type { Database } from '@pos/store/database';
import { listDeclaredAcquirers } from '@pos/store/repositories';
import type { Config } from '../config/config.js';
import { SILENT_LOG } from '../doctor/silent-log.js';

/** Opens the acquirers of the settings, to read their books. Throws ConfigError for settings without one. */
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
    const settings = { callPendingMs: config.ACQUIRER_CALL_PENDING_MS };
    return await work(createPendingAdministrationWithBooks(database, settings, { acquirers, ports: { find } }));
  } finally {
    for (const { client } of clients) client.close();
    channels.close();
  }
}

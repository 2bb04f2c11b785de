import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators/tester';
import { startHttpServer } from '@pos/service-kit/http/http-server';
import type { Log } from '@pos/service-kit/telemetry/log';
import { awaitDatabase } from '@pos/store/startup/database-startup';
import { readStoreSecrets } from '@pos/service-kit/config/store-secrets';
import { findStoredAnswer } from '@pos/store/idempotency/idempotency-keys';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import { CardPayments } from './drivers/card-payments.js';
import type { Config } from './config.js';
import { EposDriver } from './drivers/epos-driver.js';
import { FlowsController } from './runs/flows-controller.js';
import { RunService } from './runs/runs.js';

/** A running tester. */
export interface RunningTester {
  readonly url: string;
  /** Ends the active runs, each with its cleanup, and closes. */
  readonly close: () => Promise<void>;
}

const DATABASE_CONNECTIONS_MAX = 16;

/** Waits for the database and serves the flows. The gateways need not be up yet. */
export async function boot(config: Config, log: Log): Promise<RunningTester> {
  const database = await awaitDatabase(
    {
      url: config.DATABASE_URL.reveal(),
      applicationName: 'epos-tester',
      poolMax: DATABASE_CONNECTIONS_MAX,
      secrets: readStoreSecrets(config),
      ...(config.SEED !== undefined && { seed: config.SEED }),
    },
    log,
  );
  const driver = new EposDriver(config.GATEWAY_INTERNAL_ADDRESSES, config.GATEWAY_INTERNAL_KEY?.reveal() ?? null);
  const runs = new RunService({ database, driver, cards: new CardPayments(database), log });
  const keys = new ApiKeyAuthenticator(database, { limits: await SharedRateLimiter.open(database, log) });
  try {
    const http = await startHttpServer({
      connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
      module: testerModule(runs),
      port: config.HTTP_PORT,
      host: config.HOST,
      operations: TESTER_OPERATIONS,
      authenticate: (text, address) => keys.authenticate(text, address),
      findStoredAnswer: async ({ scope }, idempotency) => {
        const answer = await database.read(scope, (reader) => findStoredAnswer(reader, idempotency));
        return answer === null ? null : { status: answer.status, body: JSON.stringify(answer.body) };
      },
      ready: [{ name: 'database', check: () => database.checkReady() }],
      log,
      openapi: {
        title: 'EPOS tester',
        description:
          'Plays named flows against the EPOS of a sandbox account, through the same gateway that serves its devices, ' +
          'and says which clause of the contract the EPOS broke.',
      },
      checksContract: config.NODE_ENV !== 'production',
    });
    runs.watch();
    return {
      url: http.url,
      close: async () => {
        // First stop new runs, then end the active ones.
        await http.close();
        await runs.close();
        driver.close();
        await database.close();
      },
    };
  } catch (error) {
    driver.close();
    await database.close();
    throw error;
  }
}

function testerModule(runs: RunService) {
  @Module({ controllers: [FlowsController], providers: [{ provide: RunService, useValue: runs }] })
  class TesterModule {}
  return TesterModule;
}

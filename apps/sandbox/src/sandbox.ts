import { Module } from '@nestjs/common';
import { SANDBOX_CONTROL_OPERATIONS } from '@pos/rest-contracts/sandbox/sandbox-control';
import { openFileJournal } from '@pos/sandbox/acquirer/acquirer-journal';
import { createWallClock } from '@pos/sandbox/clock/simulation-clock';
import { Seed } from '@pos/sandbox/clock/seed';
import { SimulatedEnvironment } from '@pos/sandbox/environment/simulated-environment';
import { startHttpServer } from '@pos/service-kit/http/http-server';
import { formatHostPort } from '@pos/service-kit/network/listen-address';
import type { Log } from '@pos/service-kit/telemetry/log';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AccountController } from './control/account-controller.js';
import { SandboxAccountFile } from './accounts/account-file.js';
import { AcquirerController } from './control/acquirer-controller.js';
import { EposController } from './control/epos-controller.js';
import { openEposServer } from './ports/epos-server.js';
import { openGrpcServer } from './ports/grpc-server.js';
import { CHALLENGE_PATH, ISSUER_PAGES } from './pages/issuer-pages.js';
import type { SandboxConfig } from './sandbox-config.js';
import { createWalletPage } from './pages/wallet-page.js';

/** The time of the frozen clocks of a seeded world. */
const FROZEN_AT = new Date('2026-01-01T12:00:00.000Z');

/** A running sandbox: the world, and its three ports. */
export interface SandboxServer {
  readonly environment: SimulatedEnvironment;
  readonly grpcPort: number;
  /** URL of the EPOSes that are called over REST. */
  readonly eposUrl: string;
  readonly controlUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts the outside world: opens its ports, then lets the machines and EPOSes of all accounts dial the gateway. */
export async function startSandbox(config: SandboxConfig, log: Log): Promise<SandboxServer> {
  const testEnvironment = new SimulatedEnvironment({
    seed: new Seed(config.SEED ?? randomBytes(16).toString('hex')),
    clock: createWallClock({
      timeScale: config.SIMULATOR_TIME_SCALE,
      frozenAt: config.SEED === undefined ? null : FROZEN_AT,
    }),
    journal: openFileJournal(join(config.SANDBOX_DATA, 'acquirer-books.jsonl')),
    service: {
      gatewayAddresses: config.GATEWAY_ADDRESSES,
      gatewayUrls: config.GATEWAY_HTTP_ADDRESSES.map((address) => `ws://${address}`),
      apiUrl: config.API_URL ?? null,
    },
    eposStateFolder: config.EPOS_STATE_DIR ?? null,
  });
  const accounts = new SandboxAccountFile(config.SANDBOX_DATA);
  const provisioned = accounts.listAccounts(config.SANDBOX_ACCOUNTS);
  const stepUpUrl = `http://${formatHostPort(config.HOST, config.HTTP_PORT)}${CHALLENGE_PATH}`;
  const connections = { perAddress: config.CONNECTIONS_PER_ADDRESS, log };
  const grpc = await openGrpcServer(testEnvironment, {
    host: config.HOST,
    port: config.GRPC_PORT,
    stepUpUrl,
    connections,
  });
  const epos = await openEposServer(testEnvironment, { host: config.HOST, port: config.EPOS_HTTP_PORT, connections });
  const http = await startHttpServer({
    module: createControlModule(testEnvironment, accounts),
    connections,
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: SANDBOX_CONTROL_OPERATIONS,
    forms: [...ISSUER_PAGES, createWalletPage(() => new Date())],
    authenticate: async () => null,
    ready: [],
    log,
    openapi: CONTROL_API_TITLE,
    checksContract: true,
  });
  for (const account of provisioned) testEnvironment.provisionAccount(account);
  return {
    environment: testEnvironment,
    grpcPort: grpc.port,
    eposUrl: `http://${config.HOST}:${epos.port}`,
    controlUrl: http.url,
    close: async () => {
      testEnvironment.stop();
      await http.close();
      await epos.close();
      await grpc.close();
    },
  };
}

const CONTROL_API_TITLE = {
  title: 'Sandbox control',
  description: 'Makes things go right and wrong outside the service: at the acquirer, the card machines and the EPOS.',
} as const;

function createControlModule(testEnvironment: SimulatedEnvironment, accounts: SandboxAccountFile) {
  @Module({
    controllers: [AccountController, AcquirerController, EposController],
    providers: [
      { provide: SimulatedEnvironment, useValue: testEnvironment },
      { provide: SandboxAccountFile, useValue: accounts },
    ],
  })
  class ControlModule {}
  return ControlModule;
}

import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';
import { openFileJournal } from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { CONFIG, LOG, MonitoringModule, provide, SettingsModule } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { SandboxAccountFile } from './accounts/account-file.js';
import { AccountController } from './control/account-controller.js';
import { AcquirerController } from './control/acquirer-controller.js';
import { EposController } from './control/epos-controller.js';
import { LinkController } from './control/link-controller.js';
import { GatewayTls } from './config/gateway-tls.js';
import { EposScreenController } from './screens/epos-screen-controller.js';
import { GuestScreenController } from './screens/guest-screen-controller.js';
import { GuestScreens } from './screens/guest-screens.js';
import { MachineScreenController } from './screens/machine-screen-controller.js';
import { MachineScreens } from './screens/machine-screens.js';
import { ScreenStreams } from './screens/screen-streams.js';
import { SandboxPorts } from './ports/sandbox-ports.js';
import type { SandboxConfig } from './config/sandbox-config.js';

/** Where the clocks of a seeded environment start and stay. */
const FROZEN_AT = new Date('2026-03-02T12:00:00.000Z');

const PROVIDERS = [
  provide(GatewayTls, { config: CONFIG, log: LOG }, ({ config, log }) => new GatewayTls(config, log)),
  provide(SimulatedEnvironment, { config: CONFIG, gatewayTls: GatewayTls }, ({ config, gatewayTls }) =>
    createEnvironment(config, gatewayTls),
  ),
  provide(MachineScreens, { environment: SimulatedEnvironment }, ({ environment }) => new MachineScreens(environment)),
  provide(GuestScreens, { environment: SimulatedEnvironment }, ({ environment }) => new GuestScreens(environment)),
  provide(SandboxAccountFile, { config: CONFIG }, ({ config }) => {
    const { SANDBOX_DATA }: SandboxConfig = config;
    return new SandboxAccountFile(SANDBOX_DATA);
  }),
];

function createEnvironment(config: SandboxConfig, transport: GatewayTls): SimulatedEnvironment {
  return new SimulatedEnvironment({
    seed: new Seed(config.SEED ?? randomBytes(16).toString('hex')),
    clock: createWallClock({
      timeScale: config.SIMULATOR_TIME_SCALE,
      frozenAt: config.SEED === undefined ? null : FROZEN_AT,
    }),
    journal: openFileJournal(join(config.SANDBOX_DATA, 'acquirer-books.jsonl')),
    service: {
      gatewayAddresses: config.GATEWAY_ADDRESSES,
      gatewayUrls: config.GATEWAY_HTTP_ADDRESSES.map((address) => `${transport.socketScheme}://${address}`),
      transport,
      apiUrl: config.API_URL ?? null,
    },
    eposStateFolder: config.EPOS_STATE_DIR ?? null,
  });
}

/** The simulated outside world: acquirer, card machines and EPOSes, and the API that controls them. */
@Module({
  controllers: [
    AccountController,
    AcquirerController,
    EposController,
    EposScreenController,
    GuestScreenController,
    LinkController,
    MachineScreenController,
    ScreenStreams,
  ],
  providers: [...PROVIDERS, SandboxPorts],
})
export class AppModule implements OnModuleDestroy {
  constructor(
    private readonly environment: SimulatedEnvironment,
    private readonly gatewayTls: GatewayTls,
    private readonly machineScreens: MachineScreens,
    private readonly guestScreens: GuestScreens,
  ) {}

  static forRoot(config: SandboxConfig, log: Log): DynamicModule {
    const monitoring = MonitoringModule.forRoot({ app: 'sandbox', ready: [], dataFolder: config.SANDBOX_DATA });
    return { module: AppModule, imports: [SettingsModule.forRoot(config, log), monitoring] };
  }

  onModuleDestroy(): void {
    this.machineScreens.close();
    this.guestScreens.close();
    this.environment.stop();
    this.gatewayTls.close();
  }
}

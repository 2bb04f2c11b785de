import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RequestorType, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { createServerFolder } from '@pos/dev-database';
import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppProcess } from '../dev/app-process.js';
import { type DevWorld, startWorld } from '../dev/world.js';

const LAME_DUCK_MS = 1_500;
/** Several times in the lame-duck time, as a load balancer should ask. */
const READINESS_POLL_MS = 200;
const CLIENTS = 6;
const LOAD_PAUSE_MS = 5;
const LIMIT_MS = 180_000;

/** A process, and one request to it; resolves to null, or to the reason for which it failed. */
interface Target {
  readonly process: AppProcess;
  readonly send: () => Promise<string | null>;
  readonly close: () => void;
}

/** Clients that send to the processes that are ready, as a load balancer chooses them, over connections that stay open. */
class Load {
  readonly failures: string[] = [];
  count = 0;
  readonly #ready = new Set<Target>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[];

  constructor(private readonly targets: readonly Target[]) {
    this.#running = [this.#watchReadiness(), ...Array.from({ length: CLIENTS }, () => this.#send())];
  }

  async untilCount(count: number): Promise<void> {
    const wanted = this.count + count;
    while (this.count < wanted) await pause(LOAD_PAUSE_MS);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    for (const { close } of this.targets) close();
  }

  async #watchReadiness(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      for (const target of this.targets) {
        const isReady = await fetch(target.process.readyUrl).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.#ready.add(target);
        else this.#ready.delete(target);
      }
      await pause(READINESS_POLL_MS);
    }
  }

  async #send(): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const ready = [...this.#ready];
      const target = ready[turn % ready.length];
      if (target !== undefined) {
        const failure = await target.send();
        this.count += 1;
        if (failure !== null) this.failures.push(`${target.process.name}: ${failure}`);
      }
      await pause(LOAD_PAUSE_MS);
    }
  }
}

let world: DevWorld;
let dataDir: string;

beforeAll(async () => {
  dataDir = createServerFolder('pos-rolling-');
  world = await startWorld({
    ...{ dataDir, ports: 'free', durable: false, restaurants: 3 },
    count: { api: 2, 'card-vault': 2, 'pay-at-table-gateway': 2 },
    env: { '*': { NODE_ENV: 'test', LAME_DUCK_MS: String(LAME_DUCK_MS) } },
  });
}, LIMIT_MS);

afterAll(async () => {
  await world.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, LIMIT_MS);

/** The processes of an app by their names. */
function listProcesses(app: string): readonly AppProcess[] {
  return world.apps.filter(({ name }) => name === app || new RegExp(`^${app}-\\d+$`).test(name));
}

function createHttpTarget(process: AppProcess, address: string, headers: Readonly<Record<string, string>>): Target {
  const agent = new Agent({ keepAlive: true });
  return {
    process,
    close: () => agent.destroy(),
    send: () =>
      new Promise((resolve) => {
        get(address, { agent, headers }, (answer) => {
          answer.resume();
          answer.on('error', ({ message }) => resolve(message));
          answer.on('end', () => resolve(answer.statusCode === 200 ? null : `status ${answer.statusCode ?? '?'}`));
        }).on('error', ({ message }) => resolve(message));
      }),
  };
}

function createGrpcTarget(process: AppProcess, address: string, apiKey: string): Target {
  const client = new TablesServiceClient(address, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${apiKey}`);
  const requestorInfo = {
    requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
    cardMachineRequestorInfo: undefined,
    consumerDeviceRequestorInfo: {},
  };
  return {
    process,
    close: () => client.close(),
    send: () =>
      new Promise((resolve) => {
        client.listTables({ statuses: [], requestorInfo } as never, metadata, (error: ServiceError | null) =>
          resolve(error?.message ?? null),
        );
      }),
  };
}

/** Restarts one process after the other under load, and returns what failed. */
async function restartUnderLoad(targets: readonly Target[]): Promise<readonly string[]> {
  const load = new Load(targets);
  try {
    await load.untilCount(20);
    for (const { process } of targets) {
      await process.stop();
      process.start();
      await process.untilReady();
      await load.untilCount(20);
    }
  } finally {
    await load.end();
  }
  return load.failures;
}

const zip = (app: string, addresses: readonly string[]) =>
  listProcesses(app).map((process, index) => [process, addresses[index] ?? ''] as const);
const key = () => ({ authorization: `Basic ${world.accounts[0]?.keys.full ?? ''}`, version: '2026-02-27' });

test.each<[string, () => readonly Target[]]>([
  [
    'the API',
    () => zip('api', world.addresses.api).map(([each, url]) => createHttpTarget(each, `${url}/webhooks`, key())),
  ],
  [
    'the card vault',
    () =>
      zip('card-vault', world.addresses.cardVault).map(([each, url]) =>
        createHttpTarget(each, `${url}/openapi.json`, {}),
      ),
  ],
  [
    'the payment page',
    () =>
      zip('checkout', [world.addresses.checkout]).map(([each, url]) =>
        createHttpTarget(each, `${url}/checkout/pi_sandbox_x`, {}),
      ),
  ],
  [
    'the portal',
    () => zip('portal', [world.addresses.portal]).map(([each, url]) => createHttpTarget(each, `${url}/`, {})),
  ],
  [
    'the EPOS tester',
    () =>
      zip('epos-tester', [world.addresses.eposTester]).map(([each, url]) =>
        createHttpTarget(each, `${url}/flows`, key()),
      ),
  ],
  [
    'the gateway over gRPC',
    () => {
      const account = world.accounts.find(({ epos }) => epos.way !== 'grpc-stream' && !/ws/.test(epos.way));
      return zip('pay-at-table-gateway', world.addresses.gatewayGrpc).map(([each, address]) =>
        createGrpcTarget(each, address, account?.keys.device ?? ''),
      );
    },
  ],
])(
  'no request fails while each process of %s is restarted',
  async (_, createTargets) => {
    const targets = createTargets();
    expect(targets.length).toBeGreaterThan(0);
    expect(await restartUnderLoad(targets)).toEqual([]);
  },
  LIMIT_MS,
);

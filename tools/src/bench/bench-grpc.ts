import { randomUUID } from 'node:crypto';
import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { type RequestorInfo, RequestorType, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { buildDevicePayment } from '../e2e/device-payment.js';
import type { BenchWorld } from './bench-world.js';
import { startEtcd } from './etcd/bench-etcd.js';
import { MACHINES, RECORDABLE_VALUE, type RecordablePayments } from './growth/recordable-payments.js';
import { type Child, canConnect, startChild } from './load/child.js';
import { type LoadComparison, compare, type LoadRound, warmUp } from './load/load.js';
import type { ProcessorMeter } from '../processes/processor-time.js';

const DEADLINE_MS = 30_000;

interface Options {
  readonly inFlights: readonly number[];
  readonly forMs: number;
  readonly turns: number;
}

function startFloor({ account, ports, eposAddress }: BenchWorld, databaseUrl: string): Promise<Child> {
  return startChild(
    'floors/floor-grpc.js',
    {
      DATABASE_URL: databaseUrl,
      PORT: String(ports.floorGrpc),
      EPOS_ADDRESS: eposAddress,
      ACCOUNT_ID: account.accountId,
    },
    () => canConnect(`127.0.0.1:${ports.floorGrpc}`),
  );
}

/** Lock, record, unlock over gRPC: the gateway against a bare relay to the same EPOS with the same rows. */
export async function benchGrpc(bench: BenchWorld, options: Options): Promise<LoadComparison[]> {
  const { world, account, ports } = bench;
  const floor = await startFloor(bench, world.appsDatabaseUrl);
  const gateway = openTables(world.addresses.gatewayGrpc[0] ?? '');
  const bare = openTables(`127.0.0.1:${ports.floorGrpc}`);
  const metadata = buildMetadata(account.keys.device);
  const payments = await bench.recordablePayments();
  const results: LoadComparison[] = [];
  try {
    const ways = {
      ours: { round: lockRecordUnlock(gateway, { metadata, payments }), meter: bench.ourMeter },
      floor: {
        round: lockRecordUnlock(bare, { metadata, payments }),
        meter: bench.createMeter({ name: 'floor', pid: floor.pid }),
      },
    };
    await warmUp(ways, { inFlight: Math.max(...options.inFlights), forMs: options.forMs });
    await bench.settle();
    for (const inFlight of options.inFlights) {
      results.push(await compare(ways, { ...options, inFlight, warmUpMs: 1_000 }));
    }
  } finally {
    gateway.close();
    bare.close();
    await floor.stop();
  }
  return results;
}

/** Against etcd's lock + put + unlock: the gateway, and a relay to the same EPOS that stores nothing. */
export interface EtcdComparison {
  readonly gateway: readonly LoadComparison[];
  readonly relay: readonly LoadComparison[];
}

/**
 * The same against etcd: a widely used store for locks, which calls no EPOS, checks no bill and refunds nothing. The
 * relay shows the best possible result with this wire and EPOS. Null, with a printed line, where etcd is not installed.
 */
export async function benchEtcdComparison(
  bench: BenchWorld,
  options: Options & {
    readonly say: (line: string) => void;
    /** False: without the relay, which is left empty. */
    readonly hasRelay: boolean;
  },
): Promise<EtcdComparison | null> {
  const { world, account, ports } = bench;
  const etcd = await startEtcd(ports.etcd);
  if (etcd === null) {
    options.say('etcd is not installed here (Debian: etcd-server), so it is not compared');
    return null;
  }
  const metadata = buildMetadata(account.keys.device);
  const payments = await bench.recordablePayments();
  const etcdMeter = bench.createMeter({ name: 'etcd', pid: etcd.pid });
  const compareWith = async (address: string, meter: ProcessorMeter): Promise<LoadComparison[]> => {
    const client = openTables(address);
    try {
      const ways = {
        ours: { round: lockRecordUnlock(client, { metadata, payments }), meter },
        floor: { round: etcd.round, meter: etcdMeter },
      };
      await warmUp(ways, { inFlight: Math.max(...options.inFlights), forMs: options.forMs });
      const results: LoadComparison[] = [];
      for (const inFlight of options.inFlights) {
        results.push(await compare(ways, { ...options, inFlight, warmUpMs: 1_000 }));
      }
      return results;
    } finally {
      client.close();
    }
  };
  try {
    const gateway = await compareWith(world.addresses.gatewayGrpc[0] ?? '', bench.ourMeter);
    if (!options.hasRelay) return { gateway, relay: [] };
    const relay = await startFloor(bench, '');
    try {
      const meter = bench.createMeter({ name: 'relay', pid: relay.pid });
      return { gateway, relay: await compareWith(`127.0.0.1:${ports.floorGrpc}`, meter) };
    } finally {
      await relay.stop();
    }
  } finally {
    await etcd.stop();
  }
}

export function buildMetadata(apiKey: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${apiKey}`);
  return metadata;
}

export function openTables(address: string): TablesServiceClient {
  return new TablesServiceClient(address, credentials.createInsecure());
}

/** More sessions than rounds in flight, so that no round waits for the lock of another. */
const SESSION_IDS = Array.from({ length: MACHINES }, () => randomUUID());

/** A round of a device: lock, record of a card payment that its machine has taken, unlock. */
export function lockRecordUnlock(
  client: TablesServiceClient,
  { metadata, payments }: { readonly metadata: Metadata; readonly payments: RecordablePayments },
): LoadRound {
  return async (number) => {
    const sessionId = SESSION_IDS[number % MACHINES] ?? '';
    const recordable = payments.next(number);
    const requestorInfo: RequestorInfo = {
      requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
      requestor: { $case: 'cardMachineRequestorInfo', value: { terminalId: recordable.tid, waiterId: 0 } },
    };
    const payment = buildDevicePayment({ ...recordable, sessionId, baseAmount: RECORDABLE_VALUE });
    await answer((done) => client.lockSession({ sessionId, requestorInfo }, metadata, options(), done));
    await answer((done) => client.recordPayment({ payment, requestorInfo }, metadata, options(), done));
    await answer((done) => client.unlockSession({ sessionId, requestorInfo }, metadata, options(), done));
  };
}

function options() {
  return { deadline: Date.now() + DEADLINE_MS };
}

function answer<A>(call: (done: (error: ServiceError | null, value: A) => void) => unknown): Promise<A> {
  return new Promise((resolve, reject) => {
    call((error, value) => {
      if (error === null) resolve(value);
      else reject(error);
    });
  });
}

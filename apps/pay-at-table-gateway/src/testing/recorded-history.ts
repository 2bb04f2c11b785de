import { Metadata } from '@grpc/grpc-js';
import { requireValue } from '@pos/core/refusals';
import { ROLES, type Scope } from '@pos/core/identity';
import { readTablesCallFrame, writeTablesRefusal, writeTablesResult } from '@pos/grpc-contracts/tables-frames';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import { type HistoryEvent, presentTablesError, serveTablesCall } from '@pos/sandbox/testing';
import { GrpcCall } from '@pos/service-kit/grpc';
import { createLog } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { LeaseLost } from '@pos/store/queues';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountEposClient } from '../epos-port/account-epos-client.js';
import { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome, TablesCallRequest, CallFence } from '../epos-calls/tables-call.js';
import { TablesSocketTransport } from '../epos-transports/tables-socket-transport.js';
import { createTestTableServices, type TableServices } from './table-services.js';
import type { TableTestEnvironment } from './table-world.js';

const RUNNER_LEASE_MS = 400;
const CALL_LIMIT_MS = 800;
/** Longer than the lease of a runner and the longest call: after this pause another runner has the payment. */
const SLEEP_MS = 1_400;
/** The number of each fault. */
const FAULT_PROBABILITY = 0.5;
const DEVICE_DEADLINE_MS = 3_000;

/** The faults of a record call, each with its remaining number of injections. */
export type RecordFault =
  | 'asleepBeforeFenceCheck'
  | 'asleepBeforeSending'
  | 'asleepBeforeAnswer'
  | 'answerLost'
  | 'killed';
export type RecordFaultCounts = Partial<Record<RecordFault, number>>;

/** The running record call of the current asynchronous context. */
interface RecordCall {
  readonly payment: string;
  readonly fence: number;
  /** The deadline of its caller: a lease that is found valid is valid until then. */
  readonly untilAt: number;
}

/**
 * A gateway that calls the EPOS of the test over a production socket transport. It records each fence check and each record
 * call. It injects faults into its record calls: pauses longer
 * than the lease, lost answers, and killed runners.
 */
export class InstrumentedGateway {
  readonly tables: TableServices;
  readonly #recording = new AsyncLocalStorage<RecordCall>();
  readonly #socket: TablesSocketTransport;

  constructor(
    private readonly parts: {
      readonly name: string;
      readonly environment: TableTestEnvironment;
      readonly events: HistoryEvent[];
      /** The remaining faults, shared by several gateways. */
      readonly remainingFaults: RecordFaultCounts;
      /** From 0 to 1. */
      readonly drawChance: () => number;
      /** Which device a payment is of, and at which session. */
      readonly findPaymentDevice: (payment: string) => { readonly device: string; readonly session: string };
    },
  ) {
    const { environment, name } = parts;
    const log = createLog({ app: 'test', level: 'fatal', write: (line) => process.stderr.write(line) });
    this.#socket = new TablesSocketTransport({
      ...{ connectionId: name, scope: environment.scope, log },
      connection: { send: (text) => this.#sendFrame(text), terminate: () => undefined },
      database: { read: (scope, work) => this.#readFence(scope, work) },
    });
    const accounts = new AccountCache();
    const settings: PaymentSettings = { ...DEFAULT_PAYMENT_SETTINGS, fault: (at) => this.#injectKill(at) };
    const askOrders = () => Promise.reject(new Error('the sandbox keeps sessions here, no orders'));
    this.tables = createTestTableServices({
      ...{ database: environment.database, accounts, settings, callData: askOrders, log },
      intents: new PaymentIntents(accounts, settings),
      sessions: new TerminalSessions(accounts, settings),
      getEpos: (scope) => this.#createEpos(scope),
      acquirerAddress: '127.0.0.1:1',
      runnerLeaseMs: RUNNER_LEASE_MS,
      lockLeaseMs: 600_000,
      callLimitMs: CALL_LIMIT_MS,
    });
  }

  #createEpos(scope: Scope) {
    return new AccountEposClient(
      {
        tablesClient: {
          callTables: async (callRequest) => {
            const outcomePromise =
              callRequest.fence === null
                ? this.#callTables(callRequest)
                : this.#callRecord(callRequest, callRequest.fence);
            return { outcome: await outcomePromise, transport: 'socket', connectionId: this.parts.name };
          },
        },
        dataClient: { callData: () => Promise.reject(new Error('no orders here')) },
        locks: { findLockId: () => Promise.resolve({ lockId: null, isGone: false }) },
      },
      scope,
    );
  }

  #callTables(callRequest: TablesCallRequest): Promise<TablesOutcome> {
    return this.#socket.call(callRequest, Deadline.createAfter(callRequest.waitMs));
  }

  async #callRecord(callRequest: TablesCallRequest, { subject: payment, fence }: CallFence): Promise<TablesOutcome> {
    await this.#sleepOnFault('asleepBeforeFenceCheck');
    const deadline = Deadline.createAfter(callRequest.waitMs);
    const recording = { payment, fence, untilAt: performance.now() + callRequest.waitMs };
    const outcome = await this.#recording.run(recording, () => this.#socket.call(callRequest, deadline));
    await this.#sleepOnFault('asleepBeforeAnswer');
    return outcome;
  }

  /** The fence check of the socket: whether the runner of the call still has its payment. */
  #readFence: Database['read'] = async (scope, work) => {
    const { untilAt, ...recordCall } = requireValue(
      this.#recording.getStore(),
      'the record call that is looked up for',
    );
    const addEvent = (liveUntil: number | null): void => {
      const { name: gateway, events } = this.parts;
      events.push({ is: 'leaseFound', gateway, ...recordCall, liveUntil, answeredAt: performance.now() });
    };
    try {
      const found = await this.parts.environment.database.read(scope, work);
      addEvent(untilAt);
      await this.#sleepOnFault('asleepBeforeSending');
      return found;
    } catch (error) {
      if (error instanceof LeaseLost) addEvent(null);
      throw error;
    }
  };

  #sendFrame(text: string): boolean {
    const { name: gateway, environment, events, findPaymentDevice } = this.parts;
    const frame = readTablesCallFrame(text);
    if (frame.is !== 'call') throw new Error(`the EPOS does not understand ${text}`);
    const recording = this.#recording.getStore();
    if (frame.call.$case === 'recordPayment') {
      const { payment, fence } = requireValue(recording, 'the record call that is sent');
      const recordCall = { payment, fence, ...findPaymentDevice(payment) };
      events.push({ is: 'recordBegun', gateway, ...recordCall, at: performance.now() });
    }
    void serveTablesCall(environment.eposSimulator, frame.call, {
      transport: 'tables-ws',
      merchantName: 'The Oyster Shed',
    }).then((served) => {
      if (recording !== undefined && this.#takeFault('answerLost')) return;
      if (served.kind === 'answer') this.#socket.receiveFrame(writeTablesResult(frame.id, served.answer));
      if (served.kind === 'refusal') {
        this.#socket.receiveFrame(writeTablesRefusal(frame.id, presentTablesError(served.code, served.reason)));
      }
    });
    return true;
  }

  /** A runner that crashes leaves its payment claimed; the next runner waits for the end of the claim. */
  #injectKill(at: Parameters<PaymentSettings['fault']>[0]): void {
    const isOfRecord = at === 'after-commit-before-record' || at === 'after-record-before-stored';
    if (isOfRecord && this.#takeFault('killed')) throw new Error('killed');
  }

  async #sleepOnFault(recordFault: RecordFault): Promise<void> {
    if (this.#takeFault(recordFault)) await pause(SLEEP_MS);
  }

  #takeFault(recordFault: RecordFault): boolean {
    const left = this.parts.remainingFaults[recordFault] ?? 0;
    if (left === 0 || this.parts.drawChance() > FAULT_PROBABILITY) return false;
    this.parts.remainingFaults[recordFault] = left - 1;
    return true;
  }
}

/** A device's call, as the server passes it on. */
export async function createDeviceCall(scope: Scope): Promise<GrpcCall> {
  const metadata = new Metadata();
  metadata.set('authorization', 'Basic key');
  const call = new GrpcCall({
    rpc: 'service.tables.v1.TablesService/RecordPayment',
    trace: { traceId: '0'.repeat(32), spanId: '0'.repeat(16), parentId: null, isSampled: false },
    peer: 'test',
    signal: new AbortController().signal,
    metadata,
    deadlineAtMs: Date.now() + DEVICE_DEADLINE_MS,
    checkPartners: null,
    authenticate: () => Promise.resolve({ scope, keyId: 'key_test', permissions: new Set(ROLES.full) }),
  });
  await call.admitCaller('tables.use');
  return call;
}

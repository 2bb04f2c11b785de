import { Metadata } from '@grpc/grpc-js';
import { required } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import { ROLES } from '@pos/core/permissions';
import { hearTablesCall, writeTablesRefusal, writeTablesResult } from '@pos/grpc-contracts/tables-frames';
import { AccountCache } from '@pos/payments/accounts';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import { serveTablesCall } from '@pos/sandbox/epos-calls';
import { presentError } from '@pos/sandbox/epos-wire';
import type { HistoryEvent } from '@pos/sandbox/session-history';
import { GrpcCall } from '@pos/service-kit/grpc-call';
import { openLog } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { LeaseLost } from '@pos/store/timers';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountEpos } from '../epos/account-epos.js';
import { Deadline, type EposOutcome, type EposWish, type CallFence } from '../epos/tables-call.js';
import { TablesSocket } from '../epos/tables-socket.js';
import { assembleTables, type Tables } from '../journeys/journey-assembly.js';
import type { TableStage } from '../journeys/testing.js';

const RUNNER_LEASE_MS = 400;
const CALL_LIMIT_MS = 800;
/** Past the lease of a runner and the longest call: whoever sleeps so long has been replaced when it wakes up. */
const ASLEEP_MS = 1_400;
/** Of each thing that may happen to a call. */
const CHANCE = 0.5;
const PATIENCE_MS = 3_000;

/** What may befall a record call, and how often each still happens at all: a payment's own pauses grow. */
export type Trouble = 'asleepBeforeLook' | 'asleepBeforeSending' | 'asleepBeforeHearing' | 'answerLost' | 'killed';
export type Troubles = Partial<Record<Trouble, number>>;

/** The record call that is under way wherever this is read. */
interface Recording {
  readonly payment: string;
  readonly fence: number;
  /** When its caller waits no longer: a lease that is found live is live up to then. */
  readonly untilAt: number;
}

/**
 * A gateway whose calls go over a socket of production to the EPOS of a stage, and which notes when it found that its
 * runner has a payment and when it wrote a record call. Things befall its record calls: it falls asleep past its lease,
 * answers are lost, its runner is killed.
 */
export class WatchedGateway {
  readonly tables: Tables;
  readonly #recording = new AsyncLocalStorage<Recording>();
  readonly #socket: TablesSocket;

  constructor(
    private readonly parts: {
      readonly name: string;
      readonly stage: TableStage;
      readonly events: HistoryEvent[];
      /** What is left to befall any of the gateways that share it. */
      readonly troubles: Troubles;
      /** From 0 to 1. */
      readonly draw: () => number;
      /** Which device a payment is of, and at which session. */
      readonly ownerOf: (payment: string) => { readonly device: string; readonly session: string };
    },
  ) {
    const { stage, name } = parts;
    const log = openLog({ app: 'test', level: 'fatal', write: (line) => process.stderr.write(line) });
    this.#socket = new TablesSocket({
      ...{ connectionId: name, log },
      line: { send: (text) => this.#send(text), cut: () => undefined },
      database: { read: (scope, work) => this.#look(scope, work) },
    });
    const accounts = new AccountCache();
    const settings: PaymentSettings = { ...DEFAULT_PAYMENT_SETTINGS, fault: (at) => this.#passes(at) };
    const askOrders = () => Promise.reject(new Error('the sandbox keeps sessions here, no orders'));
    this.tables = assembleTables({
      ...{ database: stage.database, accounts, settings, askOrders, log },
      intents: new PaymentIntents(accounts),
      sessions: new TerminalSessions(accounts, settings),
      eposOf: (scope) => this.#eposOf(scope),
      acquirerAddress: '127.0.0.1:1',
      runnerLeaseMs: RUNNER_LEASE_MS,
      lockLeaseMs: 600_000,
      callLimitMs: CALL_LIMIT_MS,
    });
  }

  #eposOf(scope: Scope) {
    return new AccountEpos(
      {
        call: async (wish) => {
          const made = wish.fence === null ? this.#called(wish) : this.#recorded(wish, wish.fence);
          return { outcome: await made, way: 'socket', connectionId: this.parts.name };
        },
        ask: () => Promise.reject(new Error('no orders here')),
      },
      scope,
      { idFor: () => Promise.resolve({ lockId: null, isGone: false }) },
    );
  }

  #called(wish: EposWish): Promise<EposOutcome> {
    return this.#socket.call(wish, Deadline.in(wish.waitMs));
  }

  async #recorded(wish: EposWish, { subject: payment, fence }: CallFence): Promise<EposOutcome> {
    await this.#sleepIf('asleepBeforeLook');
    const deadline = Deadline.in(wish.waitMs);
    const recording = { payment, fence, untilAt: performance.now() + wish.waitMs };
    const outcome = await this.#recording.run(recording, () => this.#socket.call(wish, deadline));
    await this.#sleepIf('asleepBeforeHearing');
    return outcome;
  }

  /** The database as the socket asks it: whether the runner of the call still has its payment. */
  #look: Database['read'] = async (scope, work) => {
    const { untilAt, ...of } = required(this.#recording.getStore(), 'the record call that is looked up for');
    const note = (liveUntil: number | null): void => {
      const { name: gateway, events } = this.parts;
      events.push({ is: 'leaseFound', gateway, ...of, liveUntil, heardAt: performance.now() });
    };
    try {
      const found = await this.parts.stage.database.read(scope, work);
      note(untilAt);
      await this.#sleepIf('asleepBeforeSending');
      return found;
    } catch (error) {
      if (error instanceof LeaseLost) note(null);
      throw error;
    }
  };

  #send(text: string): boolean {
    const { name: gateway, stage, events, ownerOf } = this.parts;
    const heard = hearTablesCall(text);
    if (heard.is !== 'call') throw new Error(`the EPOS does not understand ${text}`);
    const recording = this.#recording.getStore();
    if (heard.call.$case === 'recordPayment') {
      const { payment, fence } = required(recording, 'the record call that is sent');
      const of = { payment, fence, ...ownerOf(payment) };
      events.push({ is: 'recordBegun', gateway, ...of, at: performance.now() });
    }
    void serveTablesCall(stage.door, heard.call, { transport: 'tables-ws', merchantName: 'The Oyster Shed' }).then(
      (served) => {
        if (recording !== undefined && this.#befalls('answerLost')) return;
        if (served.kind === 'answer') this.#socket.hear(writeTablesResult(heard.id, served.answer));
        if (served.kind === 'refusal') {
          this.#socket.hear(writeTablesRefusal(heard.id, presentError(served.code, served.reason)));
        }
      },
    );
    return true;
  }

  /** A runner that dies leaves its payment claimed; whoever comes next waits for the end of that. */
  #passes(at: Parameters<PaymentSettings['fault']>[0]): void {
    const isOfRecord = at === 'after-commit-before-record' || at === 'after-record-before-stored';
    if (isOfRecord && this.#befalls('killed')) throw new Error('killed');
  }

  async #sleepIf(trouble: Trouble): Promise<void> {
    if (this.#befalls(trouble)) await pause(ASLEEP_MS);
  }

  #befalls(trouble: Trouble): boolean {
    const left = this.parts.troubles[trouble] ?? 0;
    if (left === 0 || this.parts.draw() > CHANCE) return false;
    this.parts.troubles[trouble] = left - 1;
    return true;
  }
}

/** A device's call, as the server hands it on. */
export async function deviceCall(scope: Scope): Promise<GrpcCall> {
  const metadata = new Metadata();
  metadata.set('authorization', 'Basic key');
  const call = new GrpcCall({
    rpc: 'service.tables.v1.TablesService/RecordPayment',
    trace: { traceId: '0'.repeat(32), spanId: '0'.repeat(16), parentId: null, isSampled: false },
    peer: 'test',
    signal: new AbortController().signal,
    metadata,
    deadlineAtMs: Date.now() + PATIENCE_MS,
    authenticate: () => Promise.resolve({ scope, keyId: 'key_test', permissions: new Set(ROLES.full) }),
  });
  await call.admit('tables.use');
  return call;
}

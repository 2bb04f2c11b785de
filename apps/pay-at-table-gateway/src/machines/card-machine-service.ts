import { status } from '@grpc/grpc-js';
import { isId } from '@pos/core/identity';
import { toStorableText } from '@pos/core/refusals';
import type { ConnectRequest, ConnectResponse, Hello, Report } from '@pos/grpc-contracts/card-machine';
import type { MachineApprovals } from '@pos/payments/acquirer-calls';
import { type GrpcCall, GrpcFailure } from '@pos/service-kit/grpc';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { findTerminalByTid, findTerminalSession, type Terminal } from '@pos/store/terminals';
import { randomUUID } from 'node:crypto';
import type { ConnectionRegistry, LocalConnection } from '../connections/connection-registry.js';
import { StreamConnection } from '../connections/stream-connection.js';
import type { ConnectionMonitor } from '../connections/connection-monitor.js';
import {
  buildMachineHeartbeat,
  type MachineConnection,
  type MachineCommandDispatcher,
} from './machine-command-dispatcher.js';
import { admitMachine, type TerminalSessions } from '@pos/payments/terminals';
import { findDigitsProblem, readReport } from './machine-wire.js';

/** The dependencies of CardMachineService. */
export interface CardMachineDependencies {
  readonly database: Database;
  readonly registry: ConnectionRegistry;
  readonly monitor: ConnectionMonitor;
  readonly dispatcher: MachineCommandDispatcher;
  readonly sessions: TerminalSessions;
  readonly approvals: MachineApprovals;
  readonly log: Log;
}

const MACHINE_HELLO_TIMEOUT_MS = 5_000;
const MACHINE_HEARTBEAT_INTERVAL_MS = 20_000;
/** A terminal is Offline after this time without a message, and its stream ends. */
const MACHINE_IDLE_TIMEOUT_MS = 60_000;
const TID_LENGTH_MAX = 64;
const SERIAL_NUMBER = /^[\x20-\x7e]{1,64}$/;
const CREDENTIAL = /^[\x21-\x7e]{32,128}$/;

/** Serves the streams of card machines: sends commands, and stores numbered reports, each acknowledged after its commit. */
export class CardMachineService {
  constructor(private readonly parts: CardMachineDependencies) {}

  /** Serves a stream until either side ends it. */
  connect(messages: AsyncIterable<ConnectRequest>, call: GrpcCall): AsyncIterable<ConnectResponse> {
    const connection = new StreamConnection<ConnectRequest, ConnectResponse>(messages, call);
    void this.#serveConnection(connection).then(
      () => connection.end(),
      (error: unknown) => connection.end(error instanceof Error ? error : new Error('a machine stream failed')),
    );
    return connection.output;
  }

  async #serveConnection(connection: StreamConnection<ConnectRequest, ConnectResponse>): Promise<void> {
    const hello = requireMachineHello(await connection.receiveFirst(MACHINE_HELLO_TIMEOUT_MS));
    const { scope } = connection.call.caller;
    const { database, registry, monitor, dispatcher } = this.parts;
    const terminal = await database.read(scope, (reader) => findTerminalByTid(reader, hello.tid));
    if (terminal === null) throw new GrpcFailure(status.NOT_FOUND, 'hello.tid: the account has no such terminal');

    const boundAt = await this.#admitMachine(connection, terminal, hello);

    const connectionId = randomUUID();
    const registration = await registry.open(
      scope,
      { connectionId, kind: 'machine', key: terminal.tid, inUse: hello.inUse },
      {
        onReplaced: () => connection.end(new GrpcFailure(status.ABORTED, 'replaced by a newer stream of this TID')),
        onLost: () =>
          connection.end(
            new GrpcFailure(status.UNAVAILABLE, 'the connection is not registered any more: connect again'),
          ),
      },
    );
    const machine: MachineConnection = {
      scope,
      terminalId: terminal.id,
      boundAt,
      connection,
      clockOffsetMs: 0,
      sessionId: null,
    };
    const stopMonitoring = monitor.monitor(connection, {
      sendHeartbeat: () => connection.send(buildMachineHeartbeat(machine)),
      reauthorise: () => connection.call.recheckKey(),
      heartbeatIntervalMs: MACHINE_HEARTBEAT_INTERVAL_MS,
      idleTimeoutMs: MACHINE_IDLE_TIMEOUT_MS,
    });
    try {
      connection.send(buildMachineWelcome(connectionId));
      await this.#resumeSession(machine, hello);
      dispatcher.add(machine);
      for await (const message of connection.receiveMessages())
        await this.#handleMessage(message, { machine, held: registration, terminal });
    } finally {
      stopMonitoring();
      dispatcher.remove(machine);
      await registry.close(registration);
    }
  }

  /** Admits the machine that is bound to the terminal, or binds the first one. Returns the time of the binding. */
  async #admitMachine(
    { call: { caller } }: StreamConnection<ConnectRequest, ConnectResponse>,
    terminal: Terminal,
    { serialNumber, credential }: Hello,
  ): Promise<Date> {
    const { database, log } = this.parts;
    const { scope } = caller;
    const admission = await database.transact(scope, (tx) => admitMachine(tx, terminal, { serialNumber, credential }));
    const logFields = { account_id: scope.accountId, tid: terminal.tid, serial_number: serialNumber };
    if (admission.outcome === 'admitted') {
      if (admission.isNew) log.info('machine.bound', logFields);
      return admission.boundAt;
    }
    log.warn('machine.refused', { ...logFields, reason: admission.outcome });
    throw new GrpcFailure(status.PERMISSION_DENIED, ADMISSION_REFUSALS[admission.outcome]);
  }

  /** Stops an unfinished session of the machine that is not a session of this terminal. The commands of a known session follow. */
  async #resumeSession(machine: MachineConnection, { unfinishedSession }: Hello): Promise<void> {
    if (unfinishedSession === undefined) return;
    const { terminalSessionId } = unfinishedSession;
    const session = await this.parts.database.read(machine.scope, (reader) =>
      findTerminalSession(reader, terminalSessionId),
    );
    if (session?.terminalId === machine.terminalId) machine.sessionId = session.id;
    else machine.connection.send({ message: { $case: 'stop', value: { terminalSessionId } } });
  }

  async #handleMessage(
    { message }: ConnectRequest,
    context: { readonly machine: MachineConnection; readonly held: LocalConnection; readonly terminal: Terminal },
  ): Promise<void> {
    switch (message?.$case) {
      case 'report':
        await this.#storeReport(message.value, context);
        return;
      case 'heartbeat':
        void this.parts.registry.recordActivity(context.held, message.value.inUse);
        return;
      case 'hello':
        throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello: was sent before');
      case undefined:
        throw new GrpcFailure(status.INVALID_ARGUMENT, 'message: is missing');
    }
  }

  /** A report whose commit fails ends the stream: the machine connects again and repeats it. */
  async #storeReport(
    reportMessage: Report,
    { machine, terminal }: { readonly machine: MachineConnection; readonly terminal: Terminal },
  ): Promise<void> {
    const { database, sessions, approvals, log } = this.parts;
    const { scope } = machine;
    const { terminalSessionId: sessionId, number } = reportMessage;
    const report = readReport(reportMessage);
    const reason = findDigitsProblem(reportMessage);
    // The sent text is never logged: it may be a whole card number.
    if (reason !== null) {
      const logFields = { account_id: scope.accountId, tid: terminal.tid, session_id: sessionId };
      log.warn('machine.card_unreadable', { ...logFields, reason });
    }
    if (report.kind === 'unreadable' || report.kind === 'unreadableApproval') {
      // A repeat would not be readable either, so it is acknowledged.
      log.error('machine.report_unreadable', { account_id: scope.accountId, tid: terminal.tid, session_id: sessionId });
    }
    const checked = report.kind === 'approved' ? await approvals.confirm(scope, sessionId, report) : report;
    const { stop, isPostponed } = await database.transact(scope, (tx) =>
      sessions.applyReport(tx, { terminal, sessionId, report: checked }),
    );
    if (isPostponed) {
      log.error('machine.reports_missing', {
        ...{ account_id: scope.accountId, tid: terminal.tid, session_id: sessionId, number, kind: report.kind },
      });
      throw new GrpcFailure(
        status.UNAVAILABLE,
        `report ${number}: reports before it are missing: connect again and repeat them`,
      );
    }
    if (stop && machine.sessionId === sessionId) machine.sessionId = null;
    else if (!stop && isId('terminalSession', sessionId)) machine.sessionId = sessionId;
    machine.connection.send(buildAcknowledgement(sessionId, number, stop));
    log.info('machine.reported', {
      account_id: scope.accountId,
      tid: terminal.tid,
      session_id: sessionId,
      number,
      kind: report.kind,
      stop,
    });
  }
}

const ADMISSION_REFUSALS = {
  credentialDiffers:
    'hello.credential: this TID belongs to a machine with another credential; an operator can reset which machine it belongs to',
  serialNumberDiffers:
    'hello.serial_number: this TID belongs to a machine with another serial number; an operator can reset which machine it ' +
    'belongs to',
} as const;

function requireMachineHello({ message }: ConnectRequest): Hello {
  if (message?.$case !== 'hello') throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello: must be the first message');
  const { tid, serialNumber, credential } = message.value;
  if (tid === '' || tid.length > TID_LENGTH_MAX || tid !== toStorableText(tid)) {
    const rule = `must be 1 to ${TID_LENGTH_MAX} characters, none of them NUL`;
    throw new GrpcFailure(status.INVALID_ARGUMENT, `hello.tid: ${rule}`);
  }
  if (!SERIAL_NUMBER.test(serialNumber)) {
    throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello.serial_number: must be 1 to 64 printable ASCII characters');
  }
  if (credential === '') throw new GrpcFailure(status.UNAUTHENTICATED, 'hello.credential: is missing');
  if (!CREDENTIAL.test(credential)) {
    throw new GrpcFailure(
      status.UNAUTHENTICATED,
      'hello.credential: must be 32 to 128 printable ASCII characters without spaces',
    );
  }
  return message.value;
}

function buildMachineWelcome(connectionId: string): ConnectResponse {
  const heartbeatInterval = { seconds: BigInt(MACHINE_HEARTBEAT_INTERVAL_MS / 1_000), nanos: 0 };
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval } } };
}

function buildAcknowledgement(terminalSessionId: string, reportNumber: number, stop: boolean): ConnectResponse {
  return { message: { $case: 'ack', value: { terminalSessionId, reportNumber, stop } } };
}

import { status } from '@grpc/grpc-js';
import { isId } from '@pos/core/identity';
import { toStorableText } from '@pos/core/storable-text';
import type { ConnectRequest, ConnectResponse, Hello, Report } from '@pos/grpc-contracts/card-machine';
import type { TerminalSessions } from '@pos/payments/terminal-sessions';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { findTerminalSession } from '@pos/store/terminal-sessions';
import { findTerminalByTid, type Terminal } from '@pos/store/terminals';
import { randomUUID } from 'node:crypto';
import type { ConnectionRegistry, HeldConnection } from '../connections/connection-registry.js';
import { Line } from '../connections/line.js';
import type { LineKeeper } from '../connections/line-keeper.js';
import { heartbeatOf, type MachineLine, type MachineLines } from './machine-lines.js';
import { admitMachine } from '@pos/payments/machine-bindings';
import { findDigitsFault, readReport } from './machine-wire.js';

/** What serving card machines takes. */
export interface CardMachineParts {
  readonly database: Database;
  readonly registry: ConnectionRegistry;
  readonly keeper: LineKeeper;
  readonly lines: MachineLines;
  readonly sessions: TerminalSessions;
  readonly log: Log;
}

const HELLO_LIMIT_MS = 5_000;
const HEARTBEAT_EVERY_MS = 20_000;
/** A terminal that was not heard for so long is Offline; its stream goes with it. */
const DEAD_AFTER_MS = 60_000;
const TID_LENGTH_MAX = 64;
const SERIAL_NUMBER = /^[\x20-\x7e]{1,64}$/;
const CREDENTIAL = /^[\x21-\x7e]{32,128}$/;

/** The streams of card machines: orders down, numbered reports up, each acknowledged after its commit. */
export class CardMachines {
  constructor(private readonly parts: CardMachineParts) {}

  /** Serves a stream until either side ends it. */
  connect(messages: AsyncIterable<ConnectRequest>, call: GrpcCall): AsyncIterable<ConnectResponse> {
    const line = new Line<ConnectRequest, ConnectResponse>(messages, call);
    void this.#serve(line).then(
      () => line.end(),
      (error: unknown) => line.end(error instanceof Error ? error : new Error('a machine stream failed')),
    );
    return line.output;
  }

  async #serve(line: Line<ConnectRequest, ConnectResponse>): Promise<void> {
    const hello = helloOf(await line.first(HELLO_LIMIT_MS));
    const { scope } = line.call.caller;
    const { database, registry, keeper, lines } = this.parts;
    const terminal = await database.read(scope, (reader) => findTerminalByTid(reader, hello.tid));
    if (terminal === null) throw new GrpcFailure(status.NOT_FOUND, 'hello.tid: the account has no such terminal');

    const boundAt = await this.#admit(line, terminal, hello);

    const connectionId = randomUUID();
    const held = await registry.open(
      scope,
      { connectionId, kind: 'machine', key: terminal.tid, inUse: hello.inUse },
      {
        replaced: () => line.end(new GrpcFailure(status.ABORTED, 'replaced by a newer stream of this TID')),
        lost: () =>
          line.end(new GrpcFailure(status.UNAVAILABLE, 'the connection is not known any more: connect again')),
      },
    );
    const machine: MachineLine = { scope, terminalId: terminal.id, boundAt, line, leadMs: 0, sessionId: null };
    const release = keeper.keep(line, {
      beat: () => line.send(heartbeatOf(machine)),
      readmit: () => line.call.readmit(),
      everyMs: HEARTBEAT_EVERY_MS,
      deadAfterMs: DEAD_AFTER_MS,
    });
    try {
      line.send(welcome(connectionId));
      await this.#resume(machine, hello);
      lines.add(machine);
      for await (const message of line.heard()) await this.#hear(message, { machine, held, terminal });
    } finally {
      release();
      lines.remove(machine);
      await registry.close(held);
    }
  }

  /** Lets in the machine that the terminal belongs to; the first one ever is bound to it. Returns which binding that is. */
  async #admit(
    { call: { caller } }: Line<ConnectRequest, ConnectResponse>,
    terminal: Terminal,
    { serialNumber, credential }: Hello,
  ): Promise<Date> {
    const { database, log } = this.parts;
    const { scope } = caller;
    const admission = await database.transact(scope, (tx) => admitMachine(tx, terminal, { serialNumber, credential }));
    const about = { account_id: scope.accountId, tid: terminal.tid, serial_number: serialNumber };
    if (admission.outcome === 'admitted') {
      if (admission.isNew) log.info('machine.bound', about);
      return admission.boundAt;
    }
    log.warn('machine.refused', { ...about, reason: admission.outcome });
    throw new GrpcFailure(status.PERMISSION_DENIED, REFUSED[admission.outcome]);
  }

  /** A session that we do not know of on this terminal ends there; of one that we know the orders follow by themselves. */
  async #resume(machine: MachineLine, { unfinishedSession }: Hello): Promise<void> {
    if (unfinishedSession === undefined) return;
    const { terminalSessionId } = unfinishedSession;
    const session = await this.parts.database.read(machine.scope, (reader) =>
      findTerminalSession(reader, terminalSessionId),
    );
    if (session?.terminalId === machine.terminalId) machine.sessionId = session.id;
    else machine.line.send({ message: { $case: 'stop', value: { terminalSessionId } } });
  }

  async #hear(
    { message }: ConnectRequest,
    at: { readonly machine: MachineLine; readonly held: HeldConnection; readonly terminal: Terminal },
  ): Promise<void> {
    switch (message?.$case) {
      case 'report':
        await this.#store(message.value, at);
        return;
      case 'heartbeat':
        void this.parts.registry.saw(at.held, message.value.inUse);
        return;
      case 'hello':
        throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello: was said already');
      case undefined:
        throw new GrpcFailure(status.INVALID_ARGUMENT, 'message: is missing');
    }
  }

  /** A report whose commit fails ends the stream: the machine connects again and repeats it. */
  async #store(
    wire: Report,
    { machine, terminal }: { readonly machine: MachineLine; readonly terminal: Terminal },
  ): Promise<void> {
    const { database, sessions, log } = this.parts;
    const { scope } = machine;
    const { terminalSessionId: sessionId, number } = wire;
    const report = readReport(wire);
    const reason = findDigitsFault(wire);
    // Never what was sent: it may be a whole number.
    if (reason !== null) {
      const about = { account_id: scope.accountId, tid: terminal.tid, session_id: sessionId };
      log.warn('machine.card_unreadable', { ...about, reason });
    }
    if (report === null) {
      // Repeating it would not make it readable. Whatever it said of money, the acquirer is asked once time has passed.
      log.error('machine.report_unreadable', { account_id: scope.accountId, tid: terminal.tid, session_id: sessionId });
      machine.line.send(acknowledgement(sessionId, number, false));
      return;
    }
    const { stop } = await database.transact(scope, (tx) => sessions.applyReport(tx, { terminal, sessionId, report }));
    if (stop && machine.sessionId === sessionId) machine.sessionId = null;
    else if (!stop && isId('terminalSession', sessionId)) machine.sessionId = sessionId;
    machine.line.send(acknowledgement(sessionId, number, stop));
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

const REFUSED = {
  credentialDiffers:
    'hello.credential: this TID belongs to a machine with another credential; an operator can reset which machine it belongs to',
  serialNumberDiffers:
    'hello.serial_number: this TID belongs to a machine with another serial number; an operator can reset which machine it ' +
    'belongs to',
} as const;

function helloOf({ message }: ConnectRequest): Hello {
  if (message?.$case !== 'hello') throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello: is to be the first message');
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

function welcome(connectionId: string): ConnectResponse {
  const heartbeatInterval = { seconds: BigInt(HEARTBEAT_EVERY_MS / 1_000), nanos: 0 };
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval } } };
}

function acknowledgement(terminalSessionId: string, reportNumber: number, stop: boolean): ConnectResponse {
  return { message: { $case: 'ack', value: { terminalSessionId, reportNumber, stop } } };
}

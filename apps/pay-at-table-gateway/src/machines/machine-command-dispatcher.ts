import { formatScope, type Scope, type TerminalId, type TerminalSessionId } from '@pos/core/identity';
import type { ConnectRequest, ConnectResponse } from '@pos/grpc-contracts/card-machine';
import { listMachineCommands, type MachineCommand } from '@pos/payments/terminals';
import type { PaymentSettings } from '@pos/payments/accounts';
import { status } from '@grpc/grpc-js';
import { GrpcFailure } from '@pos/service-kit/grpc';
import type { Log } from '@pos/service-kit/telemetry';
import { getAccountTime } from '@pos/store/clock';
import type { Database } from '@pos/store/database';
import { findMachineBindings } from '@pos/store/terminals';
import type { StreamConnection } from '../connections/stream-connection.js';
import { presentCommand } from './machine-wire.js';

/** A card machine whose stream this gateway serves. */
export interface MachineConnection {
  readonly scope: Scope;
  readonly terminalId: TerminalId;
  /** The binding of terminal and machine under which the stream serves. */
  readonly boundAt: Date;
  readonly connection: StreamConnection<ConnectRequest, ConnectResponse>;
  /** Account time minus the clock of this process, in ms; only in a sandbox other than 0. */
  clockOffsetMs: number;
  /** The session that runs on the machine, by its reports. */
  sessionId: TerminalSessionId | null;
}

const POLL_MS = 1_000;
const POLLED_ACCOUNTS_MAX = 4;

/**
 * Sends machines the commands of their sessions: at once after a hint, and every second without one. Unconfirmed commands
 * are sent again; a machine runs each session once.
 */
export class MachineCommandDispatcher {
  readonly #machines = new Map<string, MachineConnection>();
  #timer: NodeJS.Timeout | null = null;
  #unlisten: (() => Promise<unknown>) | null = null;
  #currentPoll: Promise<void> | null = null;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly settings: Pick<PaymentSettings, 'windows'>;
      readonly log: Log;
    },
  ) {}

  async start(): Promise<void> {
    const unlistenClock = await this.parts.database.listen('clock', (accountId) => {
      void this.#sendTime([...this.#machines.values()].filter(({ scope }) => scope.accountId === accountId));
    });
    const machines = await this.parts.database.listen('machines', (terminalId) => {
      // Hints for machines of other gateways arrive here too, and so do hints with TIDs.
      const machine = this.#machines.get(terminalId);
      if (machine !== undefined) void this.sendCommands([machine]);
    });
    this.#unlisten = () => Promise.all([unlistenClock(), machines()]);
    this.#timer = setInterval(() => void this.poll(), POLL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#unlisten?.();
    await this.#currentPoll;
  }

  /** Adds the stream of a terminal; it replaces an older one of this gateway. */
  add(machine: MachineConnection): void {
    this.#machines.set(machine.terminalId, machine);
    void this.#sendTime([machine]);
    void this.sendCommands([machine]);
  }

  remove(machine: MachineConnection): void {
    if (this.#machines.get(machine.terminalId) === machine) this.#machines.delete(machine.terminalId);
  }

  /** Sends the commands of all machines, with one query per account. Never rejects. */
  poll(): Promise<void> {
    this.#currentPoll ??= this.#pollAccounts().finally(() => {
      this.#currentPoll = null;
    });
    return this.#currentPoll;
  }

  /** Sends the commands of these machines of one account. Never rejects. */
  async sendCommands(machines: readonly MachineConnection[]): Promise<void> {
    const [first] = machines;
    if (first === undefined) return;
    const { database, settings, log } = this.parts;
    const terminalIds = machines.map(({ terminalId }) => terminalId);
    const sessionIds = machines.flatMap(({ sessionId }) => sessionId ?? []);
    try {
      const [commands, bindings] = await database.read(first.scope, (reader) =>
        Promise.all([
          listMachineCommands(reader, { terminalIds, sessionIds }, settings),
          findMachineBindings(reader, terminalIds),
        ]),
      );
      for (const machine of machines) {
        if (bindings.get(machine.terminalId)?.boundAt.getTime() !== machine.boundAt.getTime()) {
          machine.connection.end(
            new GrpcFailure(status.PERMISSION_DENIED, 'an operator has reset which machine this TID belongs to'),
          );
        }
      }
      for (const { terminalId, command } of commands) {
        const machine = machines.find((each) => each.terminalId === terminalId);
        if (machine !== undefined) sendCommand(machine, command);
      }
    } catch (error) {
      // The next poll repeats the query.
      log.warn('machines.poll_failed', { account_id: first.scope.accountId, error });
    }
  }

  /** Sends machines the time of their account: a sandbox's clock may have been advanced. Never rejects. */
  async #sendTime(machines: readonly MachineConnection[]): Promise<void> {
    const sandboxes = machines.filter(({ scope }) => scope.environment === 'sandbox');
    const [first] = sandboxes;
    if (first === undefined) return;
    try {
      const now = await this.parts.database.read(first.scope, getAccountTime);
      for (const machine of sandboxes) {
        machine.clockOffsetMs = now.getTime() - Date.now();
        machine.connection.send(buildMachineHeartbeat(machine));
      }
    } catch (error) {
      this.parts.log.warn('machines.poll_failed', { account_id: first.scope.accountId, error });
    }
  }

  async #pollAccounts(): Promise<void> {
    const accounts = new Map<string, MachineConnection[]>();
    for (const machine of this.#machines.values()) {
      const name = formatScope(machine.scope);
      accounts.set(name, [...(accounts.get(name) ?? []), machine]);
    }
    const waiting = [...accounts.values()];
    const pollNext = async (): Promise<void> => {
      for (let machines = waiting.shift(); machines !== undefined; machines = waiting.shift()) {
        await this.sendCommands(machines);
      }
    };
    await Promise.all(Array.from({ length: POLLED_ACCOUNTS_MAX }, pollNext));
  }
}

/** A heartbeat with the account time of the machine. */
export function buildMachineHeartbeat({ clockOffsetMs }: Pick<MachineConnection, 'clockOffsetMs'>): ConnectResponse {
  return { message: { $case: 'heartbeat', value: { sentAt: new Date(Date.now() + clockOffsetMs), inUse: false } } };
}

function sendCommand(machine: MachineConnection, command: MachineCommand): void {
  if (!machine.connection.send(presentCommand(command))) return;
  if (command.kind === 'start') machine.sessionId = command.sessionId;
  // A stop is the last command. If it is lost with the stream, the next hello names the session again.
  if (command.kind === 'stop' && machine.sessionId === command.sessionId) machine.sessionId = null;
}

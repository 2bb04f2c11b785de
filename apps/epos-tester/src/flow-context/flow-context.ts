import { Transport, type UnreadableMember } from '@pos/grpc-contracts/gateway-internal';
import type { Bill, Requestor } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import type { Session } from '@pos/grpc-contracts/tables';
import type { Account } from '@pos/core/accounts';
import type { CardPayments, CapturedPayment } from '../drivers/card-payments.js';
import type { EposDriver, TablesAnswer } from '../drivers/epos-driver.js';
import type { EposRegistrationReader } from './epos-registration-reader.js';
import type { OpenStep } from '@pos/conformance/checks';
import type { ClauseId } from '../checks/clauses.js';
import { OrderFlowState } from './order-flow-state.js';
import type { RunParams, TransportSelection } from './run-params.js';
import type { SessionReservations } from './session-reservations.js';

/** The flow that runs, and its current step. */
export interface StepContext {
  readonly flowContext: FlowContext;
  readonly step: OpenStep<ClauseId>;
}

/** Sends the record of a payment to the EPOS again. */
export type RecordRepeater = (context: StepContext, payment: CapturedPayment) => Promise<void>;

/** The state of a payment at the EPOS. `unknown`: it was sent, and its result is not known. */
export type RecordState = 'no' | 'recorded' | 'refused' | 'unknown';

/** What the steps of one run share: their services, their findings, and what must be cleaned up. */
export class FlowContext {
  /** Who calls the EPOS and pays. */
  device: Requestor['type'] = 'cardMachine';
  /** The session of the flow. */
  session: Session | null = null;
  /** Its bill as it was last read. */
  bill: Bill | null = null;
  /** What the EPOS must show as paid now. */
  expectedPaid: Money | null = null;
  /** Sessions that we have locked, or may have. */
  readonly locked = new Set<string>();
  /** Card payments of this run, with their state at the EPOS. */
  readonly payments = new Map<CapturedPayment, RecordState>();
  /** How the cleanup repeats the record of a payment that got no answer. Absent: by the pay-at-table contract. */
  readonly recordRepeaters = new Map<CapturedPayment, RecordRepeater>();
  /** The state of a flow of the EPOS Data API. */
  readonly orders = new OrderFlowState<StepContext>();
  /** The last answer to a call of the pay-at-table contract. */
  lastTablesAnswer: TablesAnswer | null = null;
  /** The members of it that the gateway could not read, or has completed. */
  lastUnreadable: readonly UnreadableMember[] = [];
  #transport: Promise<Transport> | null = null;

  constructor(
    readonly parts: {
      readonly runId: string;
      readonly flowName: string;
      readonly scope: Scope;
      readonly account: Account;
      readonly params: RunParams;
      readonly driver: EposDriver;
      readonly cards: CardPayments;
      readonly registration: EposRegistrationReader;
      readonly sessionReservations: SessionReservations;
    },
  ) {}

  get params(): RunParams {
    return this.parts.params;
  }

  /** The transport of the calls of this run; chosen once. */
  transport(): Promise<Transport> {
    const chosen = TRANSPORTS[this.params.transport];
    if (chosen !== null) return Promise.resolve(chosen);
    return (this.#transport ??= this.#grpc());
  }

  /** Whether this run calls an address of the EPOS, which must then accept our password. */
  async isCalledWithPassword(): Promise<boolean> {
    const transport = await this.transport();
    return transport === Transport.TRANSPORT_TABLES_GRPC_DIALLED || transport === Transport.TRANSPORT_EPOS_DATA_REST;
  }

  async #grpc(): Promise<Transport> {
    const { driver, scope } = this.parts;
    // Without a gateway there is no list; the call reports that.
    const connections = await driver.connections(scope).catch(() => []);
    const isStreaming = connections.some(({ transport }) => transport === Transport.TRANSPORT_TABLES_GRPC_STREAM);
    return isStreaming ? Transport.TRANSPORT_TABLES_GRPC_STREAM : Transport.TRANSPORT_TABLES_GRPC_DIALLED;
  }
}

/** Null: the stream of an EPOS that dialled in, otherwise its registered address. */
const TRANSPORTS = {
  auto: Transport.TRANSPORT_UNSPECIFIED,
  grpc: null,
  'grpc-stream': Transport.TRANSPORT_TABLES_GRPC_STREAM,
  'grpc-dialled': Transport.TRANSPORT_TABLES_GRPC_DIALLED,
  rest: Transport.TRANSPORT_EPOS_DATA_REST,
  ws: Transport.TRANSPORT_EPOS_DATA_WEBSOCKET,
  'tables-ws': Transport.TRANSPORT_TABLES_WEBSOCKET,
} as const satisfies Record<TransportSelection, Transport | null>;

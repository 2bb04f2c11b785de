import type { Bill } from '@pos/core/tables/bill';
import type { Scope } from '@pos/core/identity/identity';
import type { Requestor } from '@pos/core/tables/lease';
import type { Money } from '@pos/core/money/money';
import { Transport } from '@pos/grpc-contracts/gateway-internal';
import type { Session } from '@pos/grpc-contracts/tables';
import type { Account } from '@pos/core/accounts/account';
import type { CardPayments, CapturedPayment } from '../drivers/card-payments.js';
import type { EposDriver } from '../drivers/epos-driver.js';
import type { EposRegister } from './epos-register.js';
import type { OpenStep } from '../checks/open-step.js';
import { OrderScene } from './order-scene.js';
import type { RunParams, TransportSelection } from './run-params.js';
import type { SessionsInUse } from './sessions-in-use.js';

/** The scene and the step that is being played on it. */
export interface TesterStage {
  readonly scene: FlowContext;
  readonly step: OpenStep;
}

/** What a payment has come to at the EPOS. `unknown`: it was told, and nobody knows what it made of it. */
export type PublishedPayments = 'no' | 'recorded' | 'refused' | 'unknown';

/** Everything the steps of one run share: what they may use, what they have found out, and what has to be cleaned up. */
export class FlowContext {
  /** Who asks the EPOS and pays. */
  device: Requestor['type'] = 'cardMachine';
  /** The session the flow is played on. */
  session: Session | null = null;
  /** Its bill as it was last read. */
  bill: Bill | null = null;
  /** What the EPOS has to show as paid by now. */
  expectedPaid: Money | null = null;
  /** Sessions that we have, or may have, locked. */
  readonly locked = new Set<string>();
  /** Card payments of this run, and whether the EPOS knows of them. */
  readonly payments = new Map<CapturedPayment, PublishedPayments>();
  /** Tells the EPOS of a payment again whose first telling nobody answered; null: as the pay-at-table contract does. */
  retell: ((stage: TesterStage, payment: CapturedPayment) => Promise<void>) | null = null;
  /** The same of a flow of the EPOS Data API. */
  readonly orders = new OrderScene<TesterStage>();
  /** Checks the schema of the answer that came last. */
  checkLast: ((stage: TesterStage) => void) | null = null;
  #transport: Promise<Transport> | null = null;

  constructor(
    readonly parts: {
      readonly runId: string;
      readonly flowName: string;
      readonly scope: Scope;
      readonly account: Account;
      readonly params: RunParams;
      readonly door: EposDriver;
      readonly cards: CardPayments;
      readonly register: EposRegister;
      readonly sessionsInUse: SessionsInUse;
    },
  ) {}

  get params(): RunParams {
    return this.parts.params;
  }

  /** The way that the calls of this run take; chosen once. */
  transport(): Promise<Transport> {
    const chosen = TRANSPORTS[this.params.transport];
    if (chosen !== null) return Promise.resolve(chosen);
    return (this.#transport ??= this.#grpc());
  }

  /** Whether the way of this run is an address that is called, so that the EPOS has to take our password. */
  async isCalledWithPassword(): Promise<boolean> {
    const transport = await this.transport();
    return transport === Transport.TRANSPORT_TABLES_GRPC_DIALLED || transport === Transport.TRANSPORT_EPOS_DATA_REST;
  }

  async #grpc(): Promise<Transport> {
    const { door, scope } = this.parts;
    // Without a gateway there is no list; the call will say so.
    const connections = await door.connections(scope).catch(() => []);
    const isStreaming = connections.some(({ transport }) => transport === Transport.TRANSPORT_TABLES_GRPC_STREAM);
    return isStreaming ? Transport.TRANSPORT_TABLES_GRPC_STREAM : Transport.TRANSPORT_TABLES_GRPC_DIALLED;
  }
}

/** Null: the stream of an EPOS that has dialled in, otherwise its registered address. */
const TRANSPORTS = {
  auto: Transport.TRANSPORT_UNSPECIFIED,
  grpc: null,
  'grpc-stream': Transport.TRANSPORT_TABLES_GRPC_STREAM,
  'grpc-dialled': Transport.TRANSPORT_TABLES_GRPC_DIALLED,
  rest: Transport.TRANSPORT_EPOS_DATA_REST,
  ws: Transport.TRANSPORT_EPOS_DATA_WEBSOCKET,
  'tables-ws': Transport.TRANSPORT_TABLES_WEBSOCKET,
} as const satisfies Record<TransportSelection, Transport | null>;

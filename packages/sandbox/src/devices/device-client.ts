import { type CallOptions, type ClientUnaryCall, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  type Journey,
  JourneyServiceClient,
  ReceiptCopy,
  type TakePaymentRequest,
  type WatchJourneyResponse,
} from '@pos/grpc-contracts/gateway';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import {
  type Bill,
  type ReceiptSection,
  type RequestorInfo,
  RequestorType,
  type Session,
  TablesServiceClient,
} from '@pos/grpc-contracts/tables';
import type { GatewayTransport } from '../connections/gateway-transport.js';

/** The gateway refused a call of a device, or did not answer it. */
export class DeviceCallError extends Error {
  override readonly name = 'DeviceCallError';

  constructor(
    /** The code of the pay-at-table contract; null where the answer has none. */
    readonly code: string | null,
    readonly kind: 'notFound' | 'locked' | 'invalid' | 'conflict' | 'unreachable',
    readonly reason: string,
  ) {
    super(`${code ?? kind}: ${reason}`);
  }
}

const CALL_MS_MAX = 30_000;
const WATCH_MS_MAX = 600_000;

/** A device at the table, with the calls that its software makes to the gateway. */
export class DeviceClient {
  readonly #tables: TablesServiceClient;
  readonly #journeys: JourneyServiceClient;
  readonly #metadata = new Metadata();
  readonly #requestorInfo: RequestorInfo;

  /** Without a TID it is a payer's own device. */
  constructor(parts: {
    readonly address: string;
    readonly transport: GatewayTransport;
    readonly apiKey: string;
    readonly tid: string | null;
  }) {
    const credentials = parts.transport.createCredentials(parts.address);
    this.#tables = new TablesServiceClient(parts.address, credentials);
    this.#journeys = new JourneyServiceClient(parts.address, credentials);
    this.#metadata.set('authorization', `Basic ${parts.apiKey}`);
    this.#requestorInfo = createRequestorInfo(parts.tid);
  }

  /** The sessions that can be paid, and how many more the EPOS has that cannot be shown. */
  async listPayableSessions(): Promise<{ readonly sessions: readonly Session[]; readonly unreadableCount: number }> {
    const request = { isFinished: false, isPayable: true, tableNames: [], requestorInfo: this.#requestorInfo };
    const { sessions, unreadableCount = 0 } = await this.#call(this.#tables.listSessions.bind(this.#tables), request);
    return { sessions, unreadableCount };
  }

  async readSession(sessionId: string): Promise<Session> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    return requirePart((await this.#call(this.#tables.getSession.bind(this.#tables), request)).session);
  }

  async readBill(sessionId: string): Promise<Bill> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    return requirePart((await this.#call(this.#tables.getBillItems.bind(this.#tables), request)).billItems);
  }

  async startJourney(sessionId: string): Promise<Journey> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    return requirePart((await this.#call(this.#journeys.startJourney.bind(this.#journeys), request)).journey);
  }

  async takePayment(request: TakePaymentRequest): Promise<Journey> {
    return requirePart((await this.#call(this.#journeys.takePayment.bind(this.#journeys), request)).journey);
  }

  async readJourney(journeyId: string): Promise<Journey> {
    return requirePart((await this.#call(this.#journeys.getJourney.bind(this.#journeys), { journeyId })).journey);
  }

  async cancelPayment(paymentId: string): Promise<void> {
    await this.#call(this.#journeys.cancelPayment.bind(this.#journeys), { paymentId });
  }

  async decideSignature(paymentId: string, accepted: boolean): Promise<void> {
    await this.#call(this.#journeys.decideSignature.bind(this.#journeys), { paymentId, accepted });
  }

  async printReceipt(paymentId: string): Promise<ReceiptSection> {
    const request = { paymentId, copy: ReceiptCopy.RECEIPT_COPY_CUSTOMER };
    return requirePart((await this.#call(this.#journeys.printReceipt.bind(this.#journeys), request)).receipt);
  }

  async finishJourney(journeyId: string): Promise<void> {
    await this.#call(this.#journeys.finishJourney.bind(this.#journeys), { journeyId });
  }

  /** The current state of a journey and all its changes, until the caller stops reading or the stream breaks. */
  async *watchJourney(journeyId: string): AsyncGenerator<Journey> {
    const options = { deadline: createDeadline(WATCH_MS_MAX) };
    const stream = this.#journeys.watchJourney({ journeyId }, this.#metadata, options);
    try {
      for await (const { journey } of stream as AsyncIterable<WatchJourneyResponse>) yield requirePart(journey);
    } finally {
      // A cancelled stream without a reader emits one more error.
      stream.on('error', () => undefined);
      stream.cancel();
    }
  }

  close(): void {
    this.#tables.close();
    this.#journeys.close();
  }

  #call<Q, A>(method: UnaryMethod<Q, A>, request: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      method(request, this.#metadata, { deadline: createDeadline(CALL_MS_MAX) }, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(createCallError(error));
      });
    });
  }
}

type UnaryMethod<Q, A> = (
  request: Q,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, answer: A) => void,
) => ClientUnaryCall;

function createRequestorInfo(tid: string | null): RequestorInfo {
  if (tid === null) {
    const requestor = { $case: 'consumerDeviceRequestorInfo', value: {} } as const;
    return { requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE, requestor };
  }
  const requestor = { $case: 'cardMachineRequestorInfo', value: { terminalId: tid } } as const;
  return { requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE, requestor };
}

function createCallError(error: ServiceError): DeviceCallError {
  const refusal = findTablesError(error);
  const reason = refusal?.errorReason ?? error.details;
  return new DeviceCallError(refusal?.errorCode ?? null, findKind(error, refusal?.errorCode ?? null), reason);
}

const CONFLICTS: ReadonlySet<status> = new Set([
  status.ABORTED,
  status.FAILED_PRECONDITION,
  status.PERMISSION_DENIED,
  status.ALREADY_EXISTS,
]);

function findKind({ code }: ServiceError, errorCode: string | null): DeviceCallError['kind'] {
  if (errorCode === 'SESSION_ALREADY_LOCKED') return 'locked';
  if (code === status.NOT_FOUND) return 'notFound';
  if (code === status.INVALID_ARGUMENT) return 'invalid';
  return CONFLICTS.has(code) ? 'conflict' : 'unreachable';
}

function createDeadline(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}

function requirePart<T>(value: T | undefined): T {
  if (value === undefined) throw new DeviceCallError(null, 'unreachable', 'The answer of the gateway is incomplete.');
  return value;
}

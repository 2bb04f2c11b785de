import {
  type ChannelCredentials,
  Metadata,
  type ServiceError,
  type CallOptions,
  type ClientUnaryCall,
} from '@grpc/grpc-js';
import { type Journey, JourneyServiceClient, type TakePaymentRequest } from '@pos/grpc-contracts/gateway';
import {
  type Bill,
  type RequestorInfo,
  RequestorType,
  type Session,
  TablesServiceClient,
} from '@pos/grpc-contracts/tables';

const CALL_MS_MAX = 30_000;

/** A card machine in a waiter's hand, as its software would call the gateway. */
export class TableDevice {
  readonly #tables: TablesServiceClient;
  readonly #journeys: JourneyServiceClient;
  readonly #metadata = new Metadata();
  readonly #requestorInfo: RequestorInfo;

  constructor(parts: {
    readonly address: string;
    readonly credentials: ChannelCredentials;
    readonly apiKey: string;
    readonly tid: string;
  }) {
    this.#tables = new TablesServiceClient(parts.address, parts.credentials);
    this.#journeys = new JourneyServiceClient(parts.address, parts.credentials);
    this.#metadata.set('authorization', `Basic ${parts.apiKey}`);
    this.#requestorInfo = {
      requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
      requestor: { $case: 'cardMachineRequestorInfo', value: { terminalId: parts.tid } },
    };
  }

  /** The parties at tables that can pay now. */
  async payableSessions(): Promise<Session[]> {
    const request = {
      isFinished: false,
      hasTable: true,
      isPayable: true,
      tableNames: [],
      requestorInfo: this.#requestorInfo,
    };
    const answer = await call(this.#tables.listSessions.bind(this.#tables), request, this.#metadata);
    return answer.sessions;
  }

  async session(sessionId: string): Promise<Session> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    const answer = await call(this.#tables.getSession.bind(this.#tables), request, this.#metadata);
    return requireAnswer(answer.session, 'session');
  }

  async bill(sessionId: string): Promise<Bill> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    const answer = await call(this.#tables.getBillItems.bind(this.#tables), request, this.#metadata);
    return requireAnswer(answer.billItems, 'bill');
  }

  async startJourney(sessionId: string): Promise<Journey> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    const answer = await call(this.#journeys.startJourney.bind(this.#journeys), request, this.#metadata);
    return requireAnswer(answer.journey, 'journey');
  }

  async takePayment(request: TakePaymentRequest): Promise<Journey> {
    const answer = await call(this.#journeys.takePayment.bind(this.#journeys), request, this.#metadata);
    return requireAnswer(answer.journey, 'journey');
  }

  async finishJourney(journeyId: string): Promise<Journey> {
    const answer = await call(this.#journeys.finishJourney.bind(this.#journeys), { journeyId }, this.#metadata);
    return requireAnswer(answer.journey, 'journey');
  }

  /** The current state of a journey and all its changes, until the caller stops reading. */
  async *watch(journeyId: string, withinMs: number): AsyncGenerator<Journey> {
    const options = { deadline: deadlineIn(withinMs) };
    const stream = this.#journeys.watchJourney({ journeyId }, this.#metadata, options);
    try {
      for await (const { journey } of stream as AsyncIterable<{ journey?: Journey }>)
        yield requireAnswer(journey, 'journey');
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
}

type Method<Q, A> = (
  request: Q,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, answer: A) => void,
) => ClientUnaryCall;

function call<Q, A>(method: Method<Q, A>, request: Q, metadata: Metadata): Promise<A> {
  return new Promise((resolve, reject) => {
    method(request, metadata, { deadline: deadlineIn(CALL_MS_MAX) }, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

function deadlineIn(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}

function requireAnswer<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the gateway answered without a ${name}`);
  return value;
}

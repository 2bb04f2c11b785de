import { credentials, type Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { JourneyServiceClient, type Journey, type TakePaymentRequest } from '@pos/grpc-contracts/gateway';
import { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { keyed, machine } from '../testing.js';

const MACHINE = '90000001';

/** The two services a device has, as promises. */
export class Device {
  readonly service: JourneyServiceClient;
  readonly tables: TablesServiceClient;
  readonly metadata: Metadata;

  constructor(gateway: RunningGateway, apiKey: string) {
    this.service = new JourneyServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.tables = new TablesServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.metadata = keyed(apiKey);
  }

  listSessions(tid = MACHINE) {
    return told<{ sessions: { id: string; name: string }[] }>((done) =>
      this.tables.listSessions({ isPayable: true, tableNames: [], requestorInfo: machine(tid) }, this.metadata, done),
    );
  }

  start(sessionId: string, tid = MACHINE) {
    return told<{ journey: Journey | undefined }>((done) =>
      this.service.startJourney({ sessionId, requestorInfo: machine(tid) }, this.metadata, done),
    );
  }

  take(journeyId: string, amount: bigint, paymentId: string = randomUUID()) {
    const mode = { $case: 'custom', value: { amount } } as const;
    const extras = { gratuityAmount: 50n, cashbackAmount: 0n };
    return told<{ journey: Journey | undefined }>((done) =>
      this.service.takePayment({ journeyId, paymentId, mode, ...extras }, this.metadata, done),
    );
  }

  /** Asks for a part without a tip, whichever way it is reckoned. */
  ask(journeyId: string, mode: NonNullable<TakePaymentRequest['mode']>, more: Partial<TakePaymentRequest> = {}) {
    const asked = { journeyId, paymentId: randomUUID(), mode, gratuityAmount: 0n, cashbackAmount: 0n, ...more };
    return told<{ journey: Journey | undefined }>((done) => this.service.takePayment(asked, this.metadata, done));
  }

  get(journeyId: string) {
    return told<{ journey: Journey | undefined }>((done) =>
      this.service.getJourney({ journeyId }, this.metadata, done),
    );
  }

  finish(journeyId: string) {
    return told<{ journey: Journey | undefined }>((done) =>
      this.service.finishJourney({ journeyId }, this.metadata, done),
    );
  }

  close(): void {
    this.service.close();
    this.tables.close();
  }
}

/** A call as a promise. */
export function told<T>(call: (done: (error: ServiceError | null, response: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

/** How a call ended: OK, its status, or the status with the EPOS's own code. */
export async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'OK';
  } catch (error) {
    const failure = error as ServiceError;
    const refusal = findTablesError(failure);
    return refusal === null ? status[failure.code] : `${status[failure.code]} ${refusal.errorCode}`;
  }
}

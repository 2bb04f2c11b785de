import { credentials, type Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { JourneyServiceClient, type Journey, type TakePaymentRequest } from '@pos/grpc-contracts/gateway';
import { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { buildCallMetadata, buildMachineRequestor } from './gateway-world.js';

const MACHINE = '90000001';

/** The two services a device has, as promises. */
export class TestDevice {
  readonly journeyClient: JourneyServiceClient;
  readonly tablesClient: TablesServiceClient;
  readonly metadata: Metadata;

  constructor(gateway: RunningGateway, apiKey: string) {
    this.journeyClient = new JourneyServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.tablesClient = new TablesServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.metadata = buildCallMetadata(apiKey);
  }

  listSessions(tid = MACHINE) {
    return callUnary<{ sessions: { id: string; name: string }[] }>((callback) =>
      this.tablesClient.listSessions(
        { isPayable: true, tableNames: [], requestorInfo: buildMachineRequestor(tid) },
        this.metadata,
        callback,
      ),
    );
  }

  startJourney(sessionId: string, tid = MACHINE) {
    return callUnary<{ journey: Journey | undefined }>((callback) =>
      this.journeyClient.startJourney(
        { sessionId, requestorInfo: buildMachineRequestor(tid) },
        this.metadata,
        callback,
      ),
    );
  }

  takeCustomPart(journeyId: string, amount: bigint, paymentId: string = randomUUID()) {
    const mode = { $case: 'custom', value: { amount } } as const;
    const extras = { gratuityAmount: 50n, cashbackAmount: 0n };
    return callUnary<{ journey: Journey | undefined }>((callback) =>
      this.journeyClient.takePayment({ journeyId, paymentId, mode, ...extras }, this.metadata, callback),
    );
  }

  /** Takes a part without a tip, of any split. */
  takePayment(
    journeyId: string,
    mode: NonNullable<TakePaymentRequest['mode']>,
    overrides: Partial<TakePaymentRequest> = {},
  ) {
    const paymentRequest = {
      journeyId,
      paymentId: randomUUID(),
      mode,
      gratuityAmount: 0n,
      cashbackAmount: 0n,
      ...overrides,
    };
    return callUnary<{ journey: Journey | undefined }>((callback) =>
      this.journeyClient.takePayment(paymentRequest, this.metadata, callback),
    );
  }

  getJourney(journeyId: string) {
    return callUnary<{ journey: Journey | undefined }>((callback) =>
      this.journeyClient.getJourney({ journeyId }, this.metadata, callback),
    );
  }

  finishJourney(journeyId: string) {
    return callUnary<{ journey: Journey | undefined }>((callback) =>
      this.journeyClient.finishJourney({ journeyId }, this.metadata, callback),
    );
  }

  close(): void {
    this.journeyClient.close();
    this.tablesClient.close();
  }
}

/** A call as a promise. */
export function callUnary<T>(
  call: (callback: (error: ServiceError | null, response: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

/** How a call ended: OK, its status, or the status with the EPOS's own code. */
export async function describeOutcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'OK';
  } catch (error) {
    const failure = error as ServiceError;
    const refusal = findTablesError(failure);
    return refusal === null ? status[failure.code] : `${status[failure.code]} ${refusal.errorCode}`;
  }
}

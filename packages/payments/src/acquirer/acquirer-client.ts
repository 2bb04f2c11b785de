import { credentials, Metadata } from '@grpc/grpc-js';
import type { AcquirerAnswer, AcquirerBooking, AcquirerRequest, AcquirerPort } from '@pos/core/acquirer/ports';
import { AcquirerServiceClient } from '@pos/grpc-contracts/acquirer';
import { limitAnswer, MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { type AcquirerRpc, callAcquirer, callMethod, type RpcCallback } from './acquirer-rpc.js';
import type { AcquirerCircuit } from './acquirer-circuit.js';
import { bookingFromWire } from './acquirer-wire.js';
import type { UnreadableCardReporter } from './unreadable-cards.js';

const PAGE_SIZE = 500;

type ClientCall<R> = (options: { readonly deadline: Date }, callback: RpcCallback<R>) => void;

interface AcquirerClientOptions {
  /** A call that it does not admit ends as one that the acquirer did not answer, and is not sent. */
  readonly circuit?: AcquirerCircuit | null;
  readonly reportCard?: UnreadableCardReporter;
}

/** The acquirer over gRPC. A call ends with what the acquirer said or with `unknown`; it never throws for a silence. */
export class AcquirerClient implements AcquirerPort {
  readonly #client: AcquirerServiceClient;

  readonly #parts: AcquirerClientOptions;

  constructor(address: string, parts: AcquirerClientOptions = {}) {
    this.#parts = parts;
    this.#client = new AcquirerServiceClient(address, credentials.createInsecure(), limitAnswer(MESSAGE_VALUES_MAX));
  }

  increase({ deadlineMs, ...order }: AcquirerRequest): Promise<AcquirerAnswer> {
    const request = toWireRequest(order);
    return this.#callMethod({ method: 'Increase', reference: order.reference, deadlineMs }, (options, callback) => {
      this.#client.increaseAuthorisation(request, new Metadata(), options, callback);
    });
  }

  capture({ deadlineMs, ...order }: AcquirerRequest): Promise<AcquirerAnswer> {
    const request = toWireRequest(order);
    return this.#callMethod({ method: 'Capture', reference: order.reference, deadlineMs }, (options, callback) => {
      this.#client.capture(request, new Metadata(), options, callback);
    });
  }

  refund({ deadlineMs, ...order }: AcquirerRequest): Promise<AcquirerAnswer> {
    const request = toWireRequest(order);
    return this.#callMethod({ method: 'Refund', reference: order.reference, deadlineMs }, (options, callback) => {
      this.#client.refund(request, new Metadata(), options, callback);
    });
  }

  reverse(order: Parameters<AcquirerPort['reverse']>[0]): Promise<AcquirerAnswer> {
    const { reference, originalReference, merchantId, isRestOnly, deadlineMs } = order;
    const request = { reference, originalReference, merchantId, releaseRest: isRestOnly };
    return this.#callMethod({ method: 'Reverse', reference, deadlineMs }, (options, callback) => {
      this.#client.reverse(request, new Metadata(), options, callback);
    });
  }

  inquire({ reference, deadlineMs }: Parameters<AcquirerPort['inquire']>[0]): Promise<AcquirerAnswer> {
    return this.#callMethod({ method: 'Inquire', reference, deadlineMs }, (options, callback) => {
      this.#client.inquire({ reference }, new Metadata(), options, callback);
    });
  }

  /** Throws when the acquirer does not answer: a list that is not there is not an empty one. */
  async listBooked(
    query: Parameters<AcquirerPort['listBooked']>[0],
  ): Promise<{ readonly bookings: readonly AcquirerBooking[]; readonly nextPageToken: string | null }> {
    const { merchantId, from, to, pageToken, deadlineMs } = query;
    const request = { merchantId, from, to, pageSize: PAGE_SIZE, pageToken: pageToken ?? '' };
    const response = await callMethod<{ bookings: Parameters<typeof bookingFromWire>[0][]; nextPageToken: string }>(
      deadlineMs,
      this.#withCircuit((options, callback) => {
        this.#client.listBooked(request, new Metadata(), options, callback);
      }),
    );
    const { bookings, nextPageToken } = response;
    return {
      bookings: bookings.map(bookingFromWire),
      nextPageToken: nextPageToken === '' ? null : nextPageToken,
    };
  }

  close(): void {
    this.#client.close();
  }

  #callMethod(rpc: Omit<AcquirerRpc, 'reportCard'>, call: Parameters<typeof callAcquirer>[1]): Promise<AcquirerAnswer> {
    const { reportCard = null } = this.#parts;
    return callAcquirer({ ...rpc, reportCard }, this.#withCircuit(call));
  }

  #withCircuit<R>(call: ClientCall<R>): ClientCall<R> {
    const { circuit } = this.#parts;
    return circuit === undefined || circuit === null ? call : circuit.guard(call);
  }
}

function toWireRequest({ reference, originalReference, amount }: Omit<AcquirerRequest, 'deadlineMs'>) {
  return { reference, originalReference, amount: BigInt(amount.value), currency: amount.currencyCode };
}

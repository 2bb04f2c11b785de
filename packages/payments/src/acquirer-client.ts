import { credentials, Metadata } from '@grpc/grpc-js';
import type { AcquirerAnswer, AcquirerBooking, AcquirerOrder, AcquirerPort } from '@pos/core/ports';
import { AcquirerServiceClient } from '@pos/grpc-contracts/acquirer';
import { answersWithin, MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { type AcquirerQuestion, answered, called, type Done } from './acquirer-asking.js';
import type { AcquirerCircuit } from './acquirer-circuit.js';
import { bookingFromWire } from './acquirer-wire.js';
import type { UnreadableCardReport } from './unreadable-cards.js';

const PAGE_SIZE = 500;

type Call<R> = (options: { readonly deadline: Date }, done: Done<R>) => void;

interface AcquirerClientParts {
  /** A call that it does not admit ends as one that the acquirer did not answer, and is not sent. */
  readonly circuit?: AcquirerCircuit | null;
  readonly reportCard?: UnreadableCardReport;
}

/** The acquirer over gRPC. A call ends with what the acquirer said or with `unknown`; it never throws for a silence. */
export class AcquirerClient implements AcquirerPort {
  readonly #client: AcquirerServiceClient;

  readonly #parts: AcquirerClientParts;

  constructor(address: string, parts: AcquirerClientParts = {}) {
    this.#parts = parts;
    this.#client = new AcquirerServiceClient(address, credentials.createInsecure(), answersWithin(MESSAGE_VALUES_MAX));
  }

  increase({ deadlineMs, ...order }: AcquirerOrder): Promise<AcquirerAnswer> {
    const request = wireOrder(order);
    return this.#ask({ method: 'Increase', reference: order.reference, deadlineMs }, (options, done) => {
      this.#client.increaseAuthorisation(request, new Metadata(), options, done);
    });
  }

  capture({ deadlineMs, ...order }: AcquirerOrder): Promise<AcquirerAnswer> {
    const request = wireOrder(order);
    return this.#ask({ method: 'Capture', reference: order.reference, deadlineMs }, (options, done) => {
      this.#client.capture(request, new Metadata(), options, done);
    });
  }

  refund({ deadlineMs, ...order }: AcquirerOrder): Promise<AcquirerAnswer> {
    const request = wireOrder(order);
    return this.#ask({ method: 'Refund', reference: order.reference, deadlineMs }, (options, done) => {
      this.#client.refund(request, new Metadata(), options, done);
    });
  }

  reverse(order: Parameters<AcquirerPort['reverse']>[0]): Promise<AcquirerAnswer> {
    const { reference, originalReference, merchantId, isRestOnly, deadlineMs } = order;
    const request = { reference, originalReference, merchantId, releaseRest: isRestOnly };
    return this.#ask({ method: 'Reverse', reference, deadlineMs }, (options, done) => {
      this.#client.reverse(request, new Metadata(), options, done);
    });
  }

  inquire({ reference, deadlineMs }: Parameters<AcquirerPort['inquire']>[0]): Promise<AcquirerAnswer> {
    return this.#ask({ method: 'Inquire', reference, deadlineMs }, (options, done) => {
      this.#client.inquire({ reference }, new Metadata(), options, done);
    });
  }

  /** Throws when the acquirer does not answer: a list that is not there is not an empty one. */
  async listBooked(
    question: Parameters<AcquirerPort['listBooked']>[0],
  ): Promise<{ readonly bookings: readonly AcquirerBooking[]; readonly nextPageToken: string | null }> {
    const { merchantId, from, to, pageToken, deadlineMs } = question;
    const request = { merchantId, from, to, pageSize: PAGE_SIZE, pageToken: pageToken ?? '' };
    const response = await called<{ bookings: Parameters<typeof bookingFromWire>[0][]; nextPageToken: string }>(
      deadlineMs,
      this.#guarded((options, done) => {
        this.#client.listBooked(request, new Metadata(), options, done);
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

  #ask(asked: Omit<AcquirerQuestion, 'reportCard'>, call: Parameters<typeof answered>[1]): Promise<AcquirerAnswer> {
    const { reportCard = null } = this.#parts;
    return answered({ ...asked, reportCard }, this.#guarded(call));
  }

  #guarded<R>(call: Call<R>): Call<R> {
    const { circuit } = this.#parts;
    return circuit === undefined || circuit === null ? call : circuit.guard(call);
  }
}

function wireOrder({ reference, originalReference, amount }: Omit<AcquirerOrder, 'deadlineMs'>) {
  return { reference, originalReference, amount: BigInt(amount.value), currency: amount.currencyCode };
}

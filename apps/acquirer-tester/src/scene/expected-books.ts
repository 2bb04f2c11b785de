import { BookingKind, BookingStatus } from '@pos/grpc-contracts/acquirer';

/** A line that the list of the adapter must have. */
export interface ExpectedLine {
  readonly reference: string;
  /** Empty for an authorisation. */
  readonly originalReference: string;
  readonly kind: BookingKind;
  readonly amount: bigint;
  readonly currency: string;
  readonly status: BookingStatus;
}

/** The bookings of one flow, as its calls were answered. */
export class ExpectedBooks {
  readonly #lines = new Map<string, ExpectedLine>();
  /** Every reference that the flow has used, also of calls that must not be booked. */
  readonly #references = new Set<string>();
  readonly #acknowledged = new Set<string>();
  #times: { readonly firstMs: number; readonly lastMs: number } | null = null;

  /** Notes that a call was made under the reference. */
  use(reference: string): void {
    this.#references.add(reference);
  }

  /** Notes an approved call. */
  book(line: Omit<ExpectedLine, 'status'>): void {
    this.use(line.reference);
    this.#lines.set(`${line.reference} ${line.kind}`, { ...line, status: BookingStatus.BOOKING_STATUS_BOOKED });
  }

  /** Notes a reversal that was acknowledged: it may be listed, also where it has only prevented an authorisation. */
  acknowledge(reference: string): void {
    this.#acknowledged.add(reference);
  }

  isAcknowledged(reference: string): boolean {
    return this.#acknowledged.has(reference);
  }

  /** Notes that the authorisation and what belongs to it was undone. */
  undo(reference: string): void {
    for (const [key, line] of this.#lines) {
      const isOwn = line.reference === reference || line.originalReference === reference;
      if (isOwn && line.kind !== BookingKind.BOOKING_KIND_REVERSE) {
        this.#lines.set(key, { ...line, status: BookingStatus.BOOKING_STATUS_REVERSED });
      }
    }
  }

  /** Notes the time of a decision: the list of the flow covers all of them. */
  seeTime(time: Date): void {
    const ms = time.getTime();
    const { firstMs, lastMs } = this.#times ?? { firstMs: ms, lastMs: ms };
    this.#times = { firstMs: Math.min(firstMs, ms), lastMs: Math.max(lastMs, ms) };
  }

  lines(): ExpectedLine[] {
    return [...this.#lines.values()];
  }

  has(reference: string): boolean {
    return this.#references.has(reference);
  }

  /** The first and the last decision; null before there is one. */
  get times(): { readonly firstMs: number; readonly lastMs: number } | null {
    return this.#times;
  }

  /** Authorisations that still hold money, which the cleanup gives up. */
  listOpenHolds(): ExpectedLine[] {
    const booked = this.lines().filter(({ status }) => status === BookingStatus.BOOKING_STATUS_BOOKED);
    const taken = new Set(
      booked
        .filter(({ kind }) => kind === BookingKind.BOOKING_KIND_CAPTURE)
        .map(({ reference, originalReference }) => (originalReference === '' ? reference : originalReference)),
    );
    return booked.filter(
      ({ kind, reference, amount }) =>
        kind === BookingKind.BOOKING_KIND_AUTHORISE && amount > 0n && !taken.has(reference),
    );
  }
}

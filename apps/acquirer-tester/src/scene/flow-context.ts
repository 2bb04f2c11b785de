import type { Capabilities } from '@pos/grpc-contracts/acquirer';
import { requireValue } from '@pos/core/refusals';
import type { AdapterConnection } from '../acquirer/acquirer-connection.js';
import type { Profile, ProfileCard } from '../profile/profile.js';
import type { CapabilityName } from './capability-names.js';
import { ExpectedBooks } from './expected-books.js';

/** An authorisation of a flow. */
export interface Payment {
  readonly reference: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly isPurchase: boolean;
  readonly card: ProfileCard;
}

const CARD_DIGITS_MIN = 12;

/** What the steps of one flow share: the adapter, its profile, and what must be in its books. */
export class FlowContext {
  readonly books = new ExpectedBooks();
  /** The reference that each transaction belongs to. */
  readonly transactions = new Map<string, string>();
  #made = 0;

  constructor(
    readonly parts: {
      readonly connection: AdapterConnection;
      readonly profile: Profile;
      readonly capabilities: Capabilities;
      /** The begin of every reference of this flow; at most 40 characters. */
      readonly prefix: string;
    },
  ) {}

  get profile(): Profile {
    return this.parts.profile;
  }

  get connection(): AdapterConnection {
    return this.parts.connection;
  }

  can(name: CapabilityName): boolean {
    return this.parts.capabilities[name];
  }

  get currency(): string {
    return requireValue(this.profile.currencies[0], 'a currency of the profile');
  }

  /** A part of the ordinary amount in tenths: `tenths(10)` is all of it. */
  tenths(count: number): bigint {
    return (BigInt(this.profile.amount) / 10n) * BigInt(count);
  }

  /** A reference that no call has used. */
  newReference(): string {
    this.#made += 1;
    const reference = `${this.parts.prefix}-${this.#made}`;
    this.books.use(reference);
    return reference;
  }

  /** An authorisation that is not sent yet: a hold of the ordinary amount, unless stated otherwise. */
  newPayment(values: Partial<Omit<Payment, 'reference'>> = {}): Payment {
    const card = values.card ?? this.profile.cards.approves;
    const amount = card.amount === undefined ? this.tenths(10) : BigInt(card.amount);
    const isPurchase = !this.can('separateCapture');
    return { amount, currency: this.currency, isPurchase, ...values, card, reference: this.newReference() };
  }

  /** The card numbers that no answer may contain. */
  listCardNumbers(): string[] {
    return Object.values(this.profile.cards).flatMap((card) =>
      card === null || card.number.length < CARD_DIGITS_MIN ? [] : card.number,
    );
  }
}

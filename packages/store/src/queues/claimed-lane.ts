import type { DeliveryId, EventId, Scope, SecretId, SubscriptionId } from '@pos/core/identity';

/** A lane that this worker has claimed until its lease ends; no other worker delivers from it meanwhile. */
export interface ClaimedLane<Delivery extends PendingDelivery = ClaimedDelivery> {
  readonly scope: Scope;
  readonly key: string;
  /** Whether it sends events again that were sent, or not subscribed to, before. */
  readonly isReplay: boolean;
  readonly fence: number;
  /** The account's time if its clock is frozen: headers contain it. Null where time runs. */
  readonly frozenAt: Date | null;
  /** Failed attempts in a row at the head of the lane. */
  readonly failures: number;
  /** The first waiting deliveries, in order. */
  readonly deliveries: readonly Delivery[];
}

/** An event that is being delivered to any receiver. */
export interface PendingDelivery {
  readonly id: DeliveryId;
  readonly number: number;
  /** Attempts made so far. */
  readonly attempts: number;
  readonly eventId: EventId;
  readonly kind: string;
  /** The intent or the session that the event is about. */
  readonly subjectId: string;
  /** The bytes to send, made once. */
  readonly body: Buffer;
  /** The time between the commit of the event and this claim, by the database's clock. */
  readonly recordedForMs: number;
  /** The trace of the transaction that wrote the event; null where no traces are exported. */
  readonly traceparent: string | null;
}

/** Everything that an attempt at an EPOS needs. */
export interface EposDelivery extends PendingDelivery {
  /** How the kind is registered now; null: it is not registered any more. */
  readonly transport: 'rest' | 'ws' | null;
  /** The time since the event happened, by the account's clock. */
  readonly ageMs: number;
}

/** Everything that an attempt at a subscriber needs. */
export interface ClaimedDelivery extends PendingDelivery {
  readonly subscriptionId: SubscriptionId;
  readonly url: string;
  readonly secretId: SecretId;
  /** The active secret of the subscription, in clear. */
  readonly secret: string;
}

/** The result of an attempt. Only the last of a lane may have failed: the ones after it were not tried. */
export interface AttemptRecord {
  readonly number: number;
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of what the receiver answered; null or absent where nothing of it may be stored. */
  readonly answer?: string | null;
  /** For a failure: when to try again, or null to give up (`DeadLettered`). */
  readonly retryInMs: number | null;
  /** When it was made, on the monotonic clock of the process; absent where no request was sent. */
  readonly timing?: { readonly startedAtMs: number; readonly tookMs: number };
}

/** Live events, replays, and events for EPOSes: claimed separately, so that none delays another. */
export type LaneTraffic = 'live' | 'replays' | 'epos';

export interface ClaimLimits {
  readonly lanes: number;
  readonly deliveriesPerLane: number;
  readonly leaseMs: number;
}

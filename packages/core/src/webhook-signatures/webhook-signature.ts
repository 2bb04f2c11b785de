import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The `service-signature` header: HMAC-SHA256 over the body as it is sent, keyed by the bytes of the
 * secret's text (not decoded), each byte as two upper-case hex digits, joined by hyphens.
 */
export function signForService(secret: string, body: string | Uint8Array): string {
  const digest = createHmac('sha256', secret).update(body).digest('hex').toUpperCase();
  return `sha256=${digest.replace(/..(?=.)/g, '$&-')}`;
}

/** Whether the header was made with the secret over exactly this body; compared in constant time. */
export function isServiceSignature(header: string, secret: string, body: string | Uint8Array): boolean {
  return isSameText(header, signForService(secret, body));
}

/** What a standard-webhooks receiver checks. */
export interface StandardWebhook {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The `webhook-signature` header of standard-webhooks: `v1,` and the base64 HMAC over id, time and body. */
export function signStandardWebhook(secret: string, { id, timestamp, body }: StandardWebhook): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * The secret as libraries of standard-webhooks read it: they decode what follows `whsec_`, and get the bytes of its text,
 * which are the key.
 */
export function encodeStandardSecret(secret: string): string {
  return `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`;
}

/** Whether any of the header's space-separated signatures is ours; the caller checks the age of the timestamp. */
export function isStandardSignature(header: string, secret: string, webhook: StandardWebhook): boolean {
  const expected = signStandardWebhook(secret, webhook);
  return header.split(' ').some((each) => isSameText(each, expected));
}

/** One attempt to deliver one event. */
export interface SignedAttempt {
  readonly secret: string;
  readonly eventId: string;
  readonly deliveryId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly sentAt: Date;
  readonly body: string;
}

/** All headers of a delivery: made at sending, because the secret and the time are those of the attempt. */
export function createDeliveryHeaders(signed: SignedAttempt): Readonly<Record<string, string>> {
  const { secret, eventId, deliveryId, attempt, sentAt, body } = signed;
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'service-signature': signForService(secret, body),
    'delivery-id': deliveryId,
    'delivery-attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandardWebhook(secret, { id: eventId, timestamp, body }),
  };
}

function isSameText(first: string, second: string): boolean {
  const [one, other] = [Buffer.from(first, 'utf8'), Buffer.from(second, 'utf8')];
  return one.length === other.length && timingSafeEqual(one, other);
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type AccountId, ENVIRONMENTS, isId, type Scope } from '@pos/core/identity';
import { z } from 'zod';
import type { Secret } from '../config/secret.js';

/** What a link to the page of deliveries permits to read, and where it may be embedded. */
export interface DeliveryLinkSubject {
  readonly scope: Scope;
  readonly subscriptionId: string;
  /** Null: deliveries about every payment. */
  readonly paymentIntentId: string | null;
  /** Origins; none: no page may embed it. */
  readonly frameAncestors: readonly string[];
  readonly expiresAtMs: number;
}

const TOKEN_LENGTH_MAX = 4_000;

const Claims = z.object({
  account: z.string().refine((text): text is AccountId => isId('account', text)),
  environment: z.enum(ENVIRONMENTS),
  subscription: z.string(),
  intent: z.string().nullable(),
  ancestors: z.array(z.string()),
  expiresAtMs: z.int(),
});

/** The token of a link. Everybody who has it can open the page until its end. It does not reveal the key. */
export function formatDeliveryLinkToken(subject: DeliveryLinkSubject, key: Secret): string {
  const { scope, subscriptionId, paymentIntentId, frameAncestors, expiresAtMs } = subject;
  const claims: z.output<typeof Claims> = {
    ...{ account: scope.accountId, environment: scope.environment, subscription: subscriptionId },
    ...{ intent: paymentIntentId, ancestors: [...frameAncestors], expiresAtMs },
  };
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${sign(text, key)}`;
}

/** What the token permits until it expires; null if it proves nothing. */
export function verifyDeliveryLinkToken(token: string, key: Secret): DeliveryLinkSubject | null {
  const [text = '', signature = '', ...more] = token.split('.');
  if (token.length > TOKEN_LENGTH_MAX || more.length > 0 || !isSame(sign(text, key), signature)) return null;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (!claims.success) return null;
  const { account, environment, subscription, intent, ancestors, expiresAtMs } = claims.data;
  return {
    scope: { accountId: account, environment },
    ...{ subscriptionId: subscription, paymentIntentId: intent, frameAncestors: ancestors, expiresAtMs },
  };
}

/** Apart from the key of requests: a link is no credential of a user. */
function sign(text: string, key: Secret): string {
  const tokenKey = createHmac('sha256', key.reveal()).update('links to deliveries').digest();
  return createHmac('sha256', tokenKey).update(text).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

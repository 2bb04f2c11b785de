import { assert } from '../refusals/assert.js';

/** The environment of a key, an id and a row. No call crosses from one to the other. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** The tenant of every row and every lookup: an id of another scope is an unknown id. */
export interface Scope {
  readonly accountId: AccountId;
  readonly environment: Environment;
}

/** Names an account and its environment, `acc_…/sandbox`: the key of a map, a lock or a hint that concerns both. */
export function formatScope({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}

/** Text that starts with its prefix, so that an id of one kind is not assignable to another kind. */
export type Id<P extends string> = `${P}_${string}`;

/**
 * Every kind of id: its prefix, the text that states the environment (none, only in the sandbox, or in both) and the
 * alphabet of its tail (22 base64url characters or 24 lower-case hex digits).
 */
export const PREFIXES = {
  paymentIntent: { prefix: 'pi', word: 'sandbox', tail: 'base64url' },
  setupIntent: { prefix: 'si', word: 'sandbox', tail: 'base64url' },
  customer: { prefix: 'cust', word: 'sandbox', tail: 'base64url' },
  customerSecret: { prefix: 'cs', word: 'sandbox', tail: 'base64url' },
  terminal: { prefix: 'tm', word: 'always', tail: 'hex' },
  terminalSession: { prefix: 'ts', word: 'always', tail: 'hex' },
  event: { prefix: 'evt', word: 'none', tail: 'base64url' },
  subscription: { prefix: 'ws', word: 'none', tail: 'base64url' },
  secret: { prefix: 'sc', word: 'none', tail: 'base64url' },
  delivery: { prefix: 'dlv', word: 'none', tail: 'base64url' },
  capture: { prefix: 'cp', word: 'none', tail: 'base64url' },
  refund: { prefix: 'rfnd', word: 'none', tail: 'base64url' },
  reversal: { prefix: 'rvs', word: 'none', tail: 'base64url' },
  paymentMethod: { prefix: 'pm', word: 'none', tail: 'base64url' },
  account: { prefix: 'acc', word: 'none', tail: 'base64url' },
  location: { prefix: 'loc', word: 'none', tail: 'base64url' },
  apiKey: { prefix: 'key', word: 'none', tail: 'base64url' },
  portalUser: { prefix: 'usr', word: 'none', tail: 'base64url' },
} as const satisfies Record<string, IdForm>;

export type IdKind = keyof typeof PREFIXES;
export type IdOf<K extends IdKind> = Id<(typeof PREFIXES)[K]['prefix']>;

export type PaymentIntentId = IdOf<'paymentIntent'>;
export type SetupIntentId = IdOf<'setupIntent'>;
export type CustomerId = IdOf<'customer'>;
export type CustomerSecretId = IdOf<'customerSecret'>;
export type TerminalId = IdOf<'terminal'>;
export type TerminalSessionId = IdOf<'terminalSession'>;
export type EventId = IdOf<'event'>;
export type SubscriptionId = IdOf<'subscription'>;
export type SecretId = IdOf<'secret'>;
export type DeliveryId = IdOf<'delivery'>;
export type CaptureId = IdOf<'capture'>;
export type RefundId = IdOf<'refund'>;
export type ReversalId = IdOf<'reversal'>;
export type PaymentMethodId = IdOf<'paymentMethod'>;
export type AccountId = IdOf<'account'>;
export type LocationId = IdOf<'location'>;
export type ApiKeyId = IdOf<'apiKey'>;
export type PortalUserId = IdOf<'portalUser'>;

/** Whether the text is a well-formed id of the kind, of that environment if one is named. A malformed id is an unknown id. */
export function isId<K extends IdKind>(kind: K, text: string, environment?: Environment): text is IdOf<K> {
  const environments = environment === undefined ? ENVIRONMENTS : [environment];
  return environments.some((each) => {
    const lead = getIdPrefix(kind, each);
    return text.startsWith(lead) && TAILS[PREFIXES[kind].tail].test(text.slice(lead.length));
  });
}

/** Parses an id from our own rows; anything else is a Defect. */
export function parseKnownId<K extends IdKind>(kind: K, text: string): IdOf<K> {
  assert(isId(kind, text), `not the id of a ${kind}`);
  return text;
}

/** Everything of an id before its tail: `pi_sandbox_`, `pi_`, `tm_prod_`. */
export function getIdPrefix<K extends IdKind>(kind: K, environment: Environment): IdOf<K> {
  const { prefix, word } = PREFIXES[kind];
  const words = { none: '', sandbox: environment === 'sandbox' ? 'sandbox_' : '', always: ALWAYS[environment] };
  return `${prefix}_${words[word]}`;
}

/** The environment of an intent, which its id names. */
export function getIntentEnvironment(id: PaymentIntentId | SetupIntentId): Environment {
  return isId('paymentIntent', id, 'sandbox') || isId('setupIntent', id, 'sandbox') ? 'sandbox' : 'production';
}

interface IdForm {
  readonly prefix: string;
  readonly word: 'none' | 'sandbox' | 'always';
  readonly tail: 'base64url' | 'hex';
}

const ALWAYS = { sandbox: 'sandbox_', production: 'prod_' } as const satisfies Record<Environment, string>;
const TAILS = { base64url: /^[A-Za-z0-9_-]{22}$/, hex: /^[0-9a-f]{24}$/ } as const;

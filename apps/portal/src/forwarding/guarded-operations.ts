import type { Environment } from '@pos/core/identity';
import {
  changeApiKey,
  changeBranding,
  createApiKey,
  deleteApiKey,
  deleteGrpcIntegration,
  deleteRestIntegration,
  deleteWsIntegration,
  putGrpcIntegration,
  putRestIntegration,
  putWsIntegration,
  resetTerminalMachine,
} from '@pos/rest-contracts/accounts';
import type { Operation } from '@pos/rest-contracts/operation';
import { resolvePendingPayment } from '@pos/rest-contracts/operators';
import { readBody } from '@pos/rest-contracts/parsing';
import { refundPaymentIntent, reversePaymentIntent } from '@pos/rest-contracts/payment-intents';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import type { Release } from '@pos/rest-contracts/versions';
import {
  activateSecret,
  changeSubscription,
  createSecret,
  createSubscription,
  deleteSecret,
  deleteSubscription,
} from '@pos/rest-contracts/webhooks';

const GUARDED: ReadonlySet<string> = toIds([
  createApiKey,
  changeApiKey,
  deleteApiKey,
  changeBranding,
  createSecret,
  activateSecret,
  deleteSecret,
  refundPaymentIntent,
  reversePaymentIntent,
  resolvePendingPayment,
  resetTerminalMachine,
]);

/** They decide which servers receive events and money's records. In sandboxes, developers change them all day. */
const GUARDED_IN_PRODUCTION: ReadonlySet<string> = toIds([
  createSubscription,
  changeSubscription,
  deleteSubscription,
  putRestIntegration,
  putWsIntegration,
  putGrpcIntegration,
  deleteRestIntegration,
  deleteWsIntegration,
  deleteGrpcIntegration,
]);

/** The parts of a request that decide whether it is guarded. */
export interface GuardedRequest {
  /** As the API parses it: `readJsonBody` of the same bytes. */
  readonly body: unknown;
  readonly release: Release;
  readonly environment: Environment;
}

/**
 * Whether a request needs the password within the last five minutes: it changes credentials, what payers see or, in
 * production, where events and records go, or it returns money. A card machine also returns money, without a payment
 * too.
 */
export function isGuarded({ id }: Operation, { body, release, environment }: GuardedRequest): boolean {
  if (GUARDED.has(id)) return true;
  if (environment === 'production' && GUARDED_IN_PRODUCTION.has(id)) return true;
  return id === createTerminalSession.id && !isSale(body, release);
}

/** By the contract's own reading, which the API uses too. What it refuses is no sale, so the password is needed. */
function isSale(body: unknown, release: Release): boolean {
  const reading = readBody(createTerminalSession.body, body, release);
  return reading.ok && reading.value.details.sessionType === 'Sale';
}

function toIds(operations: readonly Operation[]): ReadonlySet<string> {
  return new Set(operations.map(({ id }) => id));
}

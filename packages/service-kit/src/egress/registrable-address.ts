import type { Scope } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import { findLoopbackObjection, findTargetObjection, formatTargetHost, parseEgressTarget } from './egress-target.js';
import { isLoopback } from '../network/internet-address.js';

/** The addresses beyond the public internet that the operator allows. */
export interface AddressPolicy {
  /** Exact `host:port` pairs that may be called at any address. */
  readonly allow: readonly string[];
  /** EPOSes of sandbox accounts may be registered without TLS. */
  readonly allowsPlaintext: boolean;
  /** Webhooks of sandbox accounts may be received on loopback without TLS: for development. */
  readonly allowsLoopbackWebhooks: boolean;
}

/**
 * Refuses, under `url`, an address that would be refused when it is called: for its form, its port, an IP address that
 * is not public, or a name that cannot be public. The addresses of a name are checked at each call; a name that does
 * not resolve yet is accepted.
 */
export function requireRegistrableUrl(
  url: string,
  { allow, allowsPlaintext }: Pick<AddressPolicy, 'allow' | 'allowsPlaintext'>,
): void {
  const target = parseEgressTarget(url, allowsPlaintext);
  if (typeof target === 'string') throw createUrlViolation(target);
  if (allow.some((entry) => entry.toLowerCase() === formatTargetHost(target))) return;
  if (target.protocol === 'http:' && isLoopback(target.hostname)) return;
  const objection = findTargetObjection(target) ?? (target.protocol === 'http:' ? PLAINTEXT_ELSEWHERE : null);
  if (objection !== null) throw createUrlViolation(objection);
}

const PLAINTEXT_ELSEWHERE =
  'without https only localhost, addresses of loopback and those that the operator has listed are called';

/** Checks the addresses that accounts register. */
export class RegistrableAddressPolicy {
  constructor(private readonly policy: AddressPolicy) {}

  /**
   * Refuses, under `url`, an address of a webhook that would never be called. Only sandboxes in development may have one
   * without TLS, and only on loopback; the allow-list does not count.
   */
  requireWebhookUrl({ environment }: Scope, url: string): void {
    const { allow, allowsLoopbackWebhooks } = this.policy;
    const allowsLoopback = allowsLoopbackWebhooks && environment === 'sandbox';
    const target = parseEgressTarget(url, allowsLoopback);
    if (typeof target === 'string') throw createUrlViolation(target);
    const objection = target.protocol === 'http:' ? findLoopbackObjection(target) : null;
    if (objection !== null) throw createUrlViolation(objection);
    if (target.protocol === 'https:') requireRegistrableUrl(url, { allow, allowsPlaintext: false });
  }

  /**
   * Refuses, under `url`, an address of an EPOS that would never be called. Only sandboxes may have one without TLS.
   */
  requireEposUrl({ environment }: Scope, url: string): void {
    const { allow, allowsPlaintext } = this.policy;
    const isPlaintextAllowed = allowsPlaintext && environment === 'sandbox';
    // The registration itself refuses an address without TLS, with the text of its documentation.
    if (new URL(url).protocol === 'http:' && !isPlaintextAllowed) return;
    requireRegistrableUrl(url, { allow, allowsPlaintext: isPlaintextAllowed });
  }
}

function createUrlViolation(reason: string): Error {
  return createViolation('validation_failed', 'url', `Is never called: ${reason}.`);
}

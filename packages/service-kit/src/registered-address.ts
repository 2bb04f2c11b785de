import { keyed } from '@pos/core/refusal';
import { findTargetObjection, hostAndPort, parseTarget } from './egress-target.js';
import { isLoopback } from './internet-address.js';

/** What the operator allows to be registered beyond the public internet. */
export interface AddressPolicy {
  /** Exact `host:port` pairs that are called wherever they are. */
  readonly allow: readonly string[];
  /** EPOSes of sandbox accounts may be registered without TLS. */
  readonly allowsPlaintext: boolean;
}

/**
 * Refuses, keyed `url`, an address that would be refused when it is called: by its form, its port, an IP address that is
 * not public, or a name that cannot be public. What a name resolves to is judged at each call; a name that does not
 * resolve yet is accepted.
 */
export function requireRegistrable(url: string, { allow, allowsPlaintext }: AddressPolicy): void {
  const target = parseTarget(url, allowsPlaintext);
  if (typeof target === 'string') throw refused(target);
  if (allow.some((entry) => entry.toLowerCase() === hostAndPort(target))) return;
  if (target.protocol === 'http:' && isLoopback(target.hostname)) return;
  const objection = findTargetObjection(target);
  if (objection !== null) throw refused(objection);
}

function refused(reason: string): Error {
  return keyed('validation_failed', 'url', `Is never called: ${reason}.`);
}

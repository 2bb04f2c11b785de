import { createHash, createHmac } from 'node:crypto';
import type { z } from 'zod';
import { type AcquirerSettings, readNamedAcquirers } from './acquirer-settings.js';
import { Secret } from './secret.js';

/**
 * Settings that must have one value in all processes that have them (ADR 0073): a payment link of one process is
 * opened at another, a deadline that one process has written is worked by another, and a lease of one is respected
 * by another.
 */
const AGREED_SETTINGS = [
  'CHECKOUT_BASE_URL',
  'ALLOW_PLAINTEXT_EPOS',
  'SIGNATURE_WINDOW_MS',
  'SIMULATOR_TIME_SCALE',
  'ACQUIRER_CALL_PENDING_MS',
  'RUNNER_LEASE_MS',
  'LOCK_LEASE_MS',
  'EPOS_CALL_LIMIT_MS',
  'RATE_LIMIT_PER_SECOND',
  'ACQUIRERS_FILE',
] as const;

/**
 * Keys that two apps share and no row depends on. They are compared by a keyed hash of a constant, so that their text is
 * in no row. A key that rows depend on has a check value instead (ADR 0058).
 */
const AGREED_KEYS = ['PORTAL_KEY'] as const;

/** The value of an agreed setting that a process leaves out. */
export const NOT_SET = 'not set';

/** A longer list of acquirers is compared by its fingerprint. */
const LIST_LENGTH_MAX = 1_000;
const FINGERPRINT_LENGTH = 16;

/**
 * The agreed settings that an app has, as texts without secrets. A key that is not set is left out: the app does not use
 * it, so it can disagree with nobody. Throws a `ConfigError` for a bad file.
 */
export function readAgreedSettings(
  schema: z.ZodObject,
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const own = AGREED_SETTINGS.filter((name) => name in schema.shape);
  const keys = AGREED_KEYS.flatMap((name) => {
    const key = config[name];
    return name in schema.shape && key instanceof Secret ? [[name, computeKeyFingerprint(name, key)] as const] : [];
  });
  return Object.fromEntries([...own.map((name) => [name, readValue(name, config)] as const), ...keys]);
}

function computeKeyFingerprint(name: (typeof AGREED_KEYS)[number], key: Secret): string {
  const hash = createHmac('sha256', key.reveal()).update(`agreed setting ${name}`).digest('hex');
  return `fingerprint:${hash.slice(0, FINGERPRINT_LENGTH)}`;
}

function readValue(name: (typeof AGREED_SETTINGS)[number], config: Readonly<Record<string, unknown>>): string {
  const value = config[name];
  return name === 'ACQUIRERS_FILE' && typeof value === 'string' ? describeAcquirers(value) : formatValue(value);
}

/**
 * The acquirers of a file by environment, name and address: a call is continued at the acquirer that has received it,
 * also by another app. The paths of the file and of its certificates and credentials may differ.
 */
function describeAcquirers(file: NonNullable<AcquirerSettings['ACQUIRERS_FILE']>): string {
  const acquirers = readNamedAcquirers(file).map(
    ({ environment, name, address }) => `${environment}:${name}=${address}`,
  );
  const text = acquirers.sort().join(',');
  if (text.length <= LIST_LENGTH_MAX) return text;
  const fingerprint = createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_LENGTH);
  return `${acquirers.length}-acquirers:${fingerprint}`;
}

function formatValue(value: unknown): string {
  if (value === undefined) return NOT_SET;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

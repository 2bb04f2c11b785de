import { PosUsageError } from '../errors/errors.js';
import { NEWEST_RELEASE } from '../gen/operation-types.js';
import type { SenderSettings, WarningsListener } from '../http/sender.js';
import { printWarning } from '../http/warning-printer.js';

/** How any client calls. */
export interface ClientSettings {
  /** Without a trailing slash, or with one. */
  readonly baseUrl: string;
  /** The release of the API; the types describe the newest, which is the default. */
  readonly version?: string | undefined;
  /** 4 when left out; 0: no retries. */
  readonly retriesMax?: number | undefined;
  /** The limit of a call with all its retries: 60 seconds when left out. */
  readonly timeoutMs?: number | undefined;
  /** The limit of one attempt: 30 seconds when left out. */
  readonly attemptTimeoutMs?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Called for an answer that names oddities of its request, such as a misspelt member. They are printed when left out. */
  readonly onWarnings?: WarningsListener | undefined;
  /** From 0 to 1, for the jitter of waits. */
  readonly random?: (() => number) | undefined;
}

const DEFAULTS = { retriesMax: 4, timeoutMs: 60_000, attemptTimeoutMs: 30_000 } as const;

/** Fills in the defaults. Throws `PosUsageError` for settings that cannot work. */
export function readSettings(settings: ClientSettings): SenderSettings {
  const { baseUrl } = settings;
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) throw new PosUsageError('baseUrl is no http address');
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...{ apiKey: null, softwareHouseId: null, resellerId: null },
    version: settings.version ?? NEWEST_RELEASE,
    retriesMax: readNumber(settings, 'retriesMax', 0),
    timeoutMs: readNumber(settings, 'timeoutMs', 1),
    attemptTimeoutMs: readNumber(settings, 'attemptTimeoutMs', 1),
    // A browser refuses its own function when it is called as a member of another object.
    fetch: settings.fetch ?? ((...args) => fetch(...args)),
    onWarnings: settings.onWarnings ?? printWarnings,
    random: settings.random ?? drawChance,
  };
}

/** A count that is no number would compare as false everywhere, and so retry without an end. */
function readNumber(settings: ClientSettings, name: keyof typeof DEFAULTS, min: number): number {
  const value = settings[name] ?? DEFAULTS[name];
  if (!Number.isSafeInteger(value) || value < min) {
    throw new PosUsageError(`${name} must be a whole number, at least ${min}`);
  }
  return value;
}

function printWarnings(warnings: readonly string[], operation: string): void {
  printWarning(`${operation}: ${warnings.join(', ')}`);
}

function drawChance(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return drawn / 2 ** 32;
}

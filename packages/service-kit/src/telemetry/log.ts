import { isNativeError } from 'node:util/types';
import { pino } from 'pino';
import { currentTrace } from './trace.js';

/** The fields of a line: flat, with stable names in snake_case. Deeper values are written up to a fixed depth. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one wide line per unit of work. The event is a name such as `delivery.attempted`, not a sentence. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** What a log is of. */
export interface LogOptions {
  readonly app: string;
  readonly level: string;
  /** The release that runs, in every line; left out where the app has none. */
  readonly release?: string;
  readonly write?: (line: string) => void;
}

/** Creates the log of a process: JSON lines with the trace id, in which every secret is hidden. */
export function createLog({ app, level, release, write }: LogOptions): Log {
  const options = {
    level,
    // Formatted once: during a rolling upgrade each line names the release that wrote it.
    base: { app, ...(release !== undefined && { release }), pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'event',
  };
  const lines = write === undefined ? pino(options, (output ??= createStandardOutput())) : pino(options, { write });
  const line =
    (logLevel: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}): void => {
      if (!lines.isLevelEnabled(logLevel)) return;
      lines[logLevel]({ trace_id: currentTrace()?.traceId, ...toPrintableFields(fields) }, event);
      // Errors and warnings are written at once, so that a crash does not lose them.
      if (logLevel === 'error' || logLevel === 'warn') lines.flush();
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

const BUFFER_LENGTH_MAX = 8_192;
const FLUSH_INTERVAL_MS = 100;

interface LogOutput {
  readonly write: (line: string) => void;
  readonly flush: () => void;
}

/** One for the process, shared by all its logs. */
let output: LogOutput | undefined;

/** Buffers lines for a moment, because a write for each line would cost more than the line itself. */
function createStandardOutput(): LogOutput {
  let buffered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = buffered;
    buffered = '';
    if (lines !== '') process.stdout.write(lines);
  };
  // The reader of standard output is gone. The error must not keep the process from its end.
  process.stdout.on('error', () => undefined);
  process.once('exit', flush);
  return {
    flush,
    write: (line) => {
      buffered += line;
      if (buffered.length >= BUFFER_LENGTH_MAX) flush();
      else timer ??= setTimeout(flush, FLUSH_INTERVAL_MS).unref();
    },
  };
}

const DEPTH_MAX = 5;
const MEMBERS_MAX = 100;
const TEXT_LENGTH_MAX = 4_000;
const HIDDEN_TEXT = '[hidden]';

/** Names whose value is always hidden. Compared without case, `_` and `-`. */
const SECRET_NAMES =
  /^(authorization|proxyauthorization|cookie|setcookie|password|passphrase|apikey|keytext|clientsecret|clientsessionsecret|secret|secretvalue|servicesignature|webhooksignature|keypepper|encryptionkey|databaseurl|cardnumber|pan|cv2|cvv|cvc|pareq|pares)$/;

/**
 * Forms that are always secret: API keys, client secrets (nothing else is a word that long), credentials in an address,
 * card numbers.
 */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bsk_(sandbox|prod)_[A-Za-z0-9_-]{8,}/g, 'sk_$1_[hidden]'],
  [/\b[A-Za-z0-9_-]{150,}/g, HIDDEN_TEXT],
  [/\b(Basic|Bearer)\s+[A-Za-z0-9+/=._-]{8,}/gi, '$1 [hidden]'],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1[hidden]@'],
];
const CARD_NUMBER = /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g;

function toPrintableFields(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toPrintableMember(name, value, 1)]));
}

function toPrintableMember(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  return isSecretName(name) ? HIDDEN_TEXT : toPrintable(value, depth);
}

const secretNameCache = new Map<string, boolean>();
const SECRET_NAME_CACHE_MAX = 1_000;

/** The names in our own code are few and cached; others beyond the limit are checked each time. */
function isSecretName(name: string): boolean {
  const known = secretNameCache.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAMES.test(name.toLowerCase().replaceAll(/[_-]/g, ''));
  if (secretNameCache.size < SECRET_NAME_CACHE_MAX) secretNameCache.set(name, isSecret);
  return isSecret;
}

function toPrintable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toPrintableText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  return typeof value === 'object' && value !== null ? toPrintableObject(value, depth) : value;
}

function toPrintableObject(value: object, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (depth >= DEPTH_MAX) return '[deeper]';
  if (isNativeError(value)) return toPrintableError(value, depth);
  // Bytes may be a sealed secret or a body with personal data, so only their number is written.
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MEMBERS_MAX).map((item: unknown) => toPrintable(item, depth + 1));
  if (value instanceof Set) return toPrintable([...value], depth);
  if (value instanceof Map) return toPrintableObject(Object.fromEntries<unknown>(value), depth);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return toPrintable(Reflect.apply(value.toJSON, value, []), depth + 1);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MEMBERS_MAX)
      .map(([name, member]) => [name, toPrintableMember(name, member, depth + 1)]),
  );
}

function toPrintableError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: toPrintableText(error.message),
    ...('code' in error && { code: toPrintable(error.code, depth + 1) }),
    ...(error.stack !== undefined && { stack: toPrintableText(error.stack) }),
    ...(error.cause !== undefined && { cause: toPrintable(error.cause, depth + 1) }),
  };
}

/** A fast check that most texts pass: without a match there can be no secret form and no card number. */
const MAY_BE_SECRET = /sk_|basic|bearer|:\/\/|[A-Za-z0-9_-]{150}|\d(?:[ -]?\d){12}/i;

function toPrintableText(text: string): string {
  if (text.length <= TEXT_LENGTH_MAX && !MAY_BE_SECRET.test(text)) return text;
  let visible = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
  for (const [shape, replacement] of SECRET_SHAPES) visible = visible.replace(shape, replacement);
  return visible.replace(CARD_NUMBER, (digits) => (isCardNumber(digits) ? HIDDEN_TEXT : digits));
}

/**
 * The check digit keeps order numbers and times readable. One in ten of those is hidden by chance, which is harmless.
 */
function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number);
  const total = digits.reverse().reduce((sum, digit, position) => {
    const weighted = position % 2 === 0 ? digit : digit * 2;
    return sum + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return total % 10 === 0;
}

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { WrongSetting } from '@pos/core/refusals';
import { z } from 'zod';
import { isHttpsNeeded, listPlaintextAddresses } from './plaintext-addresses.js';
import { Secret } from './secret.js';

/**
 * Reads an app's settings once, from the environment at its start. An empty text counts as not set. A secret may come
 * from a file, which `NAME_FILE` names. Throws a `ConfigError` that names every bad variable and never contains a
 * value.
 */
export function readConfig<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const { values, problems } = readGivenSettings(schema, env);
  const isInProduction = isProduction(schema, values);
  for (const [name, setting] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const development = DEVELOPMENT_DEFAULTS.get(setting);
    if (development === undefined || name in values) continue;
    const { standard: defaultValue, isOptional } = development;
    if (isInProduction && isOptional) continue;
    if (isInProduction) problems.push(`${name}: is not set, and has no default in production`);
    else values[name] = defaultValue;
  }
  if (isInProduction && 'SEED' in values) {
    problems.push('SEED: must not be set with NODE_ENV=production: ids and secrets could be foreseen');
  }
  if (isInProduction) problems.push(...listPlaintextAddresses(schema, values));
  const parsed = schema.safeParse(values);
  if (parsed.success && problems.length === 0) return parsed.data;
  const reportedNames = new Set(problems.map((problem) => problem.split(/_FILE:|:/)[0]));
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'configuration');
    if (reportedNames.has(name)) continue;
    problems.push(name in values ? `${name}: ${issue.message}` : `${name}: is not set, and has no default`);
  }
  throw new ConfigError(problems);
}

/** The texts of the settings, secrets also from their files, and the files that cannot be used. */
function readGivenSettings(
  schema: z.ZodObject,
  env: Readonly<Record<string, string | undefined>>,
): { readonly values: Record<string, string>; readonly problems: string[] } {
  const given: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries<z.core.$ZodType>(schema.shape)) {
    let text = env[name]?.trim() ?? '';
    const file = isSecretSetting(setting) ? (env[`${name}_FILE`]?.trim() ?? '') : '';
    if (file !== '' && text !== '') problems.push(`${name}_FILE: is set, and ${name} is set, too`);
    else if (file !== '') {
      text = readTextFile(file) ?? '';
      if (text === '') problems.push(`${name}_FILE: names a file that cannot be read or is empty`);
    }
    if (text !== '') given[name] = text;
  }
  return { values: given, problems };
}

function readTextFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** `production` is the default. An app without the setting NODE_ENV never counts as production. */
function isProduction(schema: z.ZodObject, given: Readonly<Record<string, string>>): boolean {
  return 'NODE_ENV' in schema.shape && (given['NODE_ENV'] ?? 'production') === 'production';
}

/** One or more settings are invalid; the message names each variable. The process must not start. */
export class ConfigError extends WrongSetting {
  override readonly name = 'ConfigError';
}

/** The settings of an app as markdown rows: name, default, meaning. Throws for a setting without a description. */
export function formatConfigTable(schema: z.ZodObject): string {
  const rows = Object.entries<z.core.$ZodType>(schema.shape).map(([name, setting]) => {
    const meaning = z.globalRegistry.get(setting)?.description;
    if (meaning === undefined) throw new Error(`the setting ${name} has no description; end it with .describe('...')`);
    const names = isSecretSetting(setting) ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    const text = [
      meaning,
      describeMinimum(setting),
      'NODE_ENV' in schema.shape && isHttpsNeeded(setting) ? HTTPS_NEEDED : '',
    ]
      .join('')
      .replaceAll('|', '\\|');
    return `| ${names} | ${formatDefault(setting)} | ${text} |`;
  });
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

const HTTPS_NEEDED = ' In production `https`, except on loopback.';

/** The sentence about the least length of a secret; empty where it has none. */
function describeMinimum(setting: z.core.$ZodType): string {
  if (setting instanceof z.ZodOptional) return describeMinimum(setting.unwrap());
  const text = setting instanceof z.ZodPipe ? setting.in : null;
  const least = text instanceof z.ZodString && isSecretSetting(setting) ? text.minLength : null;
  return least === null ? '' : ` At least ${least} characters.`;
}

/** The names of the settings that may come from a file, as `NAME_FILE`. */
export function listSecretSettings(schema: z.ZodObject): string[] {
  const settings = Object.entries<z.core.$ZodType>(schema.shape);
  return settings.flatMap(([name, setting]) => (isSecretSetting(setting) ? [name] : []));
}

/** Settings without a default in production, with their default elsewhere. */
const DEVELOPMENT_DEFAULTS = z.registry<{ readonly standard: string; readonly isOptional: boolean }>();

/** A setting that is required in production and has this default elsewhere. Call `describe` after it. */
export function requireInProduction<S extends z.ZodType<unknown, string | undefined>>(
  setting: S,
  defaultValue: string,
): S {
  DEVELOPMENT_DEFAULTS.add(setting, { standard: defaultValue, isOptional: false });
  return setting;
}

/** A setting that may be left out in production and has this default elsewhere. Call `describe` after it. */
export function defaultOutsideProduction<S extends z.ZodType<unknown, string | undefined>>(
  setting: S,
  defaultValue: string,
): S {
  DEVELOPMENT_DEFAULTS.add(setting, { standard: defaultValue, isOptional: true });
  return setting;
}

/** Turns a text into a `Secret`, which cannot be printed. A setting that ends with this may come from a file. */
export function toSecret(text: string): Secret {
  return new Secret(text);
}

function isSecretSetting(setting: z.core.$ZodType): boolean {
  if (setting instanceof z.ZodOptional) return isSecretSetting(setting.unwrap());
  return (
    setting instanceof z.ZodPipe && setting.out instanceof z.ZodTransform && setting.out.def.transform === toSecret
  );
}

/** A TCP port to listen on; 0 asks the system for a free one. */
export function portSetting(defaultValue: number) {
  return z.coerce.number().int().min(0).max(65_535).default(defaultValue);
}

/** A span of time in whole milliseconds, at least one. */
export function millisecondsSetting(defaultValue: number) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(30 * 24 * 60 * 60 * 1000)
    .default(defaultValue);
}

/** A span of time whose default is defined elsewhere; not set means that default. */
export function optionalWindowSetting() {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(24 * 60 * 60 * 1000)
    .optional();
}

/** How many times faster the simulated world runs than the real one. */
export function timeScaleSetting() {
  return z.coerce.number().positive().max(10_000).default(1);
}

/** The URL of PostgreSQL, whose parts the store checks. It contains a password, so it cannot be printed. */
export function databaseUrlSetting() {
  return z
    .string()
    .regex(/^postgres(ql)?:\/\/./, { error: 'is not a postgres:// address' })
    .transform(toSecret);
}

/** The path of a PEM file with certificates, which is read when the process starts. */
export function certificateFileSetting() {
  return z.string().refine((file) => readTextFile(file)?.includes('-----BEGIN CERTIFICATE-----') === true, {
    error: 'names a file that cannot be read or holds no certificate',
  });
}

/** A comma-separated list without empty entries; empty unless another default is given. */
export function listSetting(defaultValue = '') {
  return z
    .string()
    .default(defaultValue)
    .transform((text) => text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()])));
}

/** The proxies before the public ports of an app. */
export function trustedProxiesSetting() {
  return listSetting()
    .pipe(z.array(z.string().refine(isNetwork, { error: 'is not a list of addresses and networks' })))
    .describe(
      'Addresses and networks, comma-separated, of the proxies before this app. Their `x-forwarded-for` is trusted. A public port off loopback without a certificate accepts connections of theirs only, and they must encrypt.',
    );
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** A secret text with a minimum length in characters. */
export function secretSetting(min: number) {
  return z.string().min(min).transform(toSecret);
}

/** How many connections to the database a process may hold. */
export function poolSizeSetting(standard = 16) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(standard)
    .describe('How many connections to the database this process may hold.');
}

/** The default limit of connections that one address may hold open at a port. */
export const CONNECTIONS_PER_ADDRESS = 1_000;

/** How many connections one address may hold open at each port of a process. */
export function connectionsPerAddressSetting() {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(CONNECTIONS_PER_ADDRESS)
    .describe(
      'How many connections one address may hold open at each port; more are dropped when they open. Behind a proxy all have its address: set it there, and here as high as the proxy needs.',
    );
}

/** The environment of a process; `production` by default. */
export function nodeEnvSetting() {
  return z.enum(['production', 'development', 'test']).default('production');
}

const HOST_PORT = /^(\[[0-9a-f:]+\]|[^\s:/@[\]]+):\d{1,5}$/i;

/** One network address, `host:port`, with an IPv6 address in brackets. */
export function hostPortSetting() {
  return z.string().regex(HOST_PORT, { error: 'is not host:port, with an IPv6 address in brackets' });
}

/** A comma-separated list of exact `host:port` pairs; empty by default. */
export function hostPortListSetting() {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .pipe(z.array(z.string().regex(HOST_PORT, { error: 'is not a list of host:port' })))
    .default([]);
}

/** A list of host names without ports, separated by commas; empty by default. They are compared in lower case. */
export function hostNameListSetting() {
  return z
    .string()
    .transform((text) => text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim().toLowerCase()])))
    .pipe(z.array(z.string().regex(/^[a-z\d]([a-z\d.-]*[a-z\d])?$/, { error: 'is not a list of host names' })).max(100))
    .default([]);
}

/** The same for a required list: 1 to 100 addresses. */
export function requiredHostPortListSetting() {
  return z
    .string()
    .transform((text) => text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])))
    .pipe(
      z
        .array(z.string().regex(HOST_PORT, { error: 'is not a list of host:port' }))
        .min(1)
        .max(100),
    );
}

/** A key of exactly 32 bytes, written as base64. */
export function encryptionKeySetting() {
  return z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, { error: 'is not 32 bytes in base64' })
    .transform(toSecret);
}

/** The level of the log. */
export function logLevelSetting() {
  return z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');
}

function formatDefault(setting: z.core.$ZodType): string {
  const development = DEVELOPMENT_DEFAULTS.get(setting);
  if (development !== undefined) {
    const inProduction = development.isOptional ? formatStandard(setting) : 'required';
    return `${inProduction}; outside production \`${development.standard}\``;
  }
  return formatStandard(setting);
}

/** The default of the schema itself. */
function formatStandard(setting: z.core.$ZodType): string {
  const parsed = z.safeParse(setting, undefined);
  if (!parsed.success) return 'required';
  const value = parsed.data;
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``;
  return typeof value === 'string' ? `\`${value}\`` : `\`${JSON.stringify(value)}\``;
}

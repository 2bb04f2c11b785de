import { isIPv4, isIPv6 } from 'node:net';
import { WrongSetting } from '@pos/core/refusals';
import { type ClientTls, createUrlError, parseClientTls, TLS_PARAMETERS } from './client-tls.js';

/** The servers that a process may use: those that accept writes, every primary, or all. */
const SESSION_ATTRIBUTES = ['read-write', 'primary', 'any'] as const;
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number];

/** A server of `DATABASE_URL`. A host that begins with a slash is the folder of a Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** The parts of a `DATABASE_URL`. */
export interface ConnectionUrl {
  /** At least one. Any of them may be the primary, now or after a fail-over. */
  readonly servers: readonly ServerAddress[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly sessionAttributes: SessionAttributes;
  /** Null: no TLS. */
  readonly tls: ClientTls | null;
  /** The longest time until a server accepts a connection; null when the URL does not say. */
  readonly connectTimeoutMs: number | null;
  /** Settings of the server for each connection, as `-c name=value`. */
  readonly serverOptions: string | undefined;
}

const PORT = 5432;
const SERVERS_MAX = 16;
const CONNECT_TIMEOUT_S_MAX = 300;
const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const SERVER = /^(\[[0-9a-f:.]+\]|[^\s:[\]]*)(?::(\d{1,5}))?$/i;
const PARAMETERS = [...TLS_PARAMETERS, 'target_session_attrs', 'connect_timeout', 'options', 'host', 'port'];

/**
 * Reads a `DATABASE_URL`: `postgres://user:password@host:port,host:port/database?parameter=value`. The parameters have
 * the names and meanings of libpq. Throws WrongSetting that names the part, and never shows a value.
 */
export function parseConnectionUrl(url: string): ConnectionUrl {
  const match = URL_PARTS.exec(url.trim());
  if (match === null) throw createUrlError('is not postgres://user:password@host:port/database');
  const [, login = '', authority = '', path = '', query = ''] = match;
  const parameters = parseParameters(query);
  const colon = login.indexOf(':');
  const user = decodePart('user', colon === -1 ? login : login.slice(0, colon));
  return {
    servers: parseServers(authority, parameters),
    user,
    password: colon === -1 ? undefined : decodePart('password', login.slice(colon + 1)),
    database: decodePart('database', path) ?? user,
    sessionAttributes: parseSessionAttributes(parameters.get('target_session_attrs')),
    tls: parseClientTls(parameters),
    connectTimeoutMs: parseConnectTimeout(parameters.get('connect_timeout')),
    serverOptions: parameters.get('options'),
  };
}

/** The address of the same database for another login. */
export function buildLoginUrl(url: string, user: string, password: string): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?/, (_, scheme: string) => `${scheme}${login}@`);
}

/** The servers and the database of a URL, as logs and messages name them. */
export function describeTarget({ servers, database = '' }: ConnectionUrl): {
  readonly host: string;
  readonly database: string;
} {
  return { host: servers.map(formatServer).join(','), database };
}

export function formatServer({ host, port }: ServerAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Throws WrongSetting when a connection to another machine does not verify the certificate and the name of the server:
 * with a weaker mode, a program that answers in its place receives the login and every statement.
 */
export function requireVerifiedServers({ servers, tls }: ConnectionUrl, setting = 'DATABASE_URL'): void {
  if (tls?.mode === 'verify-full' || servers.every(({ host }) => isLoopback(host))) return;
  throw new WrongSetting([
    `${setting}: sslmode: must be verify-full for a server on another machine, with sslrootcert for a private authority; DATABASE_TLS_BY_NETWORK=true accepts weaker modes where the network itself encrypts and verifies`,
  ]);
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1' || host.startsWith('/')) return true;
  return isIPv4(host) && host.startsWith('127.');
}

function parseParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!PARAMETERS.includes(name)) {
      throw createUrlError(`has an unknown parameter; the known ones are ${PARAMETERS.join(', ')}`);
    }
    if (parameters.has(name)) throw createUrlError(`${name}: is given twice`);
    if (value === '') throw createUrlError(`${name}: is empty`);
    parameters.set(name, value);
  }
  return parameters;
}

function parseServers(authority: string, parameters: ReadonlyMap<string, string>): ServerAddress[] {
  const host = parameters.get('host');
  const port = parameters.get('port');
  if (authority !== '' && (host !== undefined || port !== undefined))
    throw createUrlError('host: is given before the database and as a parameter');
  const listed =
    authority === '' ? `${encodeURIComponent(host ?? '')}${port === undefined ? '' : `:${port}`}` : authority;
  const servers = listed.split(',').map(parseServer);
  if (servers.length > SERVERS_MAX) throw createUrlError(`host: there are more than ${SERVERS_MAX}`);
  if (new Set(servers.map(formatServer)).size < servers.length) throw createUrlError('host: one server is named twice');
  return servers;
}

function parseServer(text: string): ServerAddress {
  const [matched, name = '', digits] = SERVER.exec(text) ?? [];
  if (matched === undefined) throw createUrlError('host: is not host:port, with an IPv6 address in brackets');
  const host = decodePart('host', name.replace(/^\[|\]$/g, ''));
  if (host === undefined) throw createUrlError('host: is missing');
  const port = digits === undefined ? PORT : Number(digits);
  if (port < 1 || port > 65_535) throw createUrlError('port: is not between 1 and 65535');
  return { host, port };
}

function decodePart(part: string, text: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    throw createUrlError(`${part}: has a percent sign that begins no character; write it as %25`);
  }
}

function parseSessionAttributes(text = 'read-write'): SessionAttributes {
  const attributes = SESSION_ATTRIBUTES.find((each) => each === text);
  if (attributes !== undefined) return attributes;
  throw createUrlError(`target_session_attrs: is none of ${SESSION_ATTRIBUTES.join(', ')}`);
}

function parseConnectTimeout(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= CONNECT_TIMEOUT_S_MAX) return seconds * 1_000;
  throw createUrlError(`connect_timeout: is not between 1 and ${CONNECT_TIMEOUT_S_MAX} seconds`);
}

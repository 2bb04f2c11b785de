import { findCapability, EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { Refusal } from '@pos/core/refusals';
import { type ReportFiles, UsageError } from '@pos/conformance/command';
import { HTML_LANGUAGES, type HtmlLanguage } from '@pos/conformance/reports';
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import type { EposAddress } from '../test-bench/test-bench.js';
import type { Flow } from '../flow-context/flow.js';
import { FLOWS } from '../flows/flows.js';
import type { FlowSelection } from '../clause-coverage/group.js';
import { readParams } from '../flow-context/run-params.js';
import { GROUP_TRANSPORTS, type GroupTransport, findSkip } from '../clause-coverage/transports.js';

/** The arguments of `run`, parsed and checked as far as possible before anything starts. */
export interface RunRequest {
  /** As the user wrote it, without credentials. */
  readonly epos: string;
  /** What the user calls the EPOS, for the head of the page; empty when not given. */
  readonly product: { readonly name: string; readonly version: string };
  /** The EPOS of the sandbox is tested instead of an external one. */
  readonly isReference: boolean;
  readonly grpc: EposAddress | null;
  readonly rest: EposAddress | null;
  readonly capabilities: readonly EposCapability[];
  /** In the order of the transports; each flow at most once per transport. */
  readonly chosen: readonly FlowSelection[];
  readonly transports: readonly GroupTransport[];
  /** The transports that the EPOS has, played or not. */
  readonly available: readonly GroupTransport[];
  readonly currencyCode: string;
  /** The address that an EPOS dials in at. */
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  /** How long to wait for an EPOS that dials in. */
  readonly waitSeconds: number;
  readonly caFile: string | null;
  readonly expectedFailures: string | null;
  readonly reports: ReportFiles;
}

const OPTIONS = {
  epos: { type: 'string', multiple: true },
  username: { type: 'string' },
  password: { type: 'string' },
  capabilities: { type: 'string' },
  transport: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  flow: { type: 'string', multiple: true },
  param: { type: 'string', multiple: true },
  currency: { type: 'string' },
  'expected-failures': { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'string' },
  html: { type: 'string' },
  language: { type: 'string' },
  'epos-name': { type: 'string' },
  'epos-version': { type: 'string' },
  host: { type: 'string' },
  'http-port': { type: 'string' },
  'grpc-port': { type: 'string' },
  'wait-seconds': { type: 'string' },
  'ca-file': { type: 'string' },
} as const;

/** By default, other machines cannot connect. */
export const LOOPBACK = '127.0.0.1';
const PORT_MAX = 65_535;
const WAIT_SECONDS_MAX = 3_600;
const WAIT_SECONDS = 60;

/** Parses the arguments after `run`. Throws UsageError. */
export function readRunRequest(words: readonly string[], password: string | undefined): RunRequest {
  const values = parseFlags(words);
  const addresses = values.epos ?? [];
  if (addresses.length === 0) throw new UsageError('--epos is missing: where is the EPOS?');
  const isReference = addresses.includes('reference');
  if (isReference && addresses.length > 1)
    throw new UsageError('--epos reference cannot be combined with another --epos');
  const credentials = { username: values.username ?? '', password: values.password ?? password ?? '' };
  const called = isReference ? [] : addresses.flatMap((address) => readAddress(address, credentials) ?? []);
  const available = isReference
    ? GROUP_TRANSPORTS
    : [...called.map(({ transport }) => transport), ...addresses.flatMap(connectsInbound)];
  if (new Set(available).size < available.length) throw new UsageError('--epos names one transport twice');
  const transports = selectTransports(values.transport, available);
  const capabilities = capabilitiesOf(values.capabilities);
  const served = { transports: new Set(available), capabilities: new Set(capabilities) };
  const flows = listFlows(values.flow, values.all);
  const params = listParams(values.param, flows);
  const find = (transport: GroupTransport) => called.find((each) => each.transport === transport)?.at ?? null;
  return {
    epos: addresses.map(formatArgument).join(' '),
    isReference,
    ...{ grpc: find('grpc-dialled'), rest: find('rest'), capabilities, transports, available },
    chosen: transports.flatMap((transport) =>
      flows.map((flow) => ({
        ...{ transport, flow, params: params.get(flow) ?? readParams(flow.params, {}) },
        skip: findSkip(flow, transport, served),
      })),
    ),
    currencyCode: getCurrency(values.currency),
    host: getHost(values.host),
    httpPort: wholeNumber('http-port', values['http-port'], { absent: 0, max: PORT_MAX }),
    grpcPort: wholeNumber('grpc-port', values['grpc-port'], { absent: 0, max: PORT_MAX }),
    waitSeconds: wholeNumber('wait-seconds', values['wait-seconds'], { absent: WAIT_SECONDS, max: WAIT_SECONDS_MAX }),
    caFile: values['ca-file'] ?? null,
    expectedFailures: values['expected-failures'] ?? null,
    product: {
      name: shortText('epos-name', values['epos-name']),
      version: shortText('epos-version', values['epos-version']),
    },
    reports: {
      ...{ junit: values.junit ?? null, json: values.json ?? null, html: values.html ?? null },
      language: getLanguage(values.language),
    },
  };
}

function parseFlags(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The transport and the address of an EPOS that is called; null for one that dials in. */
function readAddress(
  address: string,
  given: { readonly username: string; readonly password: string },
): { readonly transport: GroupTransport; readonly at: EposAddress } | null {
  if (isInboundTransport(address)) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  const scheme = SCHEMES.get(url?.protocol ?? '');
  if (url === null || scheme === undefined || url.host === '') {
    throw new UsageError(`--epos ${formatArgument(address)} is none of ${FORMS}`);
  }
  if (scheme.transport === 'grpc-dialled' && url.port === '') {
    throw new UsageError(`--epos ${formatArgument(address)} names no port: grpc has none of its own`);
  }
  const username = url.username === '' ? given.username : unescapeText(url.username);
  const password = url.password === '' ? given.password : unescapeText(url.password);
  if (username === '' || password === '') {
    throw new UsageError(`--epos ${formatArgument(address)} needs --username, and --password or TESTER_EPOS_PASSWORD`);
  }
  const { host, pathname, search } = url;
  const base = `${scheme.over}//${host}${scheme.transport === 'rest' ? `${pathname}${search}`.replace(/\/$/, '') : ''}`;
  return { transport: scheme.transport, at: { url: base, username, password } };
}

const SCHEMES: ReadonlyMap<string, { readonly transport: GroupTransport; readonly over: string }> = new Map([
  ['http:', { transport: 'rest', over: 'http:' }],
  ['https:', { transport: 'rest', over: 'https:' }],
  ['grpc:', { transport: 'grpc-dialled', over: 'http:' }],
  ['grpcs:', { transport: 'grpc-dialled', over: 'https:' }],
]);
const DIAL_INS: readonly GroupTransport[] = ['ws', 'tables-ws', 'grpc-stream'];
const FORMS = `http://..., https://..., grpc://host:port, grpcs://host:port, ${DIAL_INS.join(', ')}, reference`;

function isInboundTransport(address: string): boolean {
  return DIAL_INS.some((each) => each === address);
}

function connectsInbound(address: string): GroupTransport[] {
  return DIAL_INS.filter((each) => each === address);
}

/** Decodes a part of an address; text that is not an escape stays as it is. */
function unescapeText(part: string): string {
  return part.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/**
 * Removes credentials wherever a URL parser would find them. For a text that is not an address, removes what cannot
 * belong to one.
 */
export function formatArgument(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.host === '') return address.slice(address.lastIndexOf('@') + 1);
  const { protocol, host, pathname, search } = url;
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}${search}`;
}

function selectTransports(
  value: readonly string[] | undefined,
  available: readonly GroupTransport[],
): GroupTransport[] {
  const wanted = value?.flatMap((each) => each.split(','));
  for (const each of wanted ?? []) {
    if (!available.some((transport) => transport === each))
      throw new UsageError(`--transport ${each} is none of ${available.join(', ')}`);
  }
  return GROUP_TRANSPORTS.filter((each) => available.includes(each) && (wanted?.includes(each) ?? true));
}

function capabilitiesOf(value: string | undefined): readonly EposCapability[] {
  if (value === undefined) return EPOS_CAPABILITIES;
  return value.split(',').map((name) => {
    const capability = findCapability(name.trim());
    if (capability === null) throw new UsageError(`--capabilities: ${name} is not the name of a capability`);
    return capability;
  });
}

function listFlows(value: readonly string[] | undefined, all: boolean | undefined): readonly Flow[] {
  if ((value === undefined) === (all === undefined)) throw new UsageError('either --all or --flow says what is played');
  if (value === undefined) return FLOWS;
  const wanted = value.flatMap((each) => each.split(',')).map((name) => name.toLowerCase());
  const unknown = wanted.find((name) => !FLOWS.some((flow) => flow.name.toLowerCase() === name));
  if (unknown !== undefined) throw new UsageError(`--flow ${unknown} is not the name of a flow: see \`tester flows\``);
  return FLOWS.filter(({ name }) => wanted.includes(name.toLowerCase()));
}

/** Passes each parameter to the flows that have it. One that none of them has is a misspelling. */
function listParams(assignments: readonly string[] = [], flows: readonly Flow[]) {
  const sent = assignments.map((text) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`--param ${text} is not name=value`);
    if (name.toLowerCase() === 'transport') throw new UsageError('--param transport: say --transport instead');
    if (!flows.some((flow) => hasFlag(flow, name))) throw new UsageError(`--param ${name}: none of the flows has it`);
    return [name, value] as const;
  });
  return new Map(
    flows.map((flow) => {
      try {
        return [flow, readParams(flow.params, Object.fromEntries(sent.filter(([name]) => hasFlag(flow, name))))];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const violations = Object.entries(error.members).map(([name, [message = '']]) => `${name}: ${message}`);
        throw new UsageError(`${flow.name}: ${violations.join(' ')}`);
      }
    }),
  );
}

function hasFlag({ params }: Flow, wanted: string): boolean {
  return params.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}

function getCurrency(value = 'GBP'): string {
  if (!/^[A-Z]{3}$/.test(value)) throw new UsageError('--currency is three capital letters');
  return value;
}

function getLanguage(value = 'en'): HtmlLanguage {
  const language = HTML_LANGUAGES.find((each) => each === value);
  if (language === undefined) throw new UsageError(`--language ${value} is none of ${HTML_LANGUAGES.join(', ')}`);
  return language;
}

const NAME_LENGTH_MAX = 100;

/** Exactly as the user wrote it: the page escapes it. */
function shortText(name: string, value = ''): string {
  if (value.length > NAME_LENGTH_MAX) throw new UsageError(`--${name} has at most ${NAME_LENGTH_MAX} characters`);
  return value.trim();
}

function getHost(value = LOOPBACK): string {
  if (isIP(value) === 0) throw new UsageError(`--host ${value} is not an IP address`);
  return value;
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { absent, max }: { readonly absent: number; readonly max: number },
): number {
  if (text === undefined) return absent;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Infinity;
  if (value > max) throw new UsageError(`--${name} is a whole number up to ${max}`);
  return value;
}

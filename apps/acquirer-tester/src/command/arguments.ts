import { type ReportFiles, UsageError } from '@pos/conformance/command';
import { parseArgs } from 'node:util';
import type { TlsPaths } from '../acquirer/tls-channel.js';
import { FLOWS } from '../flows/flows.js';
import type { Flow } from '../scene/flow.js';

/** The arguments of `run`, checked as far as possible before anything is read or called. */
export interface RunRequest {
  /** As the user wrote it. */
  readonly acquirer: string;
  /** `host:port`; null: the acquirer of the sandbox, which the command starts. */
  readonly address: string | null;
  /** Null: without TLS. */
  readonly tls: TlsPaths | null;
  readonly credential: string | null;
  /** Null: the built-in profile of the sandbox. */
  readonly profile: string | null;
  readonly flows: readonly Flow[];
  /** How long an adapter that starts is waited for. */
  readonly waitSeconds: number;
  readonly expectedFailures: string | null;
  readonly reports: ReportFiles;
}

const OPTIONS = {
  acquirer: { type: 'string' },
  profile: { type: 'string' },
  credential: { type: 'string' },
  'ca-file': { type: 'string' },
  'cert-file': { type: 'string' },
  'key-file': { type: 'string' },
  all: { type: 'boolean' },
  flow: { type: 'string', multiple: true },
  'wait-seconds': { type: 'string' },
  'expected-failures': { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'string' },
  html: { type: 'string' },
} as const;

const SANDBOX = 'sandbox';
const WAIT_SECONDS = 15;
const WAIT_SECONDS_MAX = 3_600;
/** Printable ASCII, as metadata of gRPC must be. */
const CREDENTIAL = /^[\x20-\x7e]{1,4096}$/;

/** Parses the arguments after `run`. Throws UsageError. */
export function readRunRequest(words: readonly string[], credential: string | undefined): RunRequest {
  const values = parseFlags(words);
  if (values.acquirer === undefined) throw new UsageError('--acquirer is missing: where is the adapter?');
  const isSandbox = values.acquirer === SANDBOX;
  const { address, hasTls } = isSandbox ? { address: null, hasTls: false } : readAddress(values.acquirer);
  const tls = readTls(values, hasTls);
  const profile = values.profile ?? null;
  if (isSandbox && (profile !== null || values.credential !== undefined)) {
    throw new UsageError('--acquirer sandbox has a profile and a credential of its own');
  }
  if (!isSandbox && profile === null) {
    throw new UsageError('--profile is missing: which cards approve and decline? `acquirer-tester profile` shows one');
  }
  return {
    acquirer: values.acquirer,
    ...{ address, tls, profile: profile === SANDBOX ? null : profile },
    credential: readCredential(values.credential ?? (isSandbox ? undefined : credential)),
    flows: listFlows(values.flow, values.all),
    waitSeconds: readWaitSeconds(values['wait-seconds']),
    expectedFailures: values['expected-failures'] ?? null,
    reports: { junit: values.junit ?? null, json: values.json ?? null, html: values.html ?? null },
  };
}

function parseFlags(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readAddress(text: string): { readonly address: string; readonly hasTls: boolean } {
  const [, scheme = '', address = ''] = /^(grpcs?):\/\/((?:\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5})\/?$/i.exec(text) ?? [];
  if (address === '') throw new UsageError('--acquirer is none of grpc://host:port, grpcs://host:port, sandbox');
  return { address, hasTls: scheme.toLowerCase() === 'grpcs' };
}

function readTls(
  values: { readonly [name in 'ca-file' | 'cert-file' | 'key-file']?: string | undefined },
  hasTls: boolean,
): TlsPaths | null {
  const files = { ca: values['ca-file'] ?? null, cert: values['cert-file'] ?? null, key: values['key-file'] ?? null };
  const given = Object.entries(files).find(([, file]) => file !== null);
  if (!hasTls && given !== undefined) throw new UsageError(`--${given[0]}-file needs an address with grpcs://`);
  if ((files.cert === null) !== (files.key === null)) {
    throw new UsageError('--cert-file and --key-file belong together');
  }
  return hasTls ? files : null;
}

function readCredential(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (!CREDENTIAL.test(text)) throw new UsageError('the credential is not 1 to 4096 printable characters');
  return text;
}

function readWaitSeconds(text: string | undefined): number {
  if (text === undefined) return WAIT_SECONDS;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > WAIT_SECONDS_MAX) {
    throw new UsageError(`--wait-seconds is a whole number from 1 to ${WAIT_SECONDS_MAX}`);
  }
  return seconds;
}

function listFlows(asked: readonly string[] | undefined, all: boolean | undefined): readonly Flow[] {
  if ((asked === undefined) === (all === undefined)) throw new UsageError('either --all or --flow says what is played');
  if (asked === undefined) return FLOWS;
  const wanted = asked.flatMap((each) => each.split(',')).map((name) => name.toLowerCase());
  const unknown = wanted.find((name) => !FLOWS.some((flow) => flow.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`--flow ${unknown} is not the name of a flow: see \`acquirer-tester flows\``);
  }
  return FLOWS.filter(({ name }) => wanted.includes(name));
}

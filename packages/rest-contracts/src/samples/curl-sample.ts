import { quoteShellWord } from './shell-quoting.js';
import type { SampleRequest, SampleServer } from './sample-request.js';

const SERVERS: Readonly<Record<SampleServer, string>> = {
  api: 'POS_API_URL',
  'card-vault': 'POS_CARD_VAULT_URL',
  'epos-tester': 'POS_EPOS_TESTER_URL',
};

/** Headers whose values are secrets or settings: the shell takes them from its environment. */
const FROM_ENVIRONMENT: Readonly<Record<string, string>> = {
  'software-house-id': '$POS_SOFTWARE_HOUSE',
  'reseller-id': '$POS_RESELLER',
  'client-session-secret': '$CLIENT_SESSION_SECRET',
  authorization: 'Basic $CUSTOMER_SECRET',
};

/** A command of curl that sends the request. Addresses and secrets are variables of the shell. */
export function writeCurlSample(request: SampleRequest): string {
  const { method, body, server } = request;
  const address = `"$${SERVERS[server]}${buildPath(request)}"`;
  const hasImpliedMethod = method === (body === undefined ? 'GET' : 'POST');
  const parts = [
    `curl${hasImpliedMethod ? '' : ` -X ${method}`} ${address}`,
    ...listHeaders(request).map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`-d ${quoteShellWord(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Inside double quotes, where the shell reads `!`, `$`, a backquote and a backslash; an encoded path has only the first. */
function buildPath({ path, params, query }: SampleRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  return `${filled}${search}`.replaceAll('!', '%21');
}

function listHeaders({ needsKey, headers, body, release, idempotencyKey }: SampleRequest): string[] {
  const values: Readonly<Record<string, string>> = { version: release, idempotencyKey };
  const named = headers.flatMap((name) => {
    const variable = FROM_ENVIRONMENT[name];
    if (variable !== undefined) return [`"${name}: ${variable}"`];
    const value = values[name];
    return value === undefined ? [] : [quoteShellWord(`${name}: ${value}`)];
  });
  return [
    ...(needsKey ? ['"authorization: Basic $POS_API_KEY"'] : []),
    ...named,
    ...(body === undefined ? [] : ["'content-type: application/json'"]),
  ];
}

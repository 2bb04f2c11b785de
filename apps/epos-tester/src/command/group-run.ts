import type { FlowRecord, GroupRecord } from '@pos/conformance/records';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { createLog, readProductVersion } from '@pos/service-kit/telemetry';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { TestBench, type EnrolledAccount, createEposKey, SOFTWARE_HOUSE } from '../test-bench/test-bench.js';
import { runFlows } from '../clause-coverage/group.js';
import { createReferenceRequest } from '../test-bench/reference-request.js';
import type { GroupTransport } from '../clause-coverage/transports.js';
import { LOOPBACK, type RunRequest } from './arguments.js';
import type { CommandParts } from './command-parts.js';
import { type PortProxy, openPortProxy } from './port-proxy.js';

interface GroupRunOptions extends Pick<CommandParts, 'write' | 'apiKey' | 'openTemporaryDatabase' | 'stop'> {
  readonly onPlayed: (record: FlowRecord) => void;
}

/** The addresses that an EPOS dials in at, as the command prints them. */
interface InboundServer {
  readonly sockets: string;
  readonly grpc: string;
}

type Group = GroupRunOptions & { readonly dialIn: InboundServer };

const POLL_INTERVAL_MS = 100;
/** What the flows test. */
const CONTRACTS = 'EPOS Data API v1, service.tables.v1';
const ACCOUNT_NAME = 'epos-under-test';

/** Starts what the flows need, plays them, and stops everything again, also after an error. */
export async function runGroup(request: RunRequest, playing: GroupRunOptions): Promise<GroupRecord> {
  const temporary = await playing.openTemporaryDatabase();
  try {
    const log = createLog({ app: 'epos-tester', level: 'fatal' });
    const bench = await TestBench.open({ ...temporary, log, gatewayEnv: getGatewayEnv(request) });
    const end = (): void => void bench.runs.close();
    playing.stop.addEventListener('abort', end, { once: true });
    const proxies: PortProxy[] = [];
    try {
      const dialIn = await openInboundServer(bench, { request, proxies });
      const startedAt = presentMoment(await temporary.database.now());
      const startedAtMs = performance.now();
      const flows = request.isReference
        ? await runReferenceEpos(bench, request, { ...playing, dialIn })
        : await runTransport(bench, request, { ...playing, dialIn });
      const tookMs = Math.round(performance.now() - startedAtMs);
      const facts = listFacts(request);
      const { epos: subject, available: transports } = request;
      return { subject, transports, startedAt, tookMs, flows, facts, wasStopped: playing.stop.aborted };
    } finally {
      playing.stop.removeEventListener('abort', end);
      for (const proxy of proxies) proxy.close();
      await bench.close();
    }
  } finally {
    await temporary.close();
  }
}

/** The names and versions in the head of a report. An EPOS does not say its own, so they are those of the command. */
function listFacts({ product, isReference }: RunRequest): Readonly<Record<string, string>> {
  const release = readProductVersion();
  const { name, version } = isReference ? { name: 'EPOS of the sandbox', version: release } : product;
  return {
    'EPOS name': product.name === '' ? name || 'not declared' : product.name,
    'EPOS version': product.version === '' ? version || 'not declared' : product.version,
    'Tester version': release,
    Contracts: CONTRACTS,
  };
}

/** An external EPOS: one account, and one transport after the other. */
async function runTransport(bench: TestBench, request: RunRequest, playing: Group): Promise<FlowRecord[]> {
  const enrolled = await bench.enroll({
    ...{ name: ACCOUNT_NAME, currencyCode: request.currencyCode, apiKey: playing.apiKey ?? createEposKey() },
    ...{ grpc: request.grpc, rest: request.rest, opensSocket: request.transports.includes('ws'), reference: null },
    capabilities: request.capabilities.map((name) => ({ name, version: 'v1' as const })),
  });
  await waitForConnection(bench, { request, enrolled, playing });
  return runFlows(request.chosen, { ...playing, play: bench.playerOf(enrolled) });
}

/**
 * The EPOS of the sandbox: a separate restaurant for each transport, so that they run at once and do not use up each
 * other's sessions.
 */
async function runReferenceEpos(bench: TestBench, request: RunRequest, playing: Group): Promise<FlowRecord[]> {
  const played = request.transports.map(async (transport) => {
    const enrolled = await bench.enroll(
      createReferenceRequest(bench, { transport, currencyCode: request.currencyCode }),
    );
    await waitForConnection(bench, { request: { ...request, transports: [transport] }, enrolled, playing });
    const own = request.chosen.filter((each) => each.transport === transport);
    const records = await runFlows(own, { ...playing, play: bench.playerOf(enrolled) });
    requireUnlocked(enrolled, transport);
    return records;
  });
  return (await Promise.all(played)).flat();
}

/** We can inspect the state of the EPOS of the sandbox after each flow, and no flow may leave a lock. */
function requireUnlocked({ place }: EnrolledAccount, transport: GroupTransport): void {
  const left = place.epos === null ? 0 : place.epos.epos.listLocks().length + place.epos.epos.locks.listLocks().length;
  if (left > 0) throw new Error(`the flows over ${transport} have left ${left} locks behind`);
}

/** Prints the address to dial and waits for the connection. The flows fail for an EPOS that does not connect. */
async function waitForConnection(
  bench: TestBench,
  {
    request,
    enrolled,
    playing,
  }: { readonly request: RunRequest; readonly enrolled: EnrolledAccount; readonly playing: Group },
): Promise<void> {
  const isThere = (transport: GroupTransport): Promise<boolean> => bench.isConnected(enrolled, transport);
  if (!request.isReference) {
    for (const transport of request.transports) {
      if (!(await isThere(transport))) playing.write(describeWait(playing.dialIn, enrolled, transport));
    }
  }
  const endsAtMs = performance.now() + request.waitSeconds * 1_000;
  while (performance.now() < endsAtMs && !playing.stop.aborted) {
    const there = await Promise.all(request.transports.map(isThere));
    if (!there.includes(false)) return;
    await pause(POLL_INTERVAL_MS);
  }
}

function describeWait(
  { sockets, grpc }: InboundServer,
  { request }: EnrolledAccount,
  transport: GroupTransport,
): string {
  const key = `Basic ${request.apiKey}`;
  const both = `Basic ${Buffer.from(`${request.name}:${request.apiKey}`).toString('base64')}`;
  const [address, authorization] =
    transport === 'ws'
      ? [`${sockets}/epos`, key]
      : transport === 'tables-ws'
        ? [`${sockets}/ws/v1/tables/epos`, both]
        : [`grpc://${grpc}`, key];
  const headers = `authorization: ${authorization}, software-house-id: ${SOFTWARE_HOUSE}`;
  return `waiting for the EPOS (${transport}) at ${address} with ${headers}\n`;
}

/** The gateway's own ports on loopback; for any other address a port proxy before each of them. */
async function openInboundServer(
  { gateway }: TestBench,
  { request, proxies }: { readonly request: RunRequest; readonly proxies: PortProxy[] },
): Promise<InboundServer> {
  const { host, httpPort, grpcPort } = request;
  const http = new URL(gateway.url).host;
  if (host === LOOPBACK) return { sockets: `ws://${http}`, grpc: gateway.grpc };
  for (const [port, behind] of [
    [httpPort, http],
    [grpcPort, gateway.grpc],
  ] as const) {
    proxies.push(await openPortProxy({ host, port }, { host: LOOPBACK, port: Number(behind.split(':').at(-1)) }));
  }
  const [first = 0, second = 0] = proxies.map(({ port }) => port);
  const shown = host === '0.0.0.0' || host === '::' ? hostname() : isIPv6(host) ? `[${host}]` : host;
  return { sockets: `ws://${shown}:${first}`, grpc: `${shown}:${second}` };
}

function getGatewayEnv({ grpc, rest, host, httpPort, grpcPort, caFile }: RunRequest): Record<string, string> {
  const hosts = [grpc, rest].flatMap((at) => (at === null ? [] : hostOf(at.url)));
  return {
    // Behind a port proxy any port is suitable.
    HTTP_PORT: String(host === LOOPBACK ? httpPort : 0),
    GRPC_PORT: String(host === LOOPBACK ? grpcPort : 0),
    // The EPOS under test may have any address, also one that production would not call: the user has named it.
    ...(hosts.length > 0 && { EGRESS_ALLOW: hosts.join(',') }),
    ...(caFile !== null && { EGRESS_CA_FILE: caFile }),
  };
}

function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? (DEFAULT_PORTS.get(protocol) ?? '') : port}`;
}

const DEFAULT_PORTS = new Map([
  ['http:', '80'],
  ['https:', '443'],
]);

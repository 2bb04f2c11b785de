import { presentMoment } from '@pos/rest-contracts/moment';
import { openLog } from '@pos/service-kit/log';
import { setTimeout as pause } from 'node:timers/promises';
import { Bench, type Enrolled, newEposKey, SOFTWARE_HOUSE } from '../bench.js';
import { type FlowRecord, type GroupRecord, playFlows } from '../group.js';
import { referenceWish } from '../reference-wish.js';
import type { GroupTransport } from '../transports.js';
import type { RunWish } from './arguments.js';
import type { CommandParts } from './command-parts.js';

interface Playing extends Pick<CommandParts, 'write' | 'apiKey' | 'openHouse' | 'stop'> {
  readonly onPlayed: (record: FlowRecord) => void;
}

const LOOK_EVERY_MS = 100;
const ACCOUNT_NAME = 'epos-under-test';

/** Starts what the flows need, plays them, and takes everything down again, however it ends. */
export async function playGroup(wish: RunWish, playing: Playing): Promise<GroupRecord> {
  const house = await playing.openHouse();
  try {
    const log = openLog({ app: 'epos-tester', level: 'fatal' });
    const bench = await Bench.open({ ...house, log, gatewayEnv: gatewayEnvOf(wish) });
    const end = (): void => void bench.runs.close();
    playing.stop.addEventListener('abort', end, { once: true });
    try {
      const startedAt = presentMoment(await house.database.now());
      const startedAtMs = performance.now();
      const flows = wish.isReference ? await playReference(bench, wish, playing) : await playOne(bench, wish, playing);
      const tookMs = Math.round(performance.now() - startedAtMs);
      return { epos: wish.epos, startedAt, tookMs, flows, wasStopped: playing.stop.aborted };
    } finally {
      playing.stop.removeEventListener('abort', end);
      await bench.close();
    }
  } finally {
    await house.close();
  }
}

/** An EPOS outside: one account, and one way after the other. */
async function playOne(bench: Bench, wish: RunWish, playing: Playing): Promise<FlowRecord[]> {
  const enrolled = await bench.enroll({
    ...{ name: ACCOUNT_NAME, currencyCode: wish.currencyCode, apiKey: playing.apiKey ?? newEposKey() },
    ...{ grpc: wish.grpc, rest: wish.rest, opensSocket: wish.transports.includes('ws'), reference: null },
    capabilities: wish.capabilities.map((name) => ({ name, version: 'v1' as const })),
  });
  await untilDialledIn(bench, { wish, enrolled, playing });
  return playFlows(wish.chosen, { ...playing, play: bench.playerOf(enrolled) });
}

/** The EPOS of the sandbox: a restaurant for each way, so that none eats up the evening of another, and all at once. */
async function playReference(bench: Bench, wish: RunWish, playing: Playing): Promise<FlowRecord[]> {
  const played = wish.transports.map(async (transport) => {
    const enrolled = await bench.enroll(referenceWish(bench, { transport, currencyCode: wish.currencyCode }));
    await untilDialledIn(bench, { wish: { ...wish, transports: [transport] }, enrolled, playing });
    const own = wish.chosen.filter((each) => each.transport === transport);
    return playFlows(own, { ...playing, play: bench.playerOf(enrolled) });
  });
  return (await Promise.all(played)).flat();
}

/** Says where to dial, and waits for it. An EPOS that stays away is found out by the flows. */
async function untilDialledIn(
  bench: Bench,
  { wish, enrolled, playing }: { readonly wish: RunWish; readonly enrolled: Enrolled; readonly playing: Playing },
): Promise<void> {
  const isThere = (transport: GroupTransport): Promise<boolean> => bench.isConnected(enrolled, transport);
  if (!wish.isReference) {
    for (const transport of wish.transports) {
      if (!(await isThere(transport))) playing.write(waitingFor(bench, enrolled, transport));
    }
  }
  const endsAtMs = performance.now() + wish.waitSeconds * 1_000;
  while (performance.now() < endsAtMs && !playing.stop.aborted) {
    const there = await Promise.all(wish.transports.map(isThere));
    if (!there.includes(false)) return;
    await pause(LOOK_EVERY_MS);
  }
}

function waitingFor({ gateway }: Bench, { wish }: Enrolled, transport: GroupTransport): string {
  const sockets = gateway.url.replace('http', 'ws');
  const key = `Basic ${wish.apiKey}`;
  const both = `Basic ${Buffer.from(`${wish.name}:${wish.apiKey}`).toString('base64')}`;
  const [address, authorization] =
    transport === 'ws'
      ? [`${sockets}/epos`, key]
      : transport === 'tables-ws'
        ? [`${sockets}/ws/v1/tables/epos`, both]
        : [`grpc://${gateway.grpc}`, key];
  const headers = `authorization: ${authorization}, software-house-id: ${SOFTWARE_HOUSE}`;
  return `waiting for the EPOS (${transport}) at ${address} with ${headers}\n`;
}

function gatewayEnvOf({ grpc, rest, httpPort, grpcPort, caFile }: RunWish): Record<string, string> {
  const hosts = [grpc, rest].flatMap((at) => (at === null ? [] : hostOf(at.url)));
  return {
    HTTP_PORT: String(httpPort),
    GRPC_PORT: String(grpcPort),
    // An EPOS under test may be anywhere, also where production would not call: the one who runs the command has named it.
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

import { createServer, type Server } from 'node:https';
import type { BenchWorld } from './bench-world.js';

/** One webhook that arrived: its lane, its event, and when its request was complete. */
interface Arrival {
  readonly lane: string;
  readonly eventId: string;
  readonly atMs: number;
}

/** A receiver of webhooks that accepts each at once and remembers when it arrived. */
export interface LaneReceiver {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Between neighbours of one lane, sorted. */
  gapsMs(): number[];
  /** Refuses the webhooks of a lane from now on; they are no arrivals. */
  refuse(lane: string): void;
  clear(): void;
  close(): void;
}

export async function openLaneReceiver({ world, ports }: BenchWorld): Promise<LaneReceiver> {
  let arrivals: Arrival[] = [];
  const refused = new Set<string>();
  const server: Server = createServer(world.certificates, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as { id: string; data: { terminalSessionId: string } };
      const lane = body.data.terminalSessionId;
      if (refused.has(lane)) response.statusCode = 503;
      else arrivals.push({ lane, eventId: body.id, atMs: performance.now() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(ports.receiver, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${ports.receiver}/`,
    get arrivals() {
      return arrivals;
    },
    gapsMs: () => {
      const last = new Map<string, number>();
      const gaps: number[] = [];
      for (const { lane, atMs } of arrivals) {
        const before = last.get(lane);
        if (before !== undefined) gaps.push(atMs - before);
        last.set(lane, atMs);
      }
      return gaps.sort((first, second) => first - second);
    },
    refuse: (lane) => void refused.add(lane),
    clear: () => {
      arrivals = [];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

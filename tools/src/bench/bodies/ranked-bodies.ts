import { readBody } from '@pos/rest-contracts/parsing';
import { parseJson, toCanonicalJson } from '@pos/service-kit/request-checks';
import type { z } from 'zod';
import { type WorstBody, listWorstBodies } from './worst-bodies.js';

/** The bodies with the highest validation cost, the worst first: as many accepted as refused ones. */
export interface BodyRanking {
  readonly accepted: readonly WorstBody[];
  readonly refused: readonly WorstBody[];
}

interface RankedBody {
  readonly body: WorstBody;
  readonly cost: number;
}

/**
 * Validates each body here, with the steps between the arrival of a request and its controller, and returns the
 * costliest. The results for a schema are stored for the next call.
 */
export function rankBodies(schema: z.ZodType, count: number): BodyRanking {
  const known = ranked.get(schema) ?? formatRanking(schema, count);
  ranked.set(schema, known);
  return known;
}

const ranked = new WeakMap<z.ZodType, BodyRanking>();

function formatRanking(schema: z.ZodType, count: number): BodyRanking {
  const accepted: RankedBody[] = [];
  const refused: RankedBody[] = [];
  for (const body of listWorstBodies(schema)) {
    const { isAccepted, cost } = rankBody(schema, body);
    keepWorst(isAccepted ? accepted : refused, { body, cost }, count);
  }
  return { accepted: accepted.map(({ body }) => body), refused: refused.map(({ body }) => body) };
}

function rankBody(schema: z.ZodType, { json }: WorstBody): { isAccepted: boolean; cost: number } {
  const bytes = Buffer.from(json);
  let isAccepted = false;
  const before = process.cpuUsage();
  try {
    const sent = parseJson(bytes);
    toCanonicalJson(sent);
    isAccepted = readBody(schema, sent).ok;
  } catch {
    isAccepted = false;
  }
  const { user, system } = process.cpuUsage(before);
  return { isAccepted, cost: user + system };
}

function keepWorst(list: RankedBody[], checked: RankedBody, count: number): void {
  list.push(checked);
  list.sort((one, other) => other.cost - one.cost);
  list.length = Math.min(list.length, count);
}

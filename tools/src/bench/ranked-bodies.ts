import { readBody } from '@pos/rest-contracts/reading';
import { parseJson } from '@pos/service-kit/body';
import { toCanonicalJson } from '@pos/service-kit/idempotency';
import type { z } from 'zod';
import { type WorstBody, worstBodies } from './worst-bodies.js';

/** The bodies that cost most to judge, the worst first: as many of those that are accepted as of those that are refused. */
export interface RankedBodies {
  readonly accepted: readonly WorstBody[];
  readonly refused: readonly WorstBody[];
}

interface Judged {
  readonly body: WorstBody;
  readonly cost: number;
}

/**
 * Judges each body here, by what a request passes between its arrival and its controller, and keeps the costliest. What it
 * found of a schema it knows the next time.
 */
export function rankBodies(schema: z.ZodType, count: number): RankedBodies {
  const known = ranked.get(schema) ?? ranking(schema, count);
  ranked.set(schema, known);
  return known;
}

const ranked = new WeakMap<z.ZodType, RankedBodies>();

function ranking(schema: z.ZodType, count: number): RankedBodies {
  const accepted: Judged[] = [];
  const refused: Judged[] = [];
  for (const body of worstBodies(schema)) {
    const { isAccepted, cost } = judge(schema, body);
    keep(isAccepted ? accepted : refused, { body, cost }, count);
  }
  return { accepted: accepted.map(({ body }) => body), refused: refused.map(({ body }) => body) };
}

function judge(schema: z.ZodType, { json }: WorstBody): { isAccepted: boolean; cost: number } {
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

function keep(list: Judged[], judged: Judged, count: number): void {
  list.push(judged);
  list.sort((one, other) => other.cost - one.cost);
  list.length = Math.min(list.length, count);
}

import { open, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { countBuffers, countRows, type PlanNode } from '@pos/store/testing';
import type { PlainClient } from '../load/plain-pool.js';

/** What the server read for one statement. */
export interface StatementReads {
  readonly text: string;
  readonly rows: number;
  readonly buffers: number;
}

/**
 * Has the server log the plan of every statement of the api with the rows and buffers that it read. The api connects
 * again, because only new connections log. Measure times before: this makes statements slower.
 */
export async function logPlans(owner: PlainClient): Promise<void> {
  await owner.query(`load 'auto_explain'`);
  const settings: Readonly<Record<string, string>> = {
    session_preload_libraries: 'auto_explain',
    ...{ 'auto_explain.log_min_duration': '0', 'auto_explain.log_analyze': 'on', 'auto_explain.log_buffers': 'on' },
    ...{ 'auto_explain.log_timing': 'off', 'auto_explain.log_format': 'json' },
  };
  for (const [name, value] of Object.entries(settings)) await owner.query(`alter system set ${name} = '${value}'`);
  await owner.query('select pg_reload_conf()');
  // The server reads its settings a moment later.
  await pause(RELOAD_MS);
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'api'`);
}

const RELOAD_MS = 200;

/** Runs the work and returns what its statements read, from the part of the server's log that it has added. */
export async function recordReads(serverLog: string, work: () => Promise<unknown>): Promise<StatementReads[]> {
  const { size: from } = await stat(serverLog);
  await work();
  const file = await open(serverLog);
  try {
    const { size } = await file.stat();
    const added = Buffer.alloc(size - from);
    await file.read(added, 0, added.length, from);
    return parsePlans(added.toString());
  } finally {
    await file.close();
  }
}

/** The plans of a server's log. Each is one entry; the lines after its first one begin with a tab. */
function parsePlans(log: string): StatementReads[] {
  return log.split(/\n(?!\t)/).flatMap((entry) => {
    const found = /LOG: {2}duration: [\d.]+ ms {2}plan:\n([\s\S]+)$/.exec(entry);
    if (found?.[1] === undefined) return [];
    const { 'Query Text': text, Plan: plan } = JSON.parse(found[1].replace(/^\t/gm, '')) as {
      readonly 'Query Text': string;
      readonly Plan: PlanNode;
    };
    return [{ text, rows: countRows(plan), buffers: countBuffers(plan) }];
  });
}

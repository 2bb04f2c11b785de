import { PosApiError, type PosClient } from '@pos/sdk';
import { defineCommand } from '../command/command-definition.js';
import { EXIT_CODES } from '../command/exit-codes.js';
import { describeFailure } from '../command/failure-messages.js';
import type { Connection } from '../connection/connection.js';
import { countDeliveries } from '../listen/listen-subscription.js';
import { readNow } from '../connection/now.js';

/** What a check has found. */
interface CheckResult {
  readonly isFine: boolean;
  readonly found: string;
}

const SKEW_SECONDS_MAX = 60;

/** `pos doctor`. */
export const doctorCommand = defineCommand({
  path: 'doctor',
  details: ['It changes nothing. Exit code 4: a check has found something.'],
  examples: ['doctor', 'doctor --json'],
  flags: {},
  run: async (run) => {
    const connection = run.connect();
    const { client } = connection;
    const checks: readonly [string, () => Promise<CheckResult>][] = [
      ['service', () => checkService(connection)],
      ['key', () => checkKey(connection)],
      ['clock', () => checkClock(connection)],
      ['terminals', () => checkTerminals(client)],
      ['subscriptions', () => checkSubscriptions(client)],
    ];
    let isAllFine = true;
    for (const [check, perform] of checks) {
      const result = await perform().catch((error: unknown) => ({
        isFine: false,
        found: describeFailure(error, connection.answers.last).lines.join('; '),
      }));
      isAllFine &&= result.isFine;
      run.report({ check, ...result }, `${result.isFine ? 'fine ' : 'FAULT'} ${check.padEnd(14)} ${result.found}`);
    }
    return isAllFine ? undefined : EXIT_CODES.finding;
  },
});

async function checkService({ client, apiUrl }: Connection): Promise<CheckResult> {
  const { release } = await client.health.readReady();
  return { isFine: true, found: `${apiUrl} serves release ${release}` };
}

async function checkKey({ client, isSandbox, accountName }: Connection): Promise<CheckResult> {
  await client.webhooks.list();
  const kind = isSandbox ? 'a sandbox key' : 'a PRODUCTION key';
  return { isFine: true, found: accountName === null ? kind : `${kind} of ${accountName}` };
}

/** Signatures of webhooks are refused when the clocks differ by more than five minutes. */
async function checkClock({ fetch, apiUrl }: Connection): Promise<CheckResult> {
  const { headers } = await fetch(`${apiUrl.replace(/\/+$/, '')}/health/live`);
  const date = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(date)) return { isFine: true, found: 'the service does not send its time' };
  const seconds = Math.abs(Math.round((readNow().getTime() - date) / 1000));
  return { isFine: seconds <= SKEW_SECONDS_MAX, found: `differs by ${seconds} s from the service` };
}

async function checkTerminals(client: PosClient): Promise<CheckResult> {
  try {
    const terminals = await client.terminals.list();
    const available = terminals.filter(({ status }) => status === 'Available').length;
    return { isFine: true, found: `${available} of ${terminals.length} are available` };
  } catch (error) {
    // A key of an online shop has no card machines.
    if (error instanceof PosApiError && error.reason === 'permission_missing') {
      return { isFine: true, found: 'the key is not for card machines' };
    }
    throw error;
  }
}

async function checkSubscriptions(client: PosClient): Promise<CheckResult> {
  const subscriptions = await client.webhooks.list();
  const failed: string[] = [];
  for (const { id } of subscriptions) {
    const count = await countDeliveries(client, id, 'DeadLettered');
    if (count > 0) failed.push(`${id} has ${count} deliveries that were given up; pos deliveries replay sends them`);
  }
  const found = failed.length === 0 ? `${subscriptions.length}, none with failed deliveries` : failed.join('; ');
  return { isFine: failed.length === 0, found };
}

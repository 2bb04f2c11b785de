import path from 'node:path';
import { type DevJson, removeDevJson, writeDevJson } from './dev-json.js';
import { startWorld, type World } from './world.js';

const HELP = `Usage: npm start

Starts the whole service on this machine: PostgreSQL, the apps, and a sandbox with an acquirer, card machines and a
restaurant. Ctrl-C stops all of it; rows and keys stay in .data for the next start.

Settings (environment):
  DATABASE_URL        the owner's login of a PostgreSQL to use instead of the embedded one
  SEED                makes keys, ids and the restaurant reproducible (with an empty .data)
  DATA_DIR            where everything is kept; .data by default
  DEMO_RECEIVER_PORT  where on loopback webhooks may be received; 3008 by default
`;

await main();

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? '.data');
  const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
  let world: World | null = null;
  let isStopping = false;
  const stop = async (code: number): Promise<never> => {
    if (!isStopping) {
      isStopping = true;
      say('stopping');
      await removeDevJson(dataDir);
      await world?.stop();
    }
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stop(0));
  }
  await removeDevJson(dataDir);
  try {
    world = await startWorld({
      dataDir,
      ports: 'default',
      seed: process.env['SEED'],
      databaseUrl: process.env['DATABASE_URL'],
      log: say,
    });
    process.stdout.write(banner(await writeDevJson(dataDir, world), world));
  } catch (error) {
    process.stderr.write(`\nCould not start. ${error instanceof Error ? error.message : String(error)}\n`);
    await stop(1);
  }
}

function banner({ apiKey, urls }: DevJson, world: World): string {
  const terminals = `curl ${urls.api}/terminals -H "Authorization: Basic ${apiKey}" -H "version: 2026-02-27" \\
       -H "software-house-id: softwareHouse1" -H "reseller-id: reseller1"`;
  return `
  Ready. This is ${world.accounts[0]?.tradingName ?? 'a restaurant'}, with ten card machines and open tables.

  Payments API          ${urls.api}   (its contract: ${urls.api}/openapi.json)
  Pay at table, gRPC    ${urls.gatewayGrpc}
  EPOS tester           ${urls.eposTester}
  Sandbox control       ${urls.sandbox}
  A sandbox key         ${apiKey}

  Three things to try:
    1. npm run demo                           a bill is paid at the table, in two parts, with a tip
    2. ${terminals}
    3. curl ${urls.sandbox}/accounts          what stands in the simulated world

  Everything else a program needs to know is in .data/dev.json; logs are in .data/logs. Ctrl-C stops all of it.
`;
}

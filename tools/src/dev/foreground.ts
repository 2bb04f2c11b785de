import { openAccountServer } from './account-server.js';
import type { DevJson } from './dev-json.js';
import { removeDevJson, writeDevJson } from './dev-json-writer.js';
import { ThrowawayAccounts } from './throwaway-accounts.js';
import { startWorld, type DevWorld, type WorldOptions } from './world.js';

/** The callbacks of a world that runs in a terminal. */
export interface Foreground {
  /** Called once everything is ready; its result is printed. */
  readonly onReady: (ready: {
    readonly world: DevWorld;
    readonly devJson: DevJson;
    readonly signal: AbortSignal;
    readonly say: (line: string) => void;
  }) => string;
}

/**
 * Runs a world until Ctrl-C or SIGTERM, stops all of it and ends the process: with 0, or with 1 when it did not start.
 * An app that crashes meanwhile is restarted. `.data/dev.json` exists exactly while the world is ready.
 */
export async function runInForeground(request: WorldOptions, { onReady }: Foreground): Promise<never> {
  const abort = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Not `once`: a second Ctrl-C must not interrupt the shutdown.
      process.on(signal, () => {
        abort.abort();
        resolve();
      });
    }
  });
  let world: DevWorld | null = null;
  let code = 0;
  try {
    await removeDevJson(request.dataDir);
    world = await startWorld({ ...request, signal: abort.signal, log: printLine });
    for (const app of world.apps) app.keepRunning();
    const accounts = new ThrowawayAccounts(world, request.dataDir);
    await accounts.disableLeftBehind();
    const { url, token } = await openAccountServer(accounts);
    const devJson = await writeDevJson(request.dataDir, world, { url, token });
    process.stdout.write(onReady({ world, devJson, signal: abort.signal, say: printLine }));
    await stopped;
  } catch (error) {
    if (!abort.signal.aborted) {
      process.stderr.write(`\n  Could not start. ${error instanceof Error ? error.message : String(error)}\n`);
      code = 1;
    }
  }
  if (world !== null) {
    printLine('stopping');
    await removeDevJson(request.dataDir);
    await world.stop();
    printLine('stopped');
  }
  process.exit(code);
}

function printLine(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

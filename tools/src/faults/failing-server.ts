import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findDataDirectory, queryServer, startPostgres, startReplicatedPostgres } from '@pos/dev-database';
import { listProcessFamily } from '../processes/process-family.js';

/** A database that loses its server while the service uses it. */
export interface FailingServer {
  /** The owner's address, which stays the same. */
  readonly url: string;
  /** Kills the server. The service has a database again when this resolves; `feel` waits for its first failures. */
  fail(feel: () => Promise<void>): Promise<void>;
  remove(): Promise<void>;
}

/** One server, which is killed and started again. */
export async function startRestartedServer(dataDir: string): Promise<FailingServer> {
  let postgres = await startPostgres({ dataDir, durable: true });
  return {
    url: postgres.url,
    async fail(feel) {
      const cluster = await findDataDirectory(postgres);
      const postmaster = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
      // The postmaster first: it would restart after the loss of its children.
      for (const pid of listProcessFamily(postmaster)) killIfRunning(pid);
      await feel();
      postgres = await startPostgres({ dataDir, port: postgres.port, durable: true });
    },
    remove: () => postgres.remove(),
  };
}

/**
 * A primary and a synchronous standby. The primary is killed, the standby is promoted at once, and then the old primary
 * returns and accepts writes, as it would where nothing keeps it away.
 */
export async function startReplacedServer(folder: string): Promise<FailingServer> {
  const servers = await startReplicatedPostgres(folder);
  return {
    url: servers.url,
    async fail() {
      await servers.killPrimary();
      await servers.promoteStandby();
      const stale = await servers.restartPrimary();
      await queryServer(stale, `alter system set synchronous_standby_names = ''`);
      await queryServer(stale, 'select pg_reload_conf()');
    },
    remove: () => servers.remove(),
  };
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

import { rmSync } from 'node:fs';
import type { EmbeddedPostgres } from './embedded-postgres.js';

/** Setup and teardown are two modules of one process; this is what the first leaves to the second. */
let running: { readonly server: EmbeddedPostgres; readonly folder: string } | null = null;

export function rememberServer(server: EmbeddedPostgres, folder: string): void {
  running = { server, folder };
}

/** Stops the run's server and deletes its files. */
export async function removeServer(): Promise<void> {
  if (running === null) return;
  await running.server.remove();
  rmSync(running.folder, { recursive: true, force: true });
  running = null;
}

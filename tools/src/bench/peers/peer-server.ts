import path from 'node:path';
import { Pool } from 'undici';
import { startProgram } from '../load/child.js';
import type { LoadRound } from '../load/load.js';
import type { PeerPlace, RunningPeer } from './peer.js';

/** What starts the server of a peer, and its round. */
export interface PeerServer {
  /** The module of this folder that serves it, with the setting PEER_FOLDER for its packages. */
  readonly module: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly readyMsMax?: number;
  readonly createRound: (pool: Pool) => LoadRound;
}

/** Starts the server of a peer in production. It is ready when a round succeeds. */
export async function startPeerServer(
  { folder, port, connections }: PeerPlace,
  { module, env, readyMsMax, createRound }: PeerServer,
): Promise<Omit<RunningPeer, 'settle'>> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const round = createRound(pool);
  const isReady = (): Promise<boolean> =>
    round(0).then(
      () => true,
      () => false,
    );
  const program = {
    args: [path.join(import.meta.dirname, module)],
    env: { NODE_ENV: 'production', PEER_FOLDER: folder, PORT: String(port), ...env },
    ...(readyMsMax !== undefined && { readyMsMax }),
  };
  try {
    const server = await startProgram(process.execPath, program, isReady);
    return {
      ...{ pid: server.pid, round },
      stop: async () => {
        await pool.destroy();
        await server.stop();
      },
    };
  } catch (error) {
    await pool.destroy();
    throw error;
  }
}

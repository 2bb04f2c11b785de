import type { LoadRound } from '../load/load.js';

/** The other products that `pnpm bench --peers` measures beside the service. */
export const PEERS = ['vendure', 'stripe-stateful-mock', 'etcd'] as const;
export type PeerName = (typeof PEERS)[number];

/** A server from the registry of npm, with the exact versions that are measured. */
export interface PublishedPeer {
  readonly name: Exclude<PeerName, 'etcd'>;
  readonly version: string;
  /** The packages that it needs, by name. Each has an exact version. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Names the row of the table: what a round of the service is compared with. */
  readonly comparedWith: string;
  start(place: PeerPlace): Promise<RunningPeer>;
}

/** Where a peer runs. */
export interface PeerPlace {
  /** The folder that its packages are installed in. */
  readonly folder: string;
  /** A free port of loopback. */
  readonly port: number;
  /** The login of a database's owner, who may create databases on that server. */
  readonly ownerDatabaseUrl: string;
  /** The most rounds at once. */
  readonly connections: number;
}

/** A peer that is ready for rounds. */
export interface RunningPeer {
  readonly pid: number;
  readonly round: LoadRound;
  /** Gathers the statistics of its database, as autovacuum does within a minute on a running server. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

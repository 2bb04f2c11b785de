import type { ConnectionState } from '../connections/connection-renewal.js';

/** A row beside the one that a gateway renews; opened before or after it. */
export interface NeighbourRow {
  readonly opened: 'before' | 'after';
  readonly gateway: 'the same gateway' | 'another gateway';
  /** Seconds for which it is still live; negative: it stopped counting so long ago. */
  readonly aliveS: number;
  readonly isClosed?: true;
  readonly differsIn?: 'account' | 'environment' | 'kind' | 'key';
}

/** A connection that a gateway renews, and the expected state. */
export interface RenewalCase {
  readonly title: string;
  readonly own: {
    readonly aliveS: number;
    readonly isClosed?: true;
    readonly isGone?: true;
    readonly heldBy?: 'another';
  };
  readonly neighbours: readonly NeighbourRow[];
  readonly state: ConnectionState;
  /** Whether calls may be routed to it afterwards. */
  readonly isLive: boolean;
  /** Whether it is the first choice for calls then. */
  readonly isFirst: boolean;
}

const LIVE = { aliveS: 4 } as const;
const PAUSED = { aliveS: -30 } as const;
const NEWER = { opened: 'after', gateway: 'another gateway', ...LIVE } as const;
const SERVES = { state: 'newest', isLive: true, isFirst: true } as const;
const REPLACED = { state: 'replaced', isLive: true, isFirst: false } as const;
const GONE = { state: 'gone', isLive: false, isFirst: false } as const;

export const RENEWALS: readonly RenewalCase[] = [
  { title: 'the only one of its EPOS', own: LIVE, neighbours: [], ...SERVES },
  { title: 'one whose gateway was paused for longer than it counts', own: PAUSED, neighbours: [], ...SERVES },
  { title: 'one that has replaced another', own: LIVE, neighbours: [{ ...NEWER, opened: 'before' }], ...SERVES },
  { title: 'one whose EPOS has connected to another gateway', own: LIVE, neighbours: [NEWER], ...REPLACED },
  {
    title: 'one whose EPOS has opened another at the same gateway',
    own: LIVE,
    neighbours: [{ ...NEWER, gateway: 'the same gateway' }],
    ...REPLACED,
  },
  {
    title: 'one whose EPOS has connected elsewhere while its gateway was paused',
    own: PAUSED,
    neighbours: [NEWER],
    ...REPLACED,
  },
  { title: 'one whose newer one is closed', own: LIVE, neighbours: [{ ...NEWER, isClosed: true }], ...SERVES },
  {
    title: 'one whose newer one is at a gateway that was killed',
    own: LIVE,
    neighbours: [{ ...NEWER, aliveS: -1 }],
    ...SERVES,
  },
  ...(['account', 'environment', 'kind', 'key'] as const).map((differsIn) => ({
    title: `one beside a newer one of another ${differsIn}`,
    own: LIVE,
    neighbours: [{ ...NEWER, differsIn }],
    ...SERVES,
  })),
  { title: 'one that is closed', own: { ...LIVE, isClosed: true }, neighbours: [], ...GONE },
  { title: 'one whose row was deleted', own: { ...LIVE, isGone: true }, neighbours: [], ...GONE },
  { title: 'one that another gateway holds', own: { ...PAUSED, heldBy: 'another' }, neighbours: [], ...GONE },
];

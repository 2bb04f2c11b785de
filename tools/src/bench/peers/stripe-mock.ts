import type { Pool } from 'undici';
import type { LoadRound } from '../load/load.js';
import type { PeerPlace, PublishedPeer, RunningPeer } from './peer.js';
import { startPeerServer } from './peer-server.js';

const VERSION = '0.0.16';

/** A mock of Stripe that keeps its charges in the memory of its process: it has no database and waits for no disk. */
export const STRIPE_MOCK: PublishedPeer = {
  name: 'stripe-stateful-mock',
  version: VERSION,
  dependencies: { 'stripe-stateful-mock': VERSION },
  comparedWith: `a charge of stripe-stateful-mock ${VERSION}, in memory`,
  start: startStripeMock,
};

async function startStripeMock(place: PeerPlace): Promise<RunningPeer> {
  const server = await startPeerServer(place, { module: 'stripe-mock-server.js', createRound: chargeAndFetch });
  return { ...server, settle: () => Promise.resolve() };
}

const HEADERS = {
  authorization: `Basic ${Buffer.from('sk_test_bench:').toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
};

/** Creates a charge that is authorised and not captured, then fetches it. */
function chargeAndFetch(pool: Pool): LoadRound {
  return async (number) => {
    const fields = { amount: '1250', currency: 'gbp', source: 'tok_visa', capture: 'false' };
    const body = new URLSearchParams({ ...fields, description: `bench ${number}` }).toString();
    const created = await pool.request({ method: 'POST', path: '/v1/charges', headers: HEADERS, body });
    const charge = (await created.body.json()) as { id: string };
    if (created.statusCode !== 200) throw new Error(`the charge was answered ${created.statusCode}`);
    const fetched = await pool.request({ method: 'GET', path: `/v1/charges/${charge.id}`, headers: HEADERS });
    const read = (await fetched.body.json()) as { id: string };
    if (fetched.statusCode !== 200 || read.id !== charge.id) throw new Error(`fetch answered ${fetched.statusCode}`);
  };
}

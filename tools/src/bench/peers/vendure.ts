import type { Pool } from 'undici';
import type { LoadRound } from '../load/load.js';
import { connectPlainClient } from '../load/plain-pool.js';
import type { PeerPlace, PublishedPeer, RunningPeer } from './peer.js';
import { startPeerServer } from './peer-server.js';

const VERSION = '3.7.3';
/** The driver of Vendure's ORM, in the version that the service has. */
const DRIVER_VERSION = '8.23.1';

/** A shop of the same kind as the service: Node, NestJS, TypeORM and PostgreSQL. */
export const VENDURE: PublishedPeer = {
  name: 'vendure',
  version: VERSION,
  dependencies: { '@vendure/core': VERSION, pg: DRIVER_VERSION },
  comparedWith: `an order of Vendure ${VERSION}`,
  start: startVendure,
};

const DATABASE = 'vendure';
/** As many as the api of the service has by default. */
const DATABASE_CONNECTIONS = 16;
/** It loads its code, creates its tables and imports a product, on a machine that may be busy. */
const READY_MS_MAX = 120_000;

async function startVendure(place: PeerPlace): Promise<RunningPeer> {
  const databaseUrl = await createDatabase(place.ownerDatabaseUrl);
  const server = await startPeerServer(place, {
    module: 'vendure-server.js',
    env: {
      // Its ORM uses the driver in a way that will change, which is no concern of a measurement.
      NODE_NO_WARNINGS: '1',
      // It reports the machine to its maker, and writes an id into the working folder.
      VENDURE_DISABLE_TELEMETRY: 'true',
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS),
    },
    readyMsMax: READY_MS_MAX,
    createRound: orderAndFetch,
  });
  return { ...server, settle: () => queryOnce(databaseUrl, 'vacuum (analyze)') };
}

/** Creates an empty database beside the one of the URL, and returns its URL. */
async function createDatabase(url: string): Promise<string> {
  await queryOnce(url, `create database ${DATABASE}`);
  return url.replace(/\/[^/?]*(?=\?|$)/, `/${DATABASE}`);
}

async function queryOnce(url: string, text: string): Promise<void> {
  const client = await connectPlainClient(url);
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

const HEADERS = { 'content-type': 'application/json' };
const ORDER = '__typename ... on Order { id code state totalWithTax lines { id quantity } }';
/** An empty database numbers its first variant 1. */
const ADD = JSON.stringify({ query: `mutation { addItemToOrder(productVariantId: 1, quantity: 1) { ${ORDER} } }` });
const READ = JSON.stringify({ query: `{ activeOrder { ${ORDER} } }` });

interface Answer {
  readonly data?: Readonly<Record<string, { readonly id?: string } | null>>;
}

/** Adds a line to the order of a customer without a session, which creates session and order, then reads the order. */
function orderAndFetch(pool: Pool): LoadRound {
  const send = (body: string, headers: Readonly<Record<string, string>>) =>
    pool.request({ method: 'POST', path: '/shop-api', headers: { ...HEADERS, ...headers }, body });
  return async () => {
    const added = await send(ADD, {});
    const order = ((await added.body.json()) as Answer).data?.['addItemToOrder'];
    const token = added.headers['vendure-auth-token'];
    if (order?.id === undefined || typeof token !== 'string') throw new Error(`no order: ${added.statusCode}`);
    const fetched = await send(READ, { authorization: `Bearer ${token}` });
    const read = ((await fetched.body.json()) as Answer).data?.['activeOrder'];
    if (read?.id !== order.id) throw new Error(`the order was not read: ${fetched.statusCode}`);
  };
}

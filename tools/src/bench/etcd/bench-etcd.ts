import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { type Child, canConnect, startProgram } from '../load/child.js';
import { encodeBytesField, findField, encodeNumberField } from './etcd-wire.js';
import type { LoadRound } from '../load/load.js';

/** Longer than any run: the lock is measured, not the expiry of its lease. */
const LEASE_SECONDS = 3_600n;
const DEADLINE_MS = 30_000;
const VALUE = Buffer.from(JSON.stringify({ baseAmount: 100, currency: 'GBP' }));

/** An etcd of one member that stores its rows on disk, and its lock + put + unlock as rounds. */
export interface Etcd {
  readonly pid: number;
  readonly round: LoadRound;
  stop(): Promise<void>;
}

/** Starts an etcd; null where it is not installed (Debian: `etcd-server`). */
export async function startEtcd([port, peerPort]: readonly [number, number]): Promise<Etcd | null> {
  const binary = findEtcd();
  if (binary === null) return null;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-etcd-'));
  const address = `127.0.0.1:${port}`;
  const server = await startProgram(binary, { args: buildArguments(dataDir, address, peerPort), env: ENV }, () =>
    canConnect(address),
  );
  const client = new Client(address, credentials.createInsecure());
  try {
    return { pid: server.pid, round: await lockPutUnlock(client), stop: () => waitForStop(client, server, dataDir) };
  } catch (error) {
    await waitForStop(client, server, dataDir);
    throw error;
  }
}

/** On arm64 it starts only with a variable that accepts an unsupported platform. */
const ENV = process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {};

/** The program of etcd; null where it is not installed. */
export function findEtcd(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, 'etcd')).find((file) => existsSync(file)) ?? null;
}

function buildArguments(dataDir: string, address: string, peerPort: number): string[] {
  const peers = `http://127.0.0.1:${peerPort}`;
  return Object.entries({
    'data-dir': dataDir,
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
    logger: 'zap',
    'log-level': 'error',
  }).map(([name, value]) => `--${name}=${value}`);
}

async function lockPutUnlock(client: Client): Promise<LoadRound> {
  const grant = await callEtcd(client, '/etcdserverpb.Lease/LeaseGrant', encodeNumberField(1, LEASE_SECONDS));
  const lease = findField(grant, 2);
  if (typeof lease !== 'bigint') throw new Error('etcd has granted no lease');
  return async (number) => {
    const name = Buffer.from(`session/${number}`);
    const lock = [encodeBytesField(1, name), encodeNumberField(2, lease)];
    const locked = await callEtcd(client, '/v3lockpb.Lock/Lock', Buffer.concat(lock));
    const key = findField(locked, 2);
    if (key === null || typeof key === 'bigint') throw new Error('etcd has not locked');
    const put = [encodeBytesField(1, Buffer.from(`payment/${randomUUID()}`)), encodeBytesField(2, VALUE)];
    await callEtcd(client, '/etcdserverpb.KV/Put', Buffer.concat(put));
    await callEtcd(client, '/v3lockpb.Lock/Unlock', encodeBytesField(1, key));
  };
}

function callEtcd(client: Client, method: string, request: Buffer): Promise<Buffer> {
  const asIs = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(method, asIs, asIs, request, { deadline: Date.now() + DEADLINE_MS }, (error, answer) => {
      if (error === null && answer !== undefined) resolve(answer);
      else reject(error ?? new Error('no answer'));
    });
  });
}

async function waitForStop(client: Client, server: Child, dataDir: string): Promise<void> {
  client.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

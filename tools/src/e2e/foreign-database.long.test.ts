import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { forgetWorld, buildOwnSettings, waitForReadyWorld, useTerminals } from '../dev/testing.js';

const MINUTES = 60_000;
const open = useTerminals();
let server: EmbeddedPostgres;
let settings: Record<string, string> & { DATA_DIR: string };

beforeAll(async () => {
  server = await startPostgres({ dataDir: mkdtempSync(path.join(tmpdir(), 'foreign-')), durable: false });
  settings = { ...(await buildOwnSettings()), DATABASE_URL: server.url };
}, 2 * MINUTES);

afterAll(async () => {
  await server.remove();
  await forgetWorld(settings.DATA_DIR);
}, 2 * MINUTES);

test(
  'a world on the developer’s own server stores its rows there, and leaves the server running',
  async () => {
    const first = open('dev/start.js', settings);
    const dev = await waitForReadyWorld(first, settings.DATA_DIR);
    expect(first.output).toContain('using the PostgreSQL of DATABASE_URL');
    expect(new URL(dev.urls.database).port).toBe(String(server.port));
    const made = await listTerminals(dev);
    expect(made.length).toBeGreaterThan(0);
    expect(existsSync(path.join(settings.DATA_DIR, 'postgres'))).toBe(false);
    expect(await first.end('SIGINT')).toBe(0);
    expect(await isListening(server.port)).toBe(true);

    const second = open('dev/start.js', settings);
    const again = await waitForReadyWorld(second, settings.DATA_DIR);
    expect(again.apiKey).toBe(dev.apiKey);
    expect(await listTerminals(again)).toEqual(made);
    expect(await second.end('SIGINT')).toBe(0);
  },
  3 * MINUTES,
);

test(
  'a world with several servers uses the one that answers',
  async () => {
    const { username, password, pathname } = new URL(server.url);
    const hosts = `127.0.0.1:1,127.0.0.1:${server.port}`;
    const severalUrl = `postgres://${username}:${password}@${hosts}${pathname}`;
    const terminal = open('dev/start.js', { ...settings, DATABASE_URL: severalUrl });
    const dev = await waitForReadyWorld(terminal, settings.DATA_DIR);
    expect(dev.urls.database).toContain(`@${hosts}/`);
    expect((await listTerminals(dev)).length).toBeGreaterThan(0);
    expect(await terminal.end('SIGINT')).toBe(0);
  },
  2 * MINUTES,
);

test(
  'an unavailable server stops the start with the reason',
  async () => {
    const url = new URL(server.url);
    url.port = '1';
    const terminal = open('dev/start.js', { ...settings, DATABASE_URL: url.href });
    expect(await terminal.end()).toBe(1);
    expect(terminal.output).toMatch(/Could not start\. .*ECONNREFUSED/);
  },
  MINUTES,
);

async function listTerminals(dev: Awaited<ReturnType<typeof waitForReadyWorld>>): Promise<string[]> {
  const headers = {
    authorization: `Basic ${dev.apiKey}`,
    version: '2026-02-27',
    'software-house-id': dev.softwareHouseId,
    'reseller-id': dev.resellerId,
  };
  const terminals = (await (await fetch(`${dev.urls.api}/terminals`, { headers })).json()) as { id: string }[];
  return terminals.map(({ id }) => id).sort();
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

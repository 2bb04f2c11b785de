import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePorts } from '@pos/dev-database';
import { REPOSITORY } from '../repository/repository.js';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'listen-'));
const ATTEMPTS_MAX = 400;

let listener: ChildProcess | null = null;
afterEach(() => {
  listener?.kill('SIGKILL');
  rmSync(DATA_DIR, { recursive: true, force: true });
});

test('the listener of the quickstart prints the requests to its own path, and refuses every other path', async () => {
  const [port = 0] = await findFreePorts(1);
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'tools/dist/demo/listen.js'), '2'], {
    env: { DATA_DIR, DEMO_RECEIVER_PORT: String(port) },
  });
  listener = child;
  let printed = '';
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  expect(await firstStatus(port, '/demo-hooks', '{"id":"of another subscription"}')).toBe(404);
  expect(await post(port, '/hooks', '{"id":"first"}')).toBe(204);
  expect(await post(port, '/hooks/', '{"id":"of another path"}')).toBe(404);
  expect(await post(port, '/hooks', '{"id":"second"}')).toBe(204);
  expect(await closed).toEqual([0, null]);
  const lines = printed.trim().split('\n');
  const received = lines.map((line) => JSON.parse(line) as { readonly headers: object; readonly body: string });
  expect(received).toEqual([
    { headers: expect.objectContaining({ 'service-signature': 'sha256=00' }), body: '{"id":"first"}' },
    { headers: expect.objectContaining({ 'service-signature': 'sha256=00' }), body: '{"id":"second"}' },
  ]);
});

/** The status of a request that is repeated until the listener has started. */
async function firstStatus(port: number, pathname: string, body: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post(port, pathname, body);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function post(port: number, pathname: string, body: string): Promise<number> {
  const ca = readFileSync(path.join(DATA_DIR, 'certificates/ca.pem'));
  const sent = request({
    ...{ host: '127.0.0.1', servername: 'localhost', port, path: pathname, method: 'POST', ca, agent: false },
    headers: { 'content-type': 'application/json', 'service-signature': 'sha256=00' },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [{ readonly statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { z } from 'zod';

/** The built API, as a process of its own: an app imports no other. */
export interface ApiProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

const PROGRAM = fileURLToPath(new URL('../../../api/bundle/main.js', import.meta.url));
const Started = z.object({ event: z.literal('process.started'), url: z.string() });

/** Starts the API on the database. Its acquirer does not answer, so no money moves. */
export async function startApiProcess({ url }: TestDatabase, portalKey: string): Promise<ApiProcess> {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      DATABASE_URL: url,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      PORTAL_KEY: portalKey,
      ...{ HTTP_PORT: '0', NODE_ENV: 'test', ACQUIRER_ADDRESS: '127.0.0.1:1', DATABASE_CONNECTIONS: '4' },
    },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const started = Started.safeParse(parseLine(line));
    if (!started.success) continue;
    child.stdout.resume();
    return { url: started.data.url, child };
  }
  throw new Error('the API did not start; is it built?');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

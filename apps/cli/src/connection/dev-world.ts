import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { NotReached } from '../failures/not-reached.js';

/** What `npm start` writes about itself: addresses and sandbox keys. */
const DevFile = z.object({
  resellerId: z.string(),
  softwareHouseId: z.string(),
  urls: z.object({
    ...{ api: z.string(), cardVault: z.string(), sandbox: z.string(), eposTester: z.string() },
    ...{ portal: z.string(), waiter: z.string() },
  }),
  restaurants: z.array(
    z.object({ name: z.string(), tradingName: z.string(), accountId: z.string(), apiKey: z.string() }),
  ),
  accountServer: z.object({ url: z.string(), token: z.string() }),
  tls: z.object({ ca: z.string() }).nullable(),
});

/** A running `npm start`. */
export interface DevWorld extends z.output<typeof DevFile> {
  /** The folder of its rows, logs, keys and certificates. */
  readonly dataDir: string;
}

/** The running world of this folder or of one above it; null when none runs. `DATA_DIR` names the folder itself. */
export function findDevWorld(env: Readonly<Record<string, string | undefined>>, cwd: string): DevWorld | null {
  const dataDir = env['DATA_DIR'] ?? findUpwards(cwd);
  if (dataDir === null) return null;
  const file = path.join(dataDir, 'dev.json');
  if (!existsSync(file)) return null;
  const read = DevFile.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!read.success) throw new NotReached(`${file} was written by another release: ${z.prettifyError(read.error)}`);
  return { ...read.data, dataDir };
}

/** Undefined for a file that is no JSON: one that was written in part, or by hand. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findUpwards(from: string): string | null {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.data/dev.json'))) return path.join(folder, '.data');
    if (path.dirname(folder) === folder) return null;
  }
}

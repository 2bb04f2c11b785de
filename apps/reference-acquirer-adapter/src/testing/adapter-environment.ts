import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { findFreePort } from '@pos/dev-database';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generate } from 'selfsigned';
import { createTestDatabase } from './test-database.js';

type Environment = Readonly<Record<string, string>>;

/** A started process with the fields of the line that says it is ready. */
export interface ReadyProcess {
  readonly ready: Readonly<Record<string, unknown>>;
  /** Resolves with the signal or the code with which the process has ended. */
  readonly ended: Promise<string>;
  readonly kill: () => Promise<void>;
}

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const ADAPTER = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
const PROCESSOR = fileURLToPath(new URL('../../../processor-simulator/bundle/main.js', import.meta.url));
const TESTER = fileURLToPath(new URL('../../../acquirer-tester/bundle/acquirer-tester.js', import.meta.url));
const PROFILE = fileURLToPath(new URL('../../profile.json', import.meta.url));
const CREDENTIAL = 'Bearer adapter-of-a-test';

/** A database, a simulated processor, and adapters between it and the tester: each a process of its own. */
export class AdapterEnvironment {
  readonly #started: ReadyProcess[] = [];
  readonly #key = randomBytes(32).toString('hex');
  #webhookPort = 0;

  private constructor(
    readonly folder: string,
    readonly databaseUrl: string,
  ) {}

  static async open(): Promise<AdapterEnvironment> {
    const folder = await mkdtemp(path.join(tmpdir(), 'reference-adapter-'));
    return new AdapterEnvironment(folder, await createTestDatabase());
  }

  /** Starts a processor whose decisions are sent to the adapter that is started next. */
  async startProcessor(env: Environment = {}): Promise<string> {
    this.#webhookPort = await findFreePort();
    const webhook = `http://127.0.0.1:${this.#webhookPort}/webhooks`;
    const { ready } = await this.#start(PROCESSOR, { HTTP_PORT: '0', WEBHOOK_URL: webhook, ...env });
    return String(ready['url']);
  }

  /** Starts an adapter for the processor on this database. */
  startAdapter(processorUrl: string, env: Environment = {}): Promise<ReadyProcess> {
    return this.#start(ADAPTER, {
      ...{ GRPC_PORT: '0', HTTP_PORT: String(this.#webhookPort), DATABASE_URL: this.databaseUrl },
      ...{ PROCESSOR_URL: processorUrl, CALL_CREDENTIAL: CREDENTIAL, FINGERPRINT_KEY: this.#key, NODE_ENV: 'test' },
      ...env,
    });
  }

  /** A certificate for loopback and its key, as files. It is its own authority. */
  async makeCertificate(name: string): Promise<{ readonly cert: string; readonly key: string }> {
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      ...{ keySize: 2048, algorithm: 'sha256' },
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ],
    });
    const [cert, key] = [path.join(this.folder, `${name}.pem`), path.join(this.folder, `${name}-key.pem`)];
    await writeFile(cert, made.cert);
    await writeFile(key, made.private);
    return { cert, key };
  }

  get credential(): string {
    return CREDENTIAL;
  }

  get profile(): string {
    return PROFILE;
  }

  /** Runs the command of the tester against an adapter, and returns its exit code and its output. */
  async runTester(words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = spawn(process.execPath, [TESTER, ...words], {
      env: { PATH: process.env['PATH'], ACQUIRER_CREDENTIAL: CREDENTIAL },
    });
    return collectOutput(child);
  }

  /** Runs commands of a page in the root of the repository, with this database. */
  async runScript(script: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const words = script.replaceAll('pnpm acquirer-tester', `node ${TESTER}`);
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', words], {
      cwd: REPOSITORY,
      env: { PATH: process.env['PATH'], DATABASE_URL: this.databaseUrl },
      // Its own process group: what the script has started ends with it.
      detached: true,
    });
    const { code, output } = await collectOutput(child);
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    return { code, output };
  }

  async close(): Promise<void> {
    for (const each of this.#started) await each.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #start(file: string, env: Environment): Promise<ReadyProcess> {
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const started = { ready: await readReady(child), ended: waitForEnd(child), kill: () => kill(child) };
    this.#started.push(started);
    return started;
  }
}

/** Resolves when the process has ended; what it has started may go on. */
async function collectOutput(child: ChildProcessWithoutNullStreams) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, output };
}

async function readReady(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  const output: string[] = [];
  const [stdout, stderr] = [child.stdout, child.stderr];
  if (stdout === null || stderr === null) throw new Error('a process without output');
  createInterface({ input: stderr }).on('line', (line) => output.push(line));
  for await (const line of createInterface({ input: stdout })) {
    output.push(line);
    const fields = JSON.parse(line) as Record<string, unknown>;
    if (fields['event'] === 'process.started') {
      stdout.resume();
      return fields;
    }
  }
  throw new Error(`the process did not start: ${output.join('\n')}`);
}

async function waitForEnd(child: ChildProcess): Promise<string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? String(code);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

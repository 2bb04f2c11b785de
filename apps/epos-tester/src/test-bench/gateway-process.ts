import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A gateway in its own process, and its addresses. */
export interface GatewayProcess {
  /** `http://host:port`; its sockets are on the same port. */
  readonly url: string;
  /** `host:port` for machines, and for EPOSes that dial in. */
  readonly grpc: string;
  readonly internalGrpc: string;
  /** Resolves when it has stopped. */
  readonly kill: () => Promise<void>;
}

const ENTRY = fileURLToPath(new URL('../../../pay-at-table-gateway/dist/main.js', import.meta.url));
const END_WITH_PARENT = import.meta.resolve('@pos/service-kit/lifecycle/parent-exit');
const Started = z.object({ health: z.string(), grpc: z.string(), internalGrpc: z.string() });
const SAID_MAX = 20;

/**
 * Starts a gateway and resolves when it listens. It stops with this process. Throws with its output when it ends
 * before.
 */
export async function startGateway(env: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  if (!existsSync(ENTRY))
    throw new Error('the gateway is not built: pnpm turbo run build --filter=@pos/pay-at-table-gateway');
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ENTRY], {
    // Its input is never written. An open input shows the gateway that this process is running.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env },
    // Ctrl-C in the terminal reaches only this process: active runs need the gateway for their cleanup.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  const end = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const output: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => output.push(line));
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const started = Started.safeParse(getJson(line));
    if (!started.success) {
      output.push(line);
      continue;
    }
    child.stdout.resume();
    const { health: url, grpc, internalGrpc } = started.data;
    return { url, grpc, internalGrpc, kill: () => waitForExit(child) };
  }
  throw new Error(`the gateway did not start: ${output.slice(-SAID_MAX).join('\n')}`);
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function getJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

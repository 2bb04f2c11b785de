import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { startProgram } from './child-program.js';

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

const ENTRY = fileURLToPath(new URL('../../../pay-at-table-gateway/bundle/main.js', import.meta.url));
const require = createRequire(import.meta.url);
const END_WITH_PARENT = pathToFileURL(require.resolve('@pos/service-kit/lifecycle/parent-exit')).href;
const Started = z.object({ health: z.string(), grpc: z.string(), internalGrpc: z.string() });

/**
 * Starts a gateway and resolves when it listens. It stops with this process. Throws with its output when it ends
 * before.
 */
export async function startGateway(env: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  if (!existsSync(ENTRY))
    throw new Error('the gateway is not built: pnpm turbo run build --filter=@pos/pay-at-table-gateway');
  const command = ['--import', END_WITH_PARENT, ENTRY];
  const { ready, kill } = await startProgram({ name: 'the gateway', command, env: { ...env }, ready: Started });
  return { url: ready.health, grpc: ready.grpc, internalGrpc: ready.internalGrpc, kill };
}

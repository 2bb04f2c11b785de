import type { z } from 'zod';
import { createFaultPoint, type StartedProcess } from '@pos/service-kit/lifecycle';
import type { Log } from '@pos/service-kit/telemetry';
import { CallStore } from './calls/call-store.js';
import type { Config } from './config.js';
import { ProcessorClient } from './processor/processor-client.js';
import { startAcquirerServer } from './server/acquirer-server.js';
import { openGrpcTls } from './server/tls-settings.js';
import { startWebhookServer } from './server/webhook-server.js';

/** Starts the adapter: its database, its gRPC port and its HTTP port. */
export async function startAdapter(config: z.output<typeof Config>, log: Log): Promise<StartedProcess> {
  const tls = openGrpcTls(config, log);
  const store = await CallStore.open(config.DATABASE_URL.reveal(), (error) => {
    log.warn('adapter.database_connection_lost', { error });
  });
  const processor = new ProcessorClient({ url: config.PROCESSOR_URL, timeoutMs: config.PROCESSOR_TIMEOUT_MS });
  const acquirer = await startAcquirerServer({
    ...{ store, processor, log, abandonAfterMs: config.ABANDON_AFTER_MS, faultPoint: createFaultPoint(config) },
    ...{ host: config.GRPC_HOST, port: config.GRPC_PORT },
    credential: config.CALL_CREDENTIAL.reveal(),
    fingerprintKeys: {
      current: config.FINGERPRINT_KEY.reveal(),
      accepted: config.FINGERPRINT_KEY_ACCEPTED?.reveal() ?? null,
    },
    tls,
  });
  const http = await startWebhookServer({
    ...{ port: config.HTTP_PORT, log, requireReady: () => store.ping() },
    onDecided: (orderRef) => acquirer.authorisations.refreshPayment(orderRef),
  });
  return {
    closeSteps: [
      { name: 'grpc', stop: acquirer.close },
      { name: 'http', stop: http.close },
      { name: 'certificates', stop: () => Promise.resolve(tls?.close()) },
      { name: 'database', stop: () => store.close() },
    ],
    startedFields: { grpc_port: acquirer.port, http_port: http.port },
  };
}

import { type AcceptedRequest, createRequest } from '../money-requests.js';

/** An EPOS that is called, and one that opens a socket. */
export const REST_EPOS = {
  url: 'https://epos.example/pos',
  capabilities: [{ name: 'GetOrderById', version: 'v1' }],
  auth: { authType: 'basic', basic: { username: 'till', password: 'a secret word' } },
} as const;
export const WS_EPOS = { capabilities: [{ name: 'ListAreas', version: '1.0.0' }] } as const;
export const GRPC_EPOS = { url: 'https://epos.example:50051', auth: REST_EPOS.auth } as const;

/** An accepted request for each operation on EPOS registrations. */
export function createEposRequests(): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  const of = (path: string, body?: unknown, invalid?: unknown) => async (): Promise<AcceptedRequest> => ({
    ...(await createRequest(path, body)),
    ...(invalid !== undefined && { invalid: { body: invalid } }),
  });
  return {
    listEposIntegrations: of('/epos/integrations'),
    readRestIntegration: of('/epos/integrations/rest'),
    putRestIntegration: of('/epos/integrations/rest', REST_EPOS, { ...REST_EPOS, url: 'ftp://epos.example' }),
    deleteRestIntegration: of('/epos/integrations/rest'),
    readWsIntegration: of('/epos/integrations/ws'),
    putWsIntegration: of('/epos/integrations/ws', WS_EPOS, {}),
    deleteWsIntegration: of('/epos/integrations/ws'),
    readServiceManagedIntegrations: of('/epos/integrations/service'),
    readGrpcIntegration: of('/epos/integrations/grpc'),
    putGrpcIntegration: of('/epos/integrations/grpc', GRPC_EPOS, { url: GRPC_EPOS.url }),
    deleteGrpcIntegration: of('/epos/integrations/grpc'),
    readSandboxEpos: of('/sandbox/epos'),
    putSandboxEpos: of('/sandbox/epos', { isEnabled: true }, { isEnabled: 'perhaps' }),
    reportEposEvent: of(
      '/epos/events',
      { eventType: 'OrderUpdated', event: { orderId: '118' } },
      { eventType: 'Opened' },
    ),
  };
}

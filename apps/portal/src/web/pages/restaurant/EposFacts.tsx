import { useMessages } from '@pos/web-ui/messages/language-context';
import type { listEposIntegrations } from '@pos/rest-contracts/accounts/epos-registration';
import type { ReturnsOf } from '@pos/rest-contracts/operation/operation';
import type { ReactNode } from 'react';
import { Facts } from '../../components/Card.js';
import { RESTAURANT_MESSAGES } from './restaurant-messages.js';

/** How the EPOS is reached: a line for each registration. */
export function EposFacts({ integrations }: { integrations: ReturnsOf<typeof listEposIntegrations> }): ReactNode {
  const text = useMessages(RESTAURANT_MESSAGES);
  const { restIntegrations, wsIntegrations, serviceManagedIntegrations, grpcIntegrations } = integrations;
  const facts: (readonly [string, ReactNode])[] = [
    ...restIntegrations.map(({ url }) => ['REST', url] as const),
    ...grpcIntegrations.map(({ url }) => ['gRPC', url] as const),
    ...wsIntegrations.map(
      ({ capabilities }) => ['WebSocket', capabilities.map(({ name }) => name).join(', ')] as const,
    ),
    ...serviceManagedIntegrations.map(
      ({ capabilities }) => ['Service', capabilities.map(({ name }) => name).join(', ')] as const,
    ),
  ];
  return facts.length === 0 ? <p>{text('noEpos')}</p> : <Facts facts={facts} />;
}

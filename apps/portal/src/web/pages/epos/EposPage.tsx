import { useMessages } from '@pos/web-ui/messages';
import { listEposIntegrations } from '@pos/rest-contracts/accounts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { EPOS } from '../../client/queries.js';
import { usePermission } from '../../client/session-query.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { EPOS_MESSAGES } from './epos-messages.js';
import parts from '../../components/page-parts.module.css';
import { EposCalls } from './EposCalls.js';
import { EposConnections } from './EposConnections.js';
import { EposRegistrations } from './EposRegistrations.js';

/** How the EPOS is reached, whether it is connected, and what it was asked last. */
export function EposPage(): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const maySeeCalls = usePermission('activities.read');
  const registrations = useQuery({
    queryKey: [EPOS, 'registrations'],
    queryFn: ({ signal }) => callOperation(listEposIntegrations, { signal }),
  });
  return (
    <>
      <PageHeader title={text('epos')} />
      <div className={parts['parts']}>
        <QueryBoundary query={registrations} rows={4}>
          {(integrations) => <EposRegistrations integrations={integrations} />}
        </QueryBoundary>
        <EposConnections />
        {maySeeCalls && <EposCalls />}
      </div>
    </>
  );
}

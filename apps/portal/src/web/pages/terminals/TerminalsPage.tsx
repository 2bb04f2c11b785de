import { EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listTerminals } from '@pos/rest-contracts/accounts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { TERMINALS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { TERMINAL_MESSAGES } from './terminal-messages.js';
import { TerminalStatusBadge } from './TerminalStatusBadge.js';

/** No event says that a machine goes offline. */
const REFRESH_MS = 10_000;

/** The card machines of the account by TID, and whether they are online. */
export function TerminalsPage(): ReactNode {
  const text = useMessages(TERMINAL_MESSAGES);
  const language = useLanguage();
  const query = useQuery({
    queryKey: [TERMINALS],
    queryFn: ({ signal }) => callOperation(listTerminals, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const columns = ['tid', 'status', 'since', 'id'] as const;
  return (
    <>
      <PageHeader title={text('machines')} />
      <QueryBoundary query={query} rows={6}>
        {(machines) =>
          machines.length === 0 ? (
            <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
          ) : (
            <DataTable label={text('machines')} columns={columns.map((name) => ({ name: text(name) }))}>
              {machines.map(({ id, properties: { tid }, status, updatedAt }) => (
                <tr key={id}>
                  <td>
                    <Link to="/restaurant/terminals/$id" params={{ id }}>
                      {tid}
                    </Link>
                  </td>
                  <td>
                    <TerminalStatusBadge status={status} />
                  </td>
                  <td>{formatMoment(updatedAt, language)}</td>
                  <td>
                    <code>{id}</code>
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryBoundary>
    </>
  );
}

import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listEposConnections } from '@pos/rest-contracts/accounts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { EPOS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { EPOS_MESSAGES } from './epos-messages.js';
import parts from '../../components/page-parts.module.css';
import classes from './epos.module.css';

/** No event says that an EPOS connects or leaves. */
const REFRESH_MS = 5_000;

/** The connections that the EPOS has open now. */
export function EposConnections(): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const language = useLanguage();
  const query = useQuery({
    queryKey: [EPOS, 'connections'],
    queryFn: ({ signal }) => callOperation(listEposConnections, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const columns = ['transport', 'opened', 'seen'] as const;
  return (
    <section>
      <h2 className={parts['title']}>{text('connections')}</h2>
      <QueryBoundary query={query} rows={2}>
        {(connections) =>
          connections.length === 0 ? (
            <p className={classes['muted']}>{text('noConnections')}</p>
          ) : (
            <DataTable label={text('connections')} columns={columns.map((name) => ({ name: text(name) }))}>
              {connections.map(({ transport, openedAt, seenAt }, place) => (
                <tr key={place}>
                  <td>{text(transport)}</td>
                  <td>{formatMoment(openedAt, language)}</td>
                  <td>{formatMoment(seenAt, language)}</td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryBoundary>
    </section>
  );
}

import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { groupErrors } from '@pos/rest-contracts/activities';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ErrorGroupAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { REQUESTS } from '../../../client/queries.js';
import { Card } from '../../../components/Card.js';
import { DataTable, NumberCell } from '../../../components/DataTable.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { REQUEST_MESSAGES } from './request-messages.js';
import layout from './requests.module.css';

/** No event says that a request was refused. */
const REFRESH_MS = 10_000;

/** The unsuccessful requests of a day by operation, status and reason, most frequent first. */
export function ErrorGroups(): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const query = useQuery({
    queryKey: [REQUESTS, 'errors'],
    queryFn: ({ signal }) => callOperation(groupErrors, { query: {}, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Card title={text('errors')}>
      <QueryBoundary query={query} rows={3}>
        {({ data, isComplete }) => (
          <>
            {data.length === 0 && <p className={layout['none']}>{text('noErrors')}</p>}
            {data.length > 0 && <GroupTable groups={data} />}
            {!isComplete && <p className={layout['none']}>{text('incomplete')}</p>}
          </>
        )}
      </QueryBoundary>
    </Card>
  );
}

function GroupTable({ groups }: { groups: readonly ErrorGroupAnswer[] }): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const language = useLanguage();
  const columns = [
    { name: text('count'), isNumber: true },
    ...(['operation', 'status', 'reason', 'last'] as const).map((name) => ({ name: text(name) })),
  ];
  return (
    <DataTable label={text('errors')} columns={columns}>
      {groups.map(({ name, status, reason, count, lastAt, lastTraceId }) => (
        <tr key={`${name} ${status} ${reason}`}>
          <NumberCell>{count}</NumberCell>
          <td>
            <Link to="/developers/requests" search={{ operation: name, ...(status !== undefined && { status }) }}>
              {name}
            </Link>
          </td>
          <td>{status ?? '–'}</td>
          <td>{reason ?? '–'}</td>
          <td>
            <Link to="/developers/requests/$traceId" params={{ traceId: lastTraceId }}>
              {formatMoment(lastAt, language)}
            </Link>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

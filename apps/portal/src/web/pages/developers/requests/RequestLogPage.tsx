import { Badge, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listRequests } from '@pos/rest-contracts/activities';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RequestAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { REQUESTS } from '../../../client/queries.js';
import { DataTable } from '../../../components/DataTable.js';
import { OUTCOME_TONES } from '../../../components/outcome-tones.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { PageTurner } from '../../../components/PageTurner.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { ErrorGroups } from './ErrorGroups.js';
import { RequestFilter } from './request-filter.js';
import { REQUEST_MESSAGES } from './request-messages.js';
import { KeyName } from './KeyName.js';
import { RequestFilters } from './RequestFilters.js';
import layout from './requests.module.css';

const PAGE_SIZE = 50;
/** No event says that a request was answered. */
const REFRESH_MS = 10_000;

/** The requests of the account, newest first, and its errors by their cause. */
export function RequestLogPage(): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const navigate = useNavigate();
  const filter = RequestFilter.parse(useSearch({ strict: false }));
  const query = useQuery({
    queryKey: [REQUESTS, filter],
    queryFn: ({ signal }) => callOperation(listRequests, { query: { limit: PAGE_SIZE, ...filter }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const show = (search: RequestFilter): void => void navigate({ to: '/developers/requests', search });
  return (
    <>
      <PageHeader title={text('requests')} intro={text('intro')} />
      <div className={layout['stack']}>
        <ErrorGroups />
        <section>
          <RequestFilters key={JSON.stringify(filter)} filter={filter} onChange={show} />
          <QueryBoundary query={query} rows={10}>
            {({ data, before, after }) => (
              <>
                {data.length === 0 && (
                  <EmptyState title={text(after === null ? 'noneTitle' : 'partTitle')}>
                    {text(after === null ? 'noneText' : 'partText')}
                  </EmptyState>
                )}
                {data.length > 0 && <RequestTable requests={data} />}
                <PageTurner
                  label={text('requests')}
                  page={{ before, after }}
                  onTurn={(cursor) => show({ ...RequestFilter.withoutCursor(filter), ...cursor })}
                />
              </>
            )}
          </QueryBoundary>
        </section>
      </div>
    </>
  );
}

function RequestTable({ requests }: { requests: readonly RequestAnswer[] }): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const language = useLanguage();
  const columns = (['at', 'operation', 'outcome', 'status', 'took', 'key'] as const).map((name) => ({
    name: text(name),
  }));
  return (
    <DataTable label={text('requests')} columns={columns}>
      {requests.map(({ id, at, name, outcome, status, reason, tookMs = 0, keyId, traceId }) => (
        <tr key={id}>
          <td>
            <Link to="/developers/requests/$traceId" params={{ traceId }}>
              {formatMoment(at, language)}
            </Link>
          </td>
          <td>{name}</td>
          <td>
            <Badge tone={OUTCOME_TONES[outcome]}>{text(outcome)}</Badge>
          </td>
          <td>{[status, reason].filter((part) => part !== undefined).join(' ')}</td>
          <td>{text('ms', { ms: tookMs })}</td>
          <td>{keyId === undefined ? text('payer') : <KeyName keyId={keyId} isShort />}</td>
        </tr>
      ))}
    </DataTable>
  );
}

import { Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listFlows, listTesterRuns, type RunSummary } from '@pos/rest-contracts/operators';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { EPOS } from '../../client/queries.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { PageSearch } from '../../components/page-search.js';
import { PagedList } from '../../components/PagedList.js';
import { StartRunDialog } from './StartRunDialog.js';
import { RunStatusBadge } from './RunStatusBadge.js';
import { TESTER_MESSAGES } from './tester-messages.js';

const PAGE_SIZE = 50;
const REFRESH_MS = 5_000;

/** The runs of the EPOS tester, newest first. */
export function TesterRunsPage(): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const cursor = PageSearch.parse(useSearch({ strict: false }));
  const query = useQuery({
    queryKey: [EPOS, 'runs', cursor],
    queryFn: ({ signal }) => callOperation(listTesterRuns, { query: { limit: PAGE_SIZE, ...cursor }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  // An installation without the tester refuses it: then the page only lists.
  const { data: flows } = useQuery({
    queryKey: [EPOS, 'flows'],
    queryFn: ({ signal }) => callOperation(listFlows, { signal }),
    staleTime: Infinity,
  });
  const start = flows !== undefined && (
    <Button kind="primary" onClick={() => setStarting(true)}>
      {text('start')}
    </Button>
  );
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')}>
        {start}
      </PageHeader>
      <PagedList
        query={query}
        rows={8}
        label={text('title')}
        empty={
          <EmptyState title={text('noneTitle')} action={start}>
            {text('noneText')}
          </EmptyState>
        }
        onTurn={(search) => void navigate({ to: '/restaurant/tester-runs', search })}
      >
        {(elements) => <RunTable runs={elements} />}
      </PagedList>
      {isStarting && flows !== undefined && <StartRunDialog flows={flows} onClose={() => setStarting(false)} />}
    </>
  );
}

function RunTable({ runs }: { runs: readonly Readonly<RunSummary>[] }): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const language = useLanguage();
  const columns = ['flow', 'status', 'failedStep', 'steps', 'started'] as const;
  return (
    <DataTable
      label={text('title')}
      columns={columns.map((name) => ({ name: text(name), isNumber: name === 'steps' }))}
    >
      {runs.map(({ flowID, flowName, status, failedStep, stepCount, startedAt }) => (
        <tr key={flowID}>
          <td>
            <Link to="/restaurant/tester-runs/$id" params={{ id: flowID }}>
              {flowName}
            </Link>
          </td>
          <td>
            <RunStatusBadge status={status} />
          </td>
          <td>{failedStep ?? '–'}</td>
          <NumberCell>{stepCount}</NumberCell>
          <td>{formatMoment(startedAt, language)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

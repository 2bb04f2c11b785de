import { Badge, type Tone } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listTerminalSessions, type TerminalSessionSummary } from '@pos/rest-contracts/accounts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { TERMINALS } from '../../client/queries.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { PageSearch } from '../../components/page-search.js';
import { PagedList } from '../../components/PagedList.js';
import { TERMINAL_MESSAGES } from './terminal-messages.js';
import parts from '../../components/page-parts.module.css';
import classes from './terminals.module.css';

const PAGE_SIZE = 25;
const TONES = {
  InitiateRequested: 'progress',
  Initiated: 'progress',
  CancelRequested: 'progress',
  Authorized: 'positive',
  Captured: 'positive',
  Canceled: 'neutral',
  Expired: 'attention',
  Declined: 'negative',
  SignatureVerificationRequired: 'attention',
  SignatureVerificationAccepted: 'progress',
  SignatureVerificationRejected: 'negative',
} as const satisfies Record<TerminalSessionSummary['status'], Tone>;

/** What was paid and refunded on a machine, newest first. */
export function TerminalSessions({ terminalId }: { terminalId: string }): ReactNode {
  const text = useMessages(TERMINAL_MESSAGES);
  const navigate = useNavigate();
  const cursor = PageSearch.parse(useSearch({ strict: false }));
  const query = useQuery({
    // A live event about a session refreshes it.
    queryKey: [TERMINALS, terminalId, 'sessions', cursor],
    queryFn: ({ signal }) =>
      callOperation(listTerminalSessions, { params: { terminalId }, query: { limit: PAGE_SIZE, ...cursor }, signal }),
    placeholderData: keepPreviousData,
  });
  const turn = (search: PageSearch): void =>
    void navigate({ to: '/restaurant/terminals/$id', params: { id: terminalId }, search });
  return (
    <section>
      <h2 className={parts['title']}>{text('sessions')}</h2>
      <PagedList
        query={query}
        rows={5}
        label={text('sessions')}
        empty={<p className={classes['muted']}>{text('noSessions')}</p>}
        onTurn={turn}
      >
        {(elements) => <SessionTable sessions={elements} />}
      </PagedList>
    </section>
  );
}

function SessionTable({ sessions }: { sessions: readonly Readonly<TerminalSessionSummary>[] }): ReactNode {
  const text = useMessages(TERMINAL_MESSAGES);
  const language = useLanguage();
  const columns = [
    { name: text('amount'), isNumber: true },
    { name: text('status') },
    { name: text('type') },
    { name: text('created') },
    { name: text('payment') },
  ];
  return (
    <DataTable label={text('sessions')} columns={columns}>
      {sessions.map(({ id, amount, status, sessionType, createdAt, paymentIntentId }) => (
        <tr key={id}>
          <NumberCell>{formatMoney(amount, language)}</NumberCell>
          <td>
            <Badge tone={TONES[status]}>{text(status)}</Badge>
          </td>
          <td>{text(sessionType)}</td>
          <td>{formatMoment(createdAt, language)}</td>
          <td>
            {paymentIntentId === undefined ? (
              '–'
            ) : (
              <Link to="/payments/$id" params={{ id: paymentIntentId }}>
                <code>{paymentIntentId}</code>
              </Link>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

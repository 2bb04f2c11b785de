import { Badge, type Tone } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listEposCalls, type EposCallRecord } from '@pos/rest-contracts/accounts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { EPOS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { summarizeUnreadable, type UnreadableMember } from './unreadable-summary.js';
import { EPOS_MESSAGES } from './epos-messages.js';
import parts from '../../components/page-parts.module.css';
import classes from './epos.module.css';

const REFRESH_MS = 5_000;
const CALLS_SHOWN = 50;
const TRACE_LENGTH = 8;
const TONES: Readonly<Record<EposCallRecord['outcome'], Tone>> = {
  Succeeded: 'positive',
  Refused: 'attention',
  Failed: 'negative',
};
/** The transports by the names of the activity log. */
const TRANSPORTS = {
  stream: 'stream',
  socket: 'socket',
  dialled: 'dialled',
  orders: 'orders',
  dataSocket: 'dataSocket',
  rest: 'restCall',
} as const;

type ListedCall = Readonly<Omit<EposCallRecord, 'unreadableMembers'>> & {
  readonly unreadableMembers?: readonly Readonly<UnreadableMember>[] | undefined;
};

/** The last calls to the EPOS, from the activity log. */
export function EposCalls(): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const query = useQuery({
    queryKey: [EPOS, 'calls'],
    queryFn: ({ signal }) => callOperation(listEposCalls, { query: { limit: CALLS_SHOWN }, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <section>
      <h2 className={parts['title']}>{text('calls')}</h2>
      <QueryBoundary query={query} rows={5}>
        {(calls) =>
          calls.length === 0 ? <p className={classes['muted']}>{text('noCalls')}</p> : <CallTable calls={calls} />
        }
      </QueryBoundary>
    </section>
  );
}

function CallTable({ calls }: { calls: readonly ListedCall[] }): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const language = useLanguage();
  const columns = ['call', 'outcome', 'transport', 'about', 'took', 'when', 'trace'] as const;
  return (
    <DataTable label={text('calls')} columns={columns.map((name) => ({ name: text(name) }))}>
      {calls.map(({ id, name, outcome, reason, transport, subjectId, tookMs, at, traceId, unreadableMembers = [] }) => (
        <tr key={`${traceId}.${id}`}>
          <td>
            <code>{name}</code>
          </td>
          <td>
            <Badge tone={TONES[outcome]}>{text(outcome)}</Badge>
            {reason !== undefined && <span className={classes['reason']}>{reason}</span>}
            <UnreadableMembers members={unreadableMembers} />
          </td>
          <td>{isKnownTransport(transport) ? text(TRANSPORTS[transport]) : '–'}</td>
          <td>{subjectId === undefined ? '–' : <Subject id={subjectId} />}</td>
          <td>{text('milliseconds', { ms: tookMs })}</td>
          <td>{formatMoment(at, language)}</td>
          <td>
            <Link to="/developers/requests/$traceId" params={{ traceId }} title={traceId}>
              <code>{traceId.slice(0, TRACE_LENGTH)}…</code>
            </Link>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** What could not be read in an answer, with the clauses by which an EPOS partner finds the cause. */
function UnreadableMembers({ members }: { members: NonNullable<ListedCall['unreadableMembers']> }): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const summary = summarizeUnreadable(members, text);
  if (summary === null) return null;
  return (
    <details>
      <summary>{summary}</summary>
      <ul>
        {members.map(({ element, member, clause, problem }) => (
          <li key={`${element} ${member}`}>
            <code>{element}</code> <code>{member}</code> {problem} (<code>{clause}</code>)
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What a call is about. A payment has a page. */
function Subject({ id }: { id: string }): ReactNode {
  const shown = (
    <code className={classes['id']} title={id}>
      {id}
    </code>
  );
  if (!id.startsWith('pi_')) return shown;
  return (
    <Link to="/payments/$id" params={{ id }}>
      {shown}
    </Link>
  );
}

function isKnownTransport(transport: string | undefined): transport is keyof typeof TRANSPORTS {
  return transport !== undefined && Object.hasOwn(TRANSPORTS, transport);
}

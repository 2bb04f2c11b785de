import { Badge, Button, EmptyState, type Tone } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listFourEyesRequests } from '@pos/rest-contracts/portal';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { FourEyesAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { SECOND_PERSON } from '../../client/queries.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { PageSearch } from '../../components/page-search.js';
import { PagedList } from '../../components/PagedList.js';
import { nameAction } from './action-name.js';
import { DecideDialog, type Decision } from './DecideDialog.js';
import { SECOND_PERSON_MESSAGES } from './second-person-messages.js';
import classes from './second-person.module.css';

const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;
const TONES = {
  Waiting: 'progress',
  Approved: 'progress',
  Done: 'positive',
  Failed: 'negative',
  Refused: 'neutral',
  Expired: 'neutral',
} as const satisfies Record<FourEyesAnswer['state'], Tone>;

interface Deciding {
  readonly request: FourEyesAnswer;
  readonly decision: Decision;
}

/** What waits for a second person, and what has waited. */
export function SecondPersonPage(): ReactNode {
  const text = useMessages(SECOND_PERSON_MESSAGES);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const navigate = useNavigate();
  const cursor = PageSearch.parse(useSearch({ strict: false }));
  const found = useQuery({
    queryKey: [SECOND_PERSON, cursor],
    queryFn: async ({ signal }) => {
      const query = { limit: PAGE_SIZE, ...cursor };
      const { requests: data, before, after } = await callOperation(listFourEyesRequests, { query, signal });
      return { data, before, after };
    },
    // No event says that somebody has requested or decided.
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={text('secondPerson')} intro={text('intro')} />
      <PagedList
        query={found}
        rows={4}
        label={text('secondPerson')}
        empty={<EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>}
        onTurn={(search) => void navigate({ to: '/approvals', search })}
      >
        {(requests) => <Requests requests={requests} onDecide={setDeciding} />}
      </PagedList>
      {deciding !== null && <DecideDialog {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}

interface RequestsProps {
  readonly requests: readonly FourEyesAnswer[];
  readonly onDecide: (deciding: Deciding) => void;
}

function Requests({ requests, onDecide }: RequestsProps): ReactNode {
  const text = useMessages(SECOND_PERSON_MESSAGES);
  const language = useLanguage();
  const columns = ['requested', 'requester', 'what', 'amount', 'state', 'decided'] as const;
  return (
    <DataTable
      label={text('secondPerson')}
      columns={columns.map((name) => ({ name: text(name), isNumber: name === 'amount' }))}
      hasActions
    >
      {requests.map((request) => (
        <tr key={request.id}>
          <td>{formatMoment(request.requestedAt, language)}</td>
          <td>{request.requestedBy}</td>
          <td>
            <What request={request} />
          </td>
          <NumberCell>{request.amount === undefined ? '–' : formatMoney(request.amount, language)}</NumberCell>
          <td>
            <span className={classes['stack']}>
              <Badge tone={TONES[request.state]}>{text(request.state)}</Badge>
              {request.state === 'Waiting' && (
                <span className={classes['minor']}>
                  {text('waitsUntil')} {formatMoment(request.expiresAt, language)}
                </span>
              )}
              {request.outcomeReason !== undefined && <code className={classes['minor']}>{request.outcomeReason}</code>}
            </span>
          </td>
          <td className={classes['words']}>
            {request.decidedBy === undefined ? '–' : `${request.decidedBy}: ${request.decisionReason ?? ''}`}
          </td>
          <td>
            <Actions request={request} onDecide={onDecide} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function What({ request }: { request: FourEyesAnswer }): ReactNode {
  const text = useMessages(SECOND_PERSON_MESSAGES);
  const { paymentIntentId } = request;
  return (
    <span className={classes['stack']}>
      <span>{text(nameAction(request))}</span>
      {paymentIntentId !== undefined && (
        <Link to="/payments/$id" params={{ id: paymentIntentId }}>
          {text('payment')}
        </Link>
      )}
    </span>
  );
}

function Actions({ request, onDecide }: { request: FourEyesAnswer; onDecide: RequestsProps['onDecide'] }): ReactNode {
  const text = useMessages(SECOND_PERSON_MESSAGES);
  if (request.state === 'Approved') {
    return (
      <Button kind="quiet" onClick={() => onDecide({ request, decision: 'send' })}>
        {text('sendAgain')}
      </Button>
    );
  }
  if (request.state !== 'Waiting') return null;
  if (!request.canDecide) return text('own');
  return (
    <>
      <Button kind="quiet" onClick={() => onDecide({ request, decision: 'approve' })}>
        {text('approve')}
      </Button>
      <Button kind="quiet" onClick={() => onDecide({ request, decision: 'refuse' })}>
        {text('refuse')}
      </Button>
    </>
  );
}

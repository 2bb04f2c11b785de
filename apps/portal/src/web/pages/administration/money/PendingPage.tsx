import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listAdministeredPending } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable, NumberCell } from '../../../components/DataTable.js';
import { useMoneyState } from '../../../components/money-states.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { DifferenceAnswer, LineAnswer } from '../administration-answers.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { Choice } from '../../../components/Choice.js';
import { Owner } from '../Owner.js';
import { DIFFERENCE_MESSAGES } from './difference-messages.js';
import { formatFinding } from './finding-text.js';
import { PENDING_MESSAGES } from './pending-messages.js';
import { ResolveDialog } from './ResolveDialog.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const REFRESH_MS = 30_000;
export const PENDING_LINES = [ADMINISTRATION, 'pending'] as const;

const KINDS = {
  all: () => true,
  alarms: ({ isAlarming }) => isAlarming,
  payments: ({ kind }) => kind === 'TablePayment' || kind === 'OrderPlacement',
  outcomes: ({ kind }) => kind === 'AcquirerCall' || kind === 'MachineRefund',
} as const satisfies Record<string, (line: LineAnswer) => boolean>;
type Selection = keyof typeof KINDS;
const SELECTIONS = Object.keys(KINDS) as readonly Selection[];

/** Open money of all accounts. */
export function PendingPage(): ReactNode {
  const text = useMessages(PENDING_MESSAGES);
  const [selection, setSelection] = useState<Selection>('all');
  const [deciding, setDeciding] = useState<LineAnswer | null>(null);
  const query = useQuery({
    queryKey: PENDING_LINES,
    queryFn: ({ signal }) => callOperation(listAdministeredPending, { signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHeader title={text('pending')} intro={text('intro')} />
      <div className={classes['filters']}>
        <Choice
          label={text('show')}
          value={selection}
          options={SELECTIONS.map((each) => [each, text(each)])}
          onChange={setSelection}
        />
      </div>
      <QueryBoundary query={query}>
        {({ lines, isLimited }) => (
          <PendingLines lines={lines.filter(KINDS[selection])} isLimited={isLimited} onDecide={setDeciding} />
        )}
      </QueryBoundary>
      {deciding !== null && <ResolveDialog line={deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}

interface PendingLinesProps {
  readonly lines: readonly LineAnswer[];
  readonly isLimited: boolean;
  readonly onDecide: (line: LineAnswer) => void;
}

function PendingLines({ lines, isLimited, onDecide }: PendingLinesProps): ReactNode {
  const text = useMessages(PENDING_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  if (lines.length === 0) return <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>;
  const names = [shared('account'), text('what'), text('amount'), text('state'), text('problem')];
  return (
    <>
      <DataTable label={text('pending')} columns={names.map((name, at) => ({ name, isNumber: at === 2 }))} hasActions>
        {lines.map((line) => (
          <PendingRow key={`${line.accountId}/${line.environment}/${line.id}`} line={line} onDecide={onDecide} />
        ))}
      </DataTable>
      {isLimited && <p className={classes['note']}>{shared('limited')}</p>}
    </>
  );
}

function PendingRow({ line, onDecide }: { line: LineAnswer; onDecide: (line: LineAnswer) => void }): ReactNode {
  const text = useMessages(PENDING_MESSAGES);
  const language = useLanguage();
  const nameState = useMoneyState();
  const nameDifference = useMessages(DIFFERENCE_MESSAGES);
  const { id, kind, amount, since, isAlarming, problem = '–' } = line;
  const state = kind === 'Difference' ? nameDifference(line.state as DifferenceAnswer['kind']) : nameState(line.state);
  return (
    <tr>
      <td>
        <Owner owner={line} />
      </td>
      <td>
        <span className={classes['owner']}>
          <span>{text(kind)}</span>
          <code className={classes['minor']} title={id}>
            {id}
          </code>
        </span>
      </td>
      <NumberCell>{amount === undefined ? '–' : formatMoney(amount, language)}</NumberCell>
      <td>
        <span className={classes['owner']}>
          <Badge tone={isAlarming ? 'negative' : 'attention'}>{state}</Badge>
          <span className={classes['minor']}>
            {isAlarming && `${text('alarm')} · `}
            {text('since', { moment: formatMoment(since, language) })}
          </span>
        </span>
      </td>
      <td className={classes['words']}>{formatFinding(problem, language)}</td>
      <td>
        {kind === 'Difference' && <Link to="/operations/differences">{text('check')}</Link>}
        {(kind !== 'Difference' || line.state === 'NotBooked') && (
          <Button kind="quiet" aria-label={text('decideOf', { id })} onClick={() => onDecide(line)}>
            {text('decide')}
          </Button>
        )}
      </td>
    </tr>
  );
}

import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { answerAdministeredDifference, listAdministeredDifferences } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable, NumberCell } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { useAction } from '../../../components/use-action.js';
import type { DifferenceAnswer } from '../administration-answers.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { ChangeDialog } from '../ChangeDialog.js';
import { CompareDialog } from './CompareDialog.js';
import { formatFinding } from './finding-text.js';
import { DIFFERENCE_MESSAGES } from './difference-messages.js';
import { Owner } from '../Owner.js';
import { toTarget } from '../target.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** Open differences of the books of all accounts. */
export function DifferencesPage(): ReactNode {
  const text = useMessages(DIFFERENCE_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const [answering, setAnswering] = useState<DifferenceAnswer | null>(null);
  const [isComparing, setComparing] = useState(false);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'differences'],
    queryFn: ({ signal }) => callOperation(listAdministeredDifferences, { signal }),
  });
  return (
    <>
      <PageHeader title={text('differences')} intro={text('intro')}>
        <Button onClick={() => setComparing(true)}>{text('compare')}</Button>
      </PageHeader>
      <QueryBoundary query={query}>
        {({ differences, isLimited }) =>
          differences.length === 0 ? (
            <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
          ) : (
            <>
              <Differences differences={differences} onAnswer={setAnswering} />
              {isLimited && <p className={classes['note']}>{shared('limited')}</p>}
            </>
          )
        }
      </QueryBoundary>
      {answering !== null && <AnswerDialog difference={answering} onClose={() => setAnswering(null)} />}
      {isComparing && <CompareDialog onClose={() => setComparing(false)} />}
    </>
  );
}

interface DifferencesProps {
  readonly differences: readonly DifferenceAnswer[];
  readonly onAnswer: (difference: DifferenceAnswer) => void;
}

function Differences({ differences, onAnswer }: DifferencesProps): ReactNode {
  const text = useMessages(DIFFERENCE_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const language = useLanguage();
  const names = [shared('account'), text('kind'), text('says'), text('amount')];
  return (
    <DataTable label={text('differences')} columns={names.map((name, at) => ({ name, isNumber: at === 3 }))} hasActions>
      {differences.map((difference) => (
        <tr key={difference.id}>
          <td>
            <Owner owner={difference} />
          </td>
          <td>
            <span className={classes['owner']}>
              <Badge tone="negative">{text(difference.kind)}</Badge>
              <code className={classes['minor']} title={difference.reference}>
                {difference.reference}
              </code>
            </span>
          </td>
          <td className={classes['words']}>
            {formatFinding(difference.says, language)}
            <DifferenceFacts difference={difference} />
          </td>
          <NumberCell>{difference.amount === undefined ? '–' : formatMoney(difference.amount, language)}</NumberCell>
          <td>
            <Button
              kind="quiet"
              aria-label={text('answerOf', { reference: difference.reference })}
              onClick={() => onAnswer(difference)}
            >
              {text('answer')}
            </Button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function DifferenceFacts({ difference }: { difference: DifferenceAnswer }): ReactNode {
  const text = useMessages(DIFFERENCE_MESSAGES);
  const language = useLanguage();
  const { ours, theirs, firstSeenAt } = difference;
  const facts = [
    ...(ours === undefined ? [] : [[text('ours'), formatFinding(ours, language)] as const]),
    ...(theirs === undefined ? [] : [[text('theirs'), formatFinding(theirs, language)] as const]),
    [text('firstSeen'), formatMoment(firstSeenAt, language)] as const,
  ];
  return (
    <dl className={classes['states']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function AnswerDialog({ difference, onClose }: { difference: DifferenceAnswer; onClose: () => void }): ReactNode {
  const text = useMessages(DIFFERENCE_MESSAGES);
  const action = useAction(
    (reason: string) =>
      callOperation(answerAdministeredDifference, { body: { ...toTarget(difference), id: difference.id, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog title={text('answerTitle')} label={text('answer')} action={action} onClose={onClose}>
      <p>{formatFinding(difference.says, useLanguage())}</p>
    </ChangeDialog>
  );
}

import { Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listAdministeredDeadLetters, replayAdministeredDeadLetters } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable, NumberCell } from '../../../components/DataTable.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { useAction } from '../../../components/use-action.js';
import type { DeadLetterAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { ChangeDialog } from '../ChangeDialog.js';
import { DEAD_LETTER_MESSAGES } from './dead-letter-messages.js';
import type { Target } from '../target.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const LETTERS_MAX = 100;

/** The newest dead letters of an account. */
export function AccountDeadLetters({ target }: { target: Target }): ReactNode {
  const text = useMessages(DEAD_LETTER_MESSAGES);
  // `all` or the delivery to send again; null while nothing is asked.
  const [replaying, setReplaying] = useState<string | null>(null);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'dead-letters', target],
    queryFn: ({ signal }) =>
      callOperation(listAdministeredDeadLetters, { query: { ...target, limit: LETTERS_MAX }, signal }),
  });
  return (
    <>
      <QueryBoundary query={query}>
        {(letters) =>
          letters.length === 0 ? (
            <EmptyState title={text('noneOfAccount')}>{text('noneOfAccountText')}</EmptyState>
          ) : (
            <>
              <div className={classes['head']}>
                <span />
                <Button onClick={() => setReplaying('all')}>{text('replayAll')}</Button>
              </div>
              <LetterTable letters={letters} onReplay={setReplaying} />
            </>
          )
        }
      </QueryBoundary>
      {replaying !== null && (
        <ReplayDialog
          target={target}
          delivery={replaying === 'all' ? null : replaying}
          onClose={() => setReplaying(null)}
        />
      )}
    </>
  );
}

interface LetterTableProps {
  readonly letters: readonly DeadLetterAnswer[];
  readonly onReplay: (id: string) => void;
}

function LetterTable({ letters, onReplay }: LetterTableProps): ReactNode {
  const text = useMessages(DEAD_LETTER_MESSAGES);
  const language = useLanguage();
  const columns = (['event', 'receiver', 'answer', 'attempts'] as const).map((name) => ({
    name: text(name),
    isNumber: name === 'attempts',
  }));
  return (
    <DataTable label={text('deadLetters')} columns={columns} hasActions>
      {letters.map(({ id, event, url, attempts, lastStatus, lastError, updatedAt }) => (
        <tr key={id}>
          <td>
            <span className={classes['owner']}>
              <span>{event}</span>
              <code className={classes['minor']}>{id}</code>
            </span>
          </td>
          <td className={classes['words']}>{url}</td>
          <td className={classes['words']}>
            <span className={classes['owner']}>
              <span>{lastStatus ?? lastError ?? text('noAnswer')}</span>
              <span className={classes['minor']}>{formatMoment(updatedAt, language)}</span>
            </span>
          </td>
          <NumberCell>{attempts}</NumberCell>
          <td>
            <Button kind="quiet" aria-label={text('replayOf', { id })} onClick={() => onReplay(id)}>
              {text('replay')}
            </Button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

interface ReplayDialogProps {
  readonly target: Target;
  /** Null: all of the account. */
  readonly delivery: string | null;
  readonly onClose: () => void;
}

function ReplayDialog({ target, delivery, onClose }: ReplayDialogProps): ReactNode {
  const text = useMessages(DEAD_LETTER_MESSAGES);
  const action = useAction(
    (reason: string) =>
      callOperation(replayAdministeredDeadLetters, {
        body: { ...target, ...(delivery !== null && { delivery }), reason },
      }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text(delivery === null ? 'replayAllTitle' : 'replayTitle')}
      label={text(delivery === null ? 'replayAll' : 'replay')}
      action={action}
      onClose={onClose}
    >
      {delivery !== null && <code>{delivery}</code>}
    </ChangeDialog>
  );
}

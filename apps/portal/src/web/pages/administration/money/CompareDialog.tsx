import { toZonedMoment, UTC } from '@pos/core/time';
import { formatMoment } from '@pos/web-ui/format';
import { TextField } from '@pos/web-ui/components';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readAdministeredReconciliation, startAdministeredReconciliation } from '@pos/rest-contracts/portal';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { Facts } from '../../../components/Card.js';
import { findError } from '../../../components/ProblemNote.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { useAction } from '../../../components/use-action.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import { ChangeDialog } from '../ChangeDialog.js';
import { DIFFERENCE_MESSAGES } from './difference-messages.js';
import type { Target } from '../target.js';
import { TargetChoice } from '../TargetChoice.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** Requests a comparison of the books of an account, and shows how far it has come. It stays open meanwhile. */
export function CompareDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(DIFFERENCE_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const [target, setTarget] = useState<Partial<Target>>({});
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { account = '', environment = 'production' } = target;
  const { data } = useQuery({ ...createProgressQuery({ account, environment }), enabled: account !== '' });
  const timeZone = data?.timeZone ?? UTC;
  const action = useAction(
    (reason: string) =>
      callOperation(startAdministeredReconciliation, {
        body: {
          account,
          environment,
          from: toMoment(from, timeZone),
          ...(to !== '' && { to: toMoment(to, timeZone) }),
          reason,
        },
      }),
    { refreshes: [[ADMINISTRATION]] },
  );
  return (
    <ChangeDialog
      title={text('compareTitle')}
      label={text('compare')}
      action={action}
      members={['from', 'to']}
      onClose={onClose}
    >
      <p>{text('compareText')}</p>
      <TargetChoice target={target} emptyLabel={shared('chooseAccount')} onChange={setTarget} />
      <TextField
        label={text('from')}
        type="date"
        required
        value={from}
        error={findError(action.problem, 'from')}
        onValueChange={setFrom}
      />
      <TextField
        label={text('to')}
        type="date"
        value={to}
        hint={text('toHint')}
        error={findError(action.problem, 'to')}
        onValueChange={setTo}
      />
      {account !== '' && <Progress target={{ account, environment }} />}
    </ChangeDialog>
  );
}

/** The first moment of a day of the account, as its books have days; an empty field is refused by the service. */
function toMoment(day: string, timeZone: string): string {
  return day === '' ? '' : toZonedMoment(day, timeZone).toISOString();
}

const REFRESH_MS = 3_000;

function createProgressQuery(target: Target) {
  return queryOptions({
    queryKey: [ADMINISTRATION, 'reconciliation', target],
    queryFn: ({ signal }) => callOperation(readAdministeredReconciliation, { query: target, signal }),
  });
}

function Progress({ target }: { target: Target }): ReactNode {
  const text = useMessages(DIFFERENCE_MESSAGES);
  const language = useLanguage();
  const query = useQuery({ ...createProgressQuery(target), refetchInterval: REFRESH_MS });
  return (
    <section aria-label={text('progress')}>
      <QueryBoundary query={query} rows={3}>
        {({ reconciledTo, requestedFrom, requestedTo, listError, uncomparedDays }) => (
          <Facts
            facts={[
              [text('reconciledTo'), reconciledTo === undefined ? text('never') : formatMoment(reconciledTo, language)],
              [
                text('requested'),
                requestedFrom === undefined || requestedTo === undefined
                  ? text('nothing')
                  : `${formatMoment(requestedFrom, language)} – ${formatMoment(requestedTo, language)}`,
              ],
              ...(listError === undefined ? [] : [[text('listError'), listError] as const]),
              [
                text('uncompared'),
                uncomparedDays.length === 0
                  ? text('nothing')
                  : uncomparedDays.map(({ day, acquirer, reason }) => `${day} ${acquirer}: ${text(reason)}`).join('; '),
              ],
            ]}
          />
        )}
      </QueryBoundary>
    </section>
  );
}

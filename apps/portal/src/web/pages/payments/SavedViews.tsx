import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listPaymentViews } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../../client/call-operation.js';
import { PAYMENT_VIEWS } from '../../client/queries.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { DeleteViewDialog } from './DeleteViewDialog.js';
import { PaymentFilter } from './payment-filter.js';
import classes from './saved-views.module.css';
import { VIEW_MESSAGES } from './view-messages.js';
import { ViewNameDialog } from './ViewNameDialog.js';

interface SavedViewsProps {
  readonly filter: PaymentFilter;
  readonly onChoose: (filter: PaymentFilter) => void;
}

type OpenDialog = 'save' | 'rename' | 'delete';

/** The named filters of the user. The chosen one can be renamed and deleted; a filter without a name can be saved. */
export function SavedViews({ filter, onChoose }: SavedViewsProps): ReactNode {
  const text = useMessages(VIEW_MESSAGES);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { data: views = [], error } = useQuery({
    queryKey: [PAYMENT_VIEWS],
    queryFn: ({ signal }) => callOperation(listPaymentViews, { signal }),
  });
  const isPlain = PaymentFilter.isSameView(filter, {});
  const chosen = views.find((view) => PaymentFilter.isSameView(PaymentFilter.parse(view.filter), filter));
  const close = (): void => setDialog(null);
  return (
    <div className={classes['bar']}>
      {error instanceof RequestProblem && <ProblemNote problem={error.problem} />}
      {views.length > 0 && (
        <nav aria-label={text('views')} className={classes['views']}>
          <ViewLink filter={{}} isChosen={isPlain}>
            {text('all')}
          </ViewLink>
          {views.map((view) => (
            <ViewLink key={view.id} filter={PaymentFilter.parse(view.filter)} isChosen={view === chosen}>
              {view.name}
            </ViewLink>
          ))}
        </nav>
      )}
      {chosen === undefined && !isPlain && (
        <Button kind="quiet" onClick={() => setDialog('save')}>
          {text('save')}
        </Button>
      )}
      {chosen !== undefined && (
        <>
          <Button kind="quiet" onClick={() => setDialog('rename')}>
            {text('rename')}
          </Button>
          <Button kind="quiet" onClick={() => setDialog('delete')}>
            {text('delete')}
          </Button>
        </>
      )}
      {dialog === 'save' && <ViewNameDialog filter={PaymentFilter.toView(filter)} onClose={close} />}
      {dialog === 'rename' && chosen !== undefined && (
        <ViewNameDialog filter={chosen.filter} view={chosen} onClose={close} />
      )}
      {dialog === 'delete' && chosen !== undefined && (
        <DeleteViewDialog view={chosen} onDeleted={() => onChoose({})} onClose={close} />
      )}
    </div>
  );
}

interface ViewLinkProps {
  readonly filter: PaymentFilter;
  readonly isChosen: boolean;
  readonly children: ReactNode;
}

/** A link, so that a view can be opened in another tab and sent to a colleague. */
function ViewLink({ filter, isChosen, children }: ViewLinkProps): ReactNode {
  return (
    <Link
      to="/payments"
      search={filter}
      className={classes['view'] ?? ''}
      activeProps={{}}
      data-chosen={isChosen || undefined}
      aria-current={isChosen ? 'true' : undefined}
    >
      {children}
    </Link>
  );
}

import { Badge, Button, ModalDialog } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { activateSecret, createSecret, deleteSecret } from '@pos/rest-contracts/webhooks';
import { type ReactNode, useState } from 'react';
import type { SecretAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { usePermission } from '../../../client/session-query.js';
import { Card } from '../../../components/Card.js';
import { DataTable } from '../../../components/DataTable.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { SECRET_MESSAGES } from './secret-messages.js';
import classes from './webhooks.module.css';

interface SigningSecretsProps {
  readonly subscriptionId: string;
  readonly secrets: readonly SecretAnswer[];
}

/** The secrets of a subscription, and the steps to replace one while two are valid. */
export function SigningSecrets({ subscriptionId, secrets }: SigningSecretsProps): ReactNode {
  const text = useMessages(SECRET_MESSAGES);
  const mayWrite = usePermission('webhooks.write');
  const [removing, setRemoving] = useState<SecretAnswer | null>(null);
  const params = { subscriptionId };
  const refreshes = [[WEBHOOKS]];
  const adding = useAction((_: null, idempotencyKey) => callOperation(createSecret, { params, idempotencyKey }), {
    refreshes,
  });
  const activating = useAction(
    (secretId: string, idempotencyKey) =>
      callOperation(activateSecret, { params: { ...params, secretId }, idempotencyKey }),
    { refreshes },
  );
  const columns = (['id', 'state', 'lastUsed'] as const).map((name) => ({ name: text(name) }));
  return (
    <Card title={text('secrets')}>
      <p className={classes['note']}>{text('secretsText')}</p>
      <ProblemNote problem={adding.problem ?? activating.problem} />
      <DataTable label={text('secrets')} columns={columns} hasActions={mayWrite}>
        {secrets.map((secret) => (
          <SecretRow
            key={secret.id}
            secret={secret}
            actions={
              mayWrite && (
                <td>
                  {!secret.isActive && (
                    <>
                      <Button
                        kind="quiet"
                        isBusy={activating.isBusy}
                        aria-label={`${text('activate')}: ${secret.id}`}
                        onClick={() => void activating.run(secret.id)}
                      >
                        {text('activate')}
                      </Button>
                      <Button
                        kind="quiet"
                        aria-label={`${text('remove')}: ${secret.id}`}
                        onClick={() => setRemoving(secret)}
                      >
                        {text('remove')}
                      </Button>
                    </>
                  )}
                </td>
              )
            }
          />
        ))}
      </DataTable>
      {mayWrite && (
        <div className={classes['below']}>
          <Button isBusy={adding.isBusy} onClick={() => void adding.run(null)}>
            {text('add')}
          </Button>
        </div>
      )}
      {removing !== null && (
        <RemoveDialog subscriptionId={subscriptionId} secret={removing} onClose={() => setRemoving(null)} />
      )}
    </Card>
  );
}

/** The value is hidden until it is asked for: somebody may look at the screen. */
function SecretRow({ secret, actions }: { secret: SecretAnswer; actions: ReactNode }): ReactNode {
  const text = useMessages(SECRET_MESSAGES);
  const language = useLanguage();
  const [isShown, setShown] = useState(false);
  const { id, value, standardValue, isActive, lastUsedAt } = secret;
  return (
    <tr>
      <td>
        <code>{isShown ? value : `${id.slice(0, 9)}…`}</code>{' '}
        <Button
          kind="quiet"
          aria-label={`${text(isShown ? 'hide' : 'show')}: ${id}`}
          onClick={() => setShown(!isShown)}
        >
          {text(isShown ? 'hide' : 'show')}
        </Button>
        {isShown && standardValue !== undefined && (
          <p className={classes['note']}>
            {text('standard')} <code>{standardValue}</code>
          </p>
        )}
      </td>
      <td>
        <Badge tone={isActive ? 'positive' : 'neutral'}>{text(isActive ? 'signs' : 'waits')}</Badge>
      </td>
      <td>{lastUsedAt === undefined ? text('never') : formatMoment(lastUsedAt, language)}</td>
      {actions}
    </tr>
  );
}

interface RemoveDialogProps {
  readonly subscriptionId: string;
  readonly secret: SecretAnswer;
  readonly onClose: () => void;
}

function RemoveDialog({ subscriptionId, secret, onClose }: RemoveDialogProps): ReactNode {
  const text = useMessages(SECRET_MESSAGES);
  const action = useAction(
    (secretId: string, idempotencyKey) =>
      callOperation(deleteSecret, { params: { subscriptionId, secretId }, idempotencyKey }),
    { refreshes: [[WEBHOOKS]], onDone: onClose },
  );
  return (
    <ModalDialog
      title={text('removeTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(secret.id)}>
            {text('remove')}
          </Button>
        </>
      }
    >
      <p>{text('removeText')}</p>
      <code>{secret.id}</code>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}

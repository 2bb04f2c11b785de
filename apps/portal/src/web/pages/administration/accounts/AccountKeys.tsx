import { Button, TextField } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { changeAdministeredKey, createAdministeredKey, revokeAdministeredKey } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable } from '../../../components/DataTable.js';
import { KEY_STRICTNESS_MESSAGES } from '../../../components/api-keys/key-strictness-messages.js';
import { HeldPermissions } from '../../../components/api-keys/HeldPermissions.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { ACCOUNT_MESSAGES } from './account-messages.js';
import type { AccountDetailsAnswer } from '../administration-answers.js';
import parts from '../../../components/page-parts.module.css';
import classes from '../administration.module.css';
import { ChangeDialog } from '../ChangeDialog.js';
import { FULL_ROLE, KeyPermissions } from '../../../components/api-keys/KeyPermissions.js';
import { useShowSecret } from '../../../components/SecretOnce.js';
import type { Target } from '../target.js';
import { ADMINISTRATION } from '../../../client/queries.js';

type Key = AccountDetailsAnswer['keys'][number];

/** The API keys of an account in an environment. */
export function AccountKeys({ keys, target }: Pick<AccountDetailsAnswer, 'keys'> & { target: Target }): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const strictness = useMessages(KEY_STRICTNESS_MESSAGES);
  const language = useLanguage();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [changing, setChanging] = useState<Key | null>(null);
  const columns = [
    ...[text('label'), text('permissions'), strictness('unknownMembers')],
    ...[text('key'), text('created'), text('lastUsed')],
  ].map((name) => ({ name }));
  return (
    <section>
      <div className={classes['head']}>
        <h2 className={parts['title']}>{text('keys')}</h2>
        <Button onClick={() => setCreating(true)}>{text('createKey')}</Button>
      </div>
      {keys.length === 0 ? (
        <p>{text('noKeys')}</p>
      ) : (
        <DataTable label={text('keys')} columns={columns} hasActions>
          {keys.map((key) => (
            <tr key={key.id}>
              <td>{key.label}</td>
              <td>
                <HeldPermissions permissions={key.permissions} />
              </td>
              <td>{strictness(key.strict ? 'strict' : 'lenient')}</td>
              <td>
                <code>
                  {key.prefix}…{key.last4}
                </code>
              </td>
              <td>{formatMoment(key.createdAt, language)}</td>
              <td>{key.lastUsedAt === undefined ? text('never') : formatMoment(key.lastUsedAt, language)}</td>
              <td>
                <Button
                  kind="quiet"
                  aria-label={strictness(key.strict ? 'makeLenientOf' : 'makeStrictOf', { label: key.label })}
                  onClick={() => setChanging(key)}
                >
                  {strictness(key.strict ? 'makeLenient' : 'makeStrict')}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={text('revokeOf', { label: key.label })}
                  onClick={() => setRevoking(key)}
                >
                  {text('revoke')}
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {isCreating && <CreateKeyDialog target={target} onClose={() => setCreating(false)} />}
      {changing !== null && <StrictnessDialog apiKey={changing} target={target} onClose={() => setChanging(null)} />}
      {revoking !== null && <RevokeDialog apiKey={revoking} target={target} onClose={() => setRevoking(null)} />}
    </section>
  );
}

function CreateKeyDialog({ target, onClose }: { target: Target; onClose: () => void }): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState(FULL_ROLE);
  const showSecret = useShowSecret();
  const action = useAction(
    (reason: string) => callOperation(createAdministeredKey, { body: { ...target, label, ...chosen, reason } }),
    {
      refreshes: [[ADMINISTRATION]],
      onDone: (created) => {
        showSecret({ title: text('keyOnceTitle'), secret: created.text, children: text('keyOnceText') });
        onClose();
      },
    },
  );
  return (
    <ChangeDialog
      title={text('createKey')}
      label={text('createKey')}
      action={action}
      members={['label']}
      onClose={onClose}
    >
      <TextField
        label={text('label')}
        required
        value={label}
        hint={text('labelHint')}
        error={findError(action.problem, 'label')}
        onValueChange={setLabel}
      />
      <KeyPermissions chosen={chosen} onChange={setChosen} />
    </ChangeDialog>
  );
}

interface KeyDialogProps {
  readonly apiKey: Key;
  readonly target: Target;
  readonly onClose: () => void;
}

function RevokeDialog({ apiKey, target, onClose }: KeyDialogProps): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const action = useAction(
    (reason: string) => callOperation(revokeAdministeredKey, { body: { ...target, key: apiKey.id, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog title={text('revokeTitle')} label={text('revoke')} isDangerous action={action} onClose={onClose}>
      <p>{text('revokeText', { label: apiKey.label })}</p>
    </ChangeDialog>
  );
}

function StrictnessDialog({ apiKey, target, onClose }: KeyDialogProps): ReactNode {
  const text = useMessages(KEY_STRICTNESS_MESSAGES);
  const body = { ...target, key: apiKey.id, strict: !apiKey.strict };
  const action = useAction((reason: string) => callOperation(changeAdministeredKey, { body: { ...body, reason } }), {
    refreshes: [[ADMINISTRATION]],
    onDone: onClose,
  });
  const label = text(apiKey.strict ? 'makeLenient' : 'makeStrict');
  return (
    <ChangeDialog title={label} label={label} action={action} onClose={onClose}>
      <p>{text(apiKey.strict ? 'makeLenientText' : 'makeStrictText', { label: apiKey.label })}</p>
    </ChangeDialog>
  );
}

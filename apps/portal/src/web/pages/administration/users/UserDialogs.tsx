import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import {
  changeAdministeredUserStatus,
  createAdministeredUser,
  endAdministeredSessions,
  resetAdministeredPassword,
  resetAdministeredSecondFactor,
  revokeAdministeredRole,
  unlockAdministeredUser,
} from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { AddRoleDialog } from './AddRoleDialog.js';
import type { UserAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { ChangeDialog } from '../ChangeDialog.js';
import { useShowSecret } from '../../../components/SecretOnce.js';
import type { Target } from '../target.js';
import { USER_MESSAGES } from './user-messages.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** Creates a user, and shows the password once. */
export function CreateUserDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [isOperator, setOperator] = useState(false);
  const showPassword = useShowPassword(onClose);
  const action = useAction(
    (reason: string) => callOperation(createAdministeredUser, { body: { email, name, isOperator, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: showPassword },
  );
  return (
    <ChangeDialog
      title={text('create')}
      label={text('create')}
      action={action}
      members={['email', 'name']}
      onClose={onClose}
    >
      <TextField
        label={text('email')}
        type="email"
        required
        value={email}
        error={findError(action.problem, 'email')}
        onValueChange={setEmail}
      />
      <TextField
        label={text('name')}
        required
        value={name}
        error={findError(action.problem, 'name')}
        onValueChange={setName}
      />
      <label className={classes['check']}>
        <input type="checkbox" checked={isOperator} onChange={({ target }) => setOperator(target.checked)} />
        {text('isOperator')}
      </label>
    </ChangeDialog>
  );
}

/** Returns what shows the new password of a user, and closes the form. */
function useShowPassword(onClose: () => void): (answer: { readonly password: string }) => void {
  const text = useMessages(USER_MESSAGES);
  const showSecret = useShowSecret();
  return ({ password }) => {
    showSecret({ title: text('passwordTitle'), secret: password, children: text('passwordText') });
    onClose();
  };
}

/** What an operator does with a user. */
export type UserChange =
  | {
      readonly kind: 'disable' | 'enable' | 'password' | 'factors' | 'unlock' | 'endSessions' | 'addRole';
      readonly user: UserAnswer;
    }
  | { readonly kind: 'removeRole'; readonly user: UserAnswer; readonly target: Target };

interface UserChangeDialogProps {
  readonly change: UserChange;
  readonly onClose: () => void;
}

export function UserChangeDialog({ change, onClose }: UserChangeDialogProps): ReactNode {
  const { kind, user } = change;
  if (kind === 'addRole') return <AddRoleDialog user={user} onClose={onClose} />;
  if (kind === 'removeRole') return <RemoveRoleDialog user={user} target={change.target} onClose={onClose} />;
  if (kind === 'password') return <PasswordDialog user={user} onClose={onClose} />;
  if (kind === 'factors') return <SecondFactorDialog user={user} onClose={onClose} />;
  if (kind === 'unlock' || kind === 'endSessions') return <SignInDialog user={user} kind={kind} onClose={onClose} />;
  return <StatusDialog user={user} kind={kind} onClose={onClose} />;
}

interface UserDialogProps {
  readonly user: UserAnswer;
  readonly onClose: () => void;
}

function StatusDialog({ user, kind, onClose }: UserDialogProps & { kind: 'disable' | 'enable' }): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const { email } = user;
  const status = kind === 'enable' ? 'Active' : 'Disabled';
  const action = useAction(
    (reason: string) => callOperation(changeAdministeredUserStatus, { body: { email, status, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text(`${kind}Of`, { email })}
      label={text(kind)}
      isDangerous={kind === 'disable'}
      action={action}
      onClose={onClose}
    >
      <p>{text(`${kind}Text`)}</p>
    </ChangeDialog>
  );
}

function SignInDialog({
  user: { email },
  kind,
  onClose,
}: UserDialogProps & { kind: 'unlock' | 'endSessions' }): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const send = (reason: string): Promise<undefined> =>
    kind === 'unlock'
      ? callOperation(unlockAdministeredUser, { body: { email, reason } })
      : callOperation(endAdministeredSessions, { body: { email, reason } });
  const action = useAction(send, {
    refreshes: [[ADMINISTRATION]],
    onDone: onClose,
  });
  return (
    <ChangeDialog title={text(`${kind}Of`, { email })} label={text(kind)} action={action} onClose={onClose}>
      <p>{text(`${kind}Text`)}</p>
    </ChangeDialog>
  );
}

function PasswordDialog({ user: { email }, onClose }: UserDialogProps): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const showPassword = useShowPassword(onClose);
  const action = useAction((reason: string) => callOperation(resetAdministeredPassword, { body: { email, reason } }), {
    refreshes: [[ADMINISTRATION]],
    onDone: showPassword,
  });
  return (
    <ChangeDialog
      title={text('passwordOf', { email })}
      label={text('password')}
      isDangerous
      action={action}
      onClose={onClose}
    >
      <p>{text('resetText')}</p>
    </ChangeDialog>
  );
}

function SecondFactorDialog({ user: { email }, onClose }: UserDialogProps): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const action = useAction(
    (reason: string) => callOperation(resetAdministeredSecondFactor, { body: { email, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text('factorsOf', { email })}
      label={text('factors')}
      isDangerous
      action={action}
      onClose={onClose}
    >
      <p>{text('factorsText')}</p>
    </ChangeDialog>
  );
}

function RemoveRoleDialog({ user: { email }, target, onClose }: UserDialogProps & { target: Target }): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const action = useAction(
    (reason: string) => callOperation(revokeAdministeredRole, { body: { email, ...target, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog title={text('removeRole')} label={text('removeRole')} isDangerous action={action} onClose={onClose}>
      <p>{email}</p>
    </ChangeDialog>
  );
}

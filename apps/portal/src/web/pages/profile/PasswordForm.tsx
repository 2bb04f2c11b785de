import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { changePortalPassword } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation, type ReceivedProblem } from '../../client/call-operation.js';
import { OWN_SESSIONS, SESSION } from '../../client/queries.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import classes from './profile.module.css';
import { PROFILE_MESSAGES } from './profile-messages.js';

interface Passwords {
  readonly presentPassword: string;
  readonly password: string;
}

const NONE = { presentPassword: '', password: '', repeated: '' };

/** Asks for the present password and the new one, twice. */
export function PasswordForm({ email }: { email: string }): ReactNode {
  const text = useMessages(PROFILE_MESSAGES);
  const [entered, setEntered] = useState(NONE);
  const [isDifferent, setDifferent] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const action = useAction((body: Passwords) => callOperation(changePortalPassword, { body }), {
    refreshes: [[SESSION], [OWN_SESSIONS]],
  });
  const { problem } = action;
  const submit = async (): Promise<void> => {
    const { presentPassword, password, repeated } = entered;
    setChanged(false);
    setDifferent(password !== repeated);
    if (password !== repeated) {
      action.clear();
      return;
    }
    if (!(await action.run({ presentPassword, password }))) return;
    setEntered(NONE);
    setChanged(true);
  };
  const isWrong = problem?.reason === 'sign_in_refused';
  const isShownAtField = isWrong || problem?.errors['password'] !== undefined;
  const renderField = (
    name: keyof typeof NONE,
    label: string,
    more: { error?: ReactNode; hint?: string },
  ): ReactNode => (
    <TextField
      label={label}
      type="password"
      autoComplete={name === 'presentPassword' ? 'current-password' : 'new-password'}
      required
      value={entered[name]}
      onValueChange={(value) => setEntered({ ...entered, [name]: value })}
      {...more}
    />
  );
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {/* For password managers, which store the new one under it. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {renderField('presentPassword', text('presentPassword'), { error: isWrong ? text('wrongPresent') : undefined })}
      {renderField('password', text('newPassword'), { error: listFaults(problem), hint: text('rules') })}
      {renderField('repeated', text('repeatPassword'), { error: isDifferent ? text('notSame') : undefined })}
      {!isShownAtField && <ProblemNote problem={problem} />}
      <div>
        <Button kind="primary" type="submit" isBusy={action.isBusy}>
          {text('changePassword')}
        </Button>
      </div>
      <p role="status" className={classes['done']}>
        {isChanged && text('changed')}
      </p>
    </form>
  );
}

/** All that is wrong with the new password. */
function listFaults(problem: ReceivedProblem | null): ReactNode {
  const faults = problem?.errors['password'] ?? [];
  if (problem === null || faults.length === 0) return undefined;
  return faults.map((fault) => (
    <span key={fault} className={classes['fault']}>
      {findError({ ...problem, errors: { password: [fault] } }, 'password')}
    </span>
  ));
}

import { MEMBER_ROLES, type MemberRole } from '@pos/core/identity';
import { useMessages } from '@pos/web-ui/messages';
import { grantAdministeredRole } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { useAction } from '../../../components/use-action.js';
import type { UserAnswer } from '../administration-answers.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import { ChangeDialog } from '../ChangeDialog.js';
import { Choice } from '../../../components/Choice.js';
import type { Target } from '../target.js';
import { TargetChoice } from '../TargetChoice.js';
import { USER_MESSAGES } from './user-messages.js';
import { ADMINISTRATION } from '../../../client/queries.js';

interface AddRoleDialogProps {
  readonly user: UserAnswer;
  readonly onClose: () => void;
}

/** Gives a user a role in an account. */
export function AddRoleDialog({ user: { email }, onClose }: AddRoleDialogProps): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const [target, setTarget] = useState<Partial<Target>>({});
  const [role, setRole] = useState<MemberRole>('support');
  const { account = '', environment = 'production' } = target;
  const action = useAction(
    (reason: string) => callOperation(grantAdministeredRole, { body: { email, account, environment, role, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog title={text('addRoleOf', { email })} label={text('addRole')} action={action} onClose={onClose}>
      <p>{text('addRoleText')}</p>
      <TargetChoice target={target} emptyLabel={shared('chooseAccount')} onChange={setTarget} />
      <Choice
        label={text('role')}
        value={role}
        options={MEMBER_ROLES.map((each) => [each, text(each)])}
        onChange={setRole}
      />
    </ChangeDialog>
  );
}

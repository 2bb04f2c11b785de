import { PARTNER_KINDS, type PartnerKind } from '@pos/core/accounts';
import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { changeAdministeredPartnerStatus, registerAdministeredPartner } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { Choice } from '../../../components/Choice.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import type { PartnerAnswer } from '../administration-answers.js';
import { ChangeDialog } from '../ChangeDialog.js';
import { PARTNER_MESSAGES } from './partner-messages.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const FIELDS = ['id', 'name', 'contact'] as const;

/** Registers a software house or a reseller. */
export function RegisterPartnerDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(PARTNER_MESSAGES);
  const [kind, setKind] = useState<PartnerKind>('software-house');
  const [values, setValues] = useState({ id: '', name: '', contact: '' });
  const action = useAction(
    (reason: string) => {
      const { contact, ...required } = values;
      const body = { kind, ...required, ...(contact !== '' && { contact }), reason };
      return callOperation(registerAdministeredPartner, { body });
    },
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text('register')}
      label={text('register')}
      action={action}
      members={['kind', ...FIELDS]}
      onClose={onClose}
    >
      <Choice
        label={text('kind')}
        value={kind}
        options={PARTNER_KINDS.map((each) => [each, text(each)] as const)}
        onChange={setKind}
      />
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={text(name)}
          required={name !== 'contact'}
          value={values[name]}
          hint={name === 'id' ? text('idHint') : undefined}
          error={findError(action.problem, name)}
          onValueChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
    </ChangeDialog>
  );
}

interface PartnerStatusDialogProps {
  readonly partner: PartnerAnswer;
  readonly onClose: () => void;
}

/** Retires a partner, or makes it active again. */
export function PartnerStatusDialog({ partner: { kind, id, status }, onClose }: PartnerStatusDialogProps): ReactNode {
  const text = useMessages(PARTNER_MESSAGES);
  const change = status === 'Active' ? 'retire' : 'reactivate';
  const newStatus = status === 'Active' ? 'Retired' : 'Active';
  const action = useAction(
    (reason: string) =>
      callOperation(changeAdministeredPartnerStatus, { body: { kind, id, status: newStatus, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text(`${change}Of`, { id })}
      label={text(change)}
      isDangerous={change === 'retire'}
      action={action}
      onClose={onClose}
    >
      <p>{text(`${change}Text`)}</p>
    </ChangeDialog>
  );
}

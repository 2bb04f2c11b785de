import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { createAdministeredAccount } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { ACCOUNT_MESSAGES } from './account-messages.js';
import { ChangeDialog } from '../ChangeDialog.js';
import { TimeZoneField } from './TimeZoneField.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const FIELDS = ['name', 'tradingName', 'merchantId', 'currencies', 'site', 'phoneNumber'] as const;
type FieldName = (typeof FIELDS)[number];
const HINTS = { merchantId: 'merchantIdHint', currencies: 'currenciesHint' } as const;
const OPTIONAL: ReadonlySet<FieldName> = new Set(['site', 'phoneNumber']);

/** Creates an account. */
export function CreateAccountDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const [values, setValues] = useState<Readonly<Record<FieldName, string>>>({
    ...{ name: '', tradingName: '', merchantId: '', currencies: 'GBP', site: '', phoneNumber: '' },
  });
  const [timeZone, setTimeZone] = useState('UTC');
  const action = useAction(
    (reason: string) => callOperation(createAdministeredAccount, { body: { ...toRequest(values), timeZone, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text('create')}
      label={text('create')}
      action={action}
      members={[...FIELDS, 'timeZone', ...findMembersOf(action.problem?.errors)]}
      onClose={onClose}
    >
      <p>{text('createText')}</p>
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={text(name)}
          required={!OPTIONAL.has(name)}
          value={values[name]}
          hint={name in HINTS ? text(HINTS[name as keyof typeof HINTS]) : undefined}
          error={findError(action.problem, name, ...findMembersOf(action.problem?.errors, name))}
          onValueChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <TimeZoneField
        required
        value={timeZone}
        error={findError(action.problem, 'timeZone')}
        onValueChange={setTimeZone}
      />
    </ChangeDialog>
  );
}

/** Members inside a list, such as `currencies[1]`. */
function findMembersOf(errors: Readonly<Record<string, unknown>> = {}, name = 'currencies'): string[] {
  return Object.keys(errors).filter((member) => member.startsWith(`${name}[`) || member.startsWith(`${name}.`));
}

function toRequest({
  name,
  tradingName,
  merchantId,
  currencies,
  site,
  phoneNumber,
}: Readonly<Record<FieldName, string>>) {
  return {
    ...{ name, tradingName, merchantId },
    currencies: currencies
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    ...(site !== '' && { site }),
    ...(phoneNumber !== '' && { phoneNumber }),
  };
}

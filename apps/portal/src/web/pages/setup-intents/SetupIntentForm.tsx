import { Button, TextField } from '@pos/web-ui/components';
import { parseAmount } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { createSetupIntent } from '@pos/rest-contracts/setup-intents';
import { type ReactNode, useId, useState } from 'react';
import type { SetupIntentAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { Card } from '../../components/Card.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { type Action, useAction } from '../../components/use-action.js';
import { SETUP_MESSAGES } from './setup-messages.js';
import type { CreatedSetup } from './SetupLink.js';
import group from '../../components/choice-group.module.css';
import classes from './setup-intents.module.css';

type LaterCharge = SetupIntentAnswer['merchantInitiatedTransactionType'];

interface SetupRequest {
  readonly reference: string;
  readonly merchantInitiatedTransactionType: LaterCharge;
  readonly terms: string;
  readonly intendedAmount?: { readonly value: number; readonly currencyCode: string };
}

/** Members whose fields show why their values were refused. */
const MEMBERS = [
  'intendedAmount',
  'intendedAmount.value',
  'intendedAmount.currencyCode',
  'reference',
  'terms',
] as const;

const FIRST = { amount: '', currencyCode: 'GBP', reference: '', terms: '', later: 'NoShow' as LaterCharge };
type Fields = typeof FIRST;

interface FieldProps {
  readonly fields: Fields;
  readonly action: Action<SetupRequest>;
  readonly onChange: (change: Partial<Fields>) => void;
}

/** The form of a new setup intent. */
export function SetupIntentForm({ onCreated }: { onCreated: (created: CreatedSetup) => void }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const language = useLanguage();
  const [fields, setFields] = useState(FIRST);
  const [isWrongAmount, setWrongAmount] = useState(false);
  const action = useAction(
    (body: SetupRequest, idempotencyKey) => callOperation(createSetupIntent, { body, idempotencyKey }),
    { refreshes: [], onDone: ({ id, setupLink = '' }) => onCreated({ id, link: setupLink }) },
  );
  const onChange = (change: Partial<Fields>): void => setFields((before) => ({ ...before, ...change }));
  const submit = (): void => {
    const { amount, currencyCode, reference, terms, later } = fields;
    const value = amount.trim() === '' ? undefined : parseAmount(amount, currencyCode, language);
    setWrongAmount(value === null);
    if (value === null) return;
    void action.run({
      ...{ reference, terms, merchantInitiatedTransactionType: later },
      ...(value !== undefined && { intendedAmount: { value, currencyCode } }),
    });
  };
  return (
    <Card title={text('create')}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) submit();
        }}
      >
        {findError(action.problem, ...MEMBERS) === undefined && <ProblemNote problem={action.problem} />}
        <TextField
          label={text('reference')}
          required
          maxLength={60}
          value={fields.reference}
          hint={text('referenceHint')}
          error={findError(action.problem, 'reference')}
          onValueChange={(reference) => onChange({ reference })}
        />
        <LaterChoice fields={fields} action={action} onChange={onChange} />
        <AmountFields fields={fields} action={action} onChange={onChange} isWrong={isWrongAmount} />
        <TermsField fields={fields} action={action} onChange={onChange} />
        <div>
          <Button kind="primary" type="submit" isBusy={action.isBusy}>
            {text('create')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function AmountFields({ fields, action, onChange, isWrong }: FieldProps & { readonly isWrong: boolean }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const refused = findError(action.problem, 'intendedAmount', 'intendedAmount.value');
  return (
    <div className={classes['pair']}>
      <TextField
        label={text('amount')}
        inputMode="decimal"
        value={fields.amount}
        hint={text('amountHint')}
        error={isWrong ? text('amountInvalid') : refused}
        onValueChange={(amount) => onChange({ amount })}
      />
      <TextField
        label={text('currency')}
        value={fields.currencyCode}
        maxLength={3}
        error={findError(action.problem, 'intendedAmount.currencyCode')}
        onValueChange={(value) => onChange({ currencyCode: value.toUpperCase() })}
      />
    </div>
  );
}

function LaterChoice({ fields, onChange }: FieldProps): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  return (
    <fieldset className={group['group']}>
      <legend>{text('reason')}</legend>
      {(['NoShow', 'Unscheduled'] as const).map((later) => (
        <label key={later}>
          <input type="radio" name="later" checked={fields.later === later} onChange={() => onChange({ later })} />
          {text(later)}
        </label>
      ))}
    </fieldset>
  );
}

function TermsField({ fields, action, onChange }: FieldProps): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const id = useId();
  const error = findError(action.problem, 'terms');
  return (
    <div className={classes['terms']}>
      <label htmlFor={id}>{text('terms')}</label>
      <textarea
        id={id}
        required
        value={fields.terms}
        aria-describedby={`${id}-hint`}
        aria-invalid={error !== undefined}
        onChange={({ target }) => onChange({ terms: target.value })}
      />
      <p id={`${id}-hint`} className={classes[error === undefined ? 'hint' : 'error']}>
        {error ?? text('termsHint')}
      </p>
    </div>
  );
}

import { Button, TextField } from '@pos/web-ui/components';
import { parseAmount } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENTS } from '../../client/queries.js';
import { Card } from '../../components/Card.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { LINK_MESSAGES } from './link-messages.js';
import group from '../../components/choice-group.module.css';
import classes from './payment-links.module.css';

type CaptureMode = 'Auto' | 'Manual';

interface LinkRequest {
  readonly amount: { readonly value: number; readonly currencyCode: string };
  readonly reference: string;
  readonly description?: string;
  readonly captureMode: CaptureMode;
  /** The merchant enters the card for a payer who is not there. */
  readonly cardHolderNotPresent: boolean;
}

/** Members whose fields show why their values were refused. */
const MEMBERS = ['amount', 'amount.value', 'amount.currencyCode', 'reference', 'description'] as const;

/** The form of a new link. */
export function LinkForm({ onCreated }: { onCreated: (created: { id: string; link: string }) => void }): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  const language = useLanguage();
  const [amount, setAmount] = useState('');
  const [currencyCode, setCurrency] = useState('GBP');
  const [reference, setReference] = useState('');
  const [description, setDescription] = useState('');
  const [captureMode, setCaptureMode] = useState<CaptureMode>('Auto');
  const [isKeyed, setKeyed] = useState(false);
  const [mistake, setMistake] = useState<string | undefined>(undefined);
  const action = useAction(
    (body: LinkRequest, idempotencyKey) => callOperation(createPaymentIntent, { body, idempotencyKey }),
    { refreshes: [[PAYMENTS]], onDone: ({ id, paymentLink = '' }) => onCreated({ id, link: paymentLink }) },
  );
  const submit = (): void => {
    const value = parseAmount(amount, currencyCode, language);
    setMistake(value === null ? text('amountInvalid') : undefined);
    if (value === null) return;
    void action.run({
      ...{ amount: { value, currencyCode }, reference, captureMode, cardHolderNotPresent: isKeyed },
      ...(description !== '' && { description }),
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
        <AmountFields
          amount={amount}
          currencyCode={currencyCode}
          errors={{
            amount: mistake ?? findError(action.problem, 'amount', 'amount.value'),
            currencyCode: findError(action.problem, 'amount.currencyCode'),
          }}
          onAmountChange={setAmount}
          onCurrencyChange={setCurrency}
        />
        <TextField
          label={text('reference')}
          required
          value={reference}
          hint={text('referenceHint')}
          error={findError(action.problem, 'reference')}
          onValueChange={setReference}
        />
        <TextField
          label={text('description')}
          value={description}
          error={findError(action.problem, 'description')}
          onValueChange={setDescription}
        />
        <CaptureChoice mode={captureMode} onChange={setCaptureMode} />
        <KeyedChoice isKeyed={isKeyed} onChange={setKeyed} />
        <div>
          <Button kind="primary" type="submit" isBusy={action.isBusy}>
            {text('create')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface AmountFieldsProps {
  readonly amount: string;
  readonly currencyCode: string;
  readonly errors: { readonly amount: ReactNode; readonly currencyCode: ReactNode };
  readonly onAmountChange: (amount: string) => void;
  readonly onCurrencyChange: (currencyCode: string) => void;
}

function AmountFields({
  amount,
  currencyCode,
  errors,
  onAmountChange,
  onCurrencyChange,
}: AmountFieldsProps): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  return (
    <div className={classes['pair']}>
      <TextField
        label={text('amount')}
        inputMode="decimal"
        value={amount}
        error={errors.amount}
        onValueChange={onAmountChange}
      />
      <TextField
        label={text('currency')}
        value={currencyCode}
        maxLength={3}
        error={errors.currencyCode}
        onValueChange={(value) => onCurrencyChange(value.toUpperCase())}
      />
    </div>
  );
}

function CaptureChoice({ mode, onChange }: { mode: CaptureMode; onChange: (mode: CaptureMode) => void }): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  return (
    <fieldset className={group['group']}>
      <legend>{text('capture')}</legend>
      {(['Auto', 'Manual'] as const).map((each) => (
        <label key={each}>
          <input type="radio" name="capture" checked={each === mode} onChange={() => onChange(each)} />
          {text(each)}
        </label>
      ))}
    </fieldset>
  );
}

function KeyedChoice({ isKeyed, onChange }: { isKeyed: boolean; onChange: (isKeyed: boolean) => void }): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  return (
    <label className={classes['check']}>
      <input type="checkbox" checked={isKeyed} onChange={({ target }) => onChange(target.checked)} />
      {text('keyed')}
    </label>
  );
}

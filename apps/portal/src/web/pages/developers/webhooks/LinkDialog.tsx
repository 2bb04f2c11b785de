import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { formatMoment } from '@pos/web-ui/format/format-time';
import { useLanguage, useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { createDeliveryLink } from '../../../client/endpoints.js';
import { findError, ProblemNote } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import classes from '../developers.module.css';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';

const MINUTES = [5, 15, 60] as const;

interface LinkDialogProps {
  readonly subscriptionId: string;
  readonly onClose: () => void;
}

/** Creates a short-lived link to the deliveries of a subscription. */
export function LinkDialog({ subscriptionId, onClose }: LinkDialogProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const [origins, setOrigins] = useState('');
  const [payment, setPayment] = useState('');
  const [minutes, setMinutes] = useState(15);
  const [link, setLink] = useState<{ readonly path: string; readonly expiresAt: string } | null>(null);
  const action = useAction(
    (_: null, idempotencyKey) => {
      const frameAncestors = origins.split(/\s+/).filter((origin) => origin !== '');
      const paymentIntentId = payment.trim();
      const expiresIn = minutes === 60 ? '01:00:00' : `00:${String(minutes).padStart(2, '0')}:00`;
      const body = { frameAncestors, expiresIn, ...(paymentIntentId !== '' && { paymentIntentId }) };
      return callOperation(createDeliveryLink, { params: { subscriptionId }, body, idempotencyKey });
    },
    { refreshes: [], onDone: setLink },
  );
  const { problem } = action;
  const originError = Object.entries(problem?.errors ?? {}).find(([name]) => name.startsWith('frameAncestors'))?.[1][0];
  const paymentError =
    problem?.reason === 'payment_intent_not_found' ? problem.detail : findError(problem, 'paymentIntentId');
  if (link !== null) return <CreatedLink {...link} onClose={onClose} />;
  return (
    <ModalDialog
      title={text('link')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('close')}</Button>
          <Button kind="primary" type="submit" form="link-form" isBusy={action.isBusy}>
            {text('createLink')}
          </Button>
        </>
      }
    >
      <p>{text('linkText')}</p>
      <form
        id="link-form"
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(null);
        }}
      >
        <TextField
          label={text('linkOrigins')}
          value={origins}
          hint={text('linkOriginsHint')}
          error={originError}
          onValueChange={setOrigins}
        />
        <TextField
          label={text('linkPayment')}
          value={payment}
          hint={text('linkPaymentHint')}
          error={paymentError}
          onValueChange={setPayment}
        />
        <MinuteChoice minutes={minutes} onChange={setMinutes} />
      </form>
      {originError === undefined && paymentError === undefined && <ProblemNote problem={problem} />}
    </ModalDialog>
  );
}

interface MinuteChoiceProps {
  readonly minutes: number;
  readonly onChange: (minutes: number) => void;
}

function MinuteChoice({ minutes, onChange }: MinuteChoiceProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  return (
    <label className={classes['choice']}>
      {text('linkMinutes')}
      <select value={minutes} onChange={({ target }) => onChange(Number(target.value))}>
        {MINUTES.map((count) => (
          <option key={count} value={count}>
            {text('minutes', { count })}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CreatedLinkProps {
  readonly path: string;
  readonly expiresAt: string;
  readonly onClose: () => void;
}

function CreatedLink({ path, expiresAt, onClose }: CreatedLinkProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const language = useLanguage();
  const [isCopied, setCopied] = useState(false);
  const address = `${window.location.origin}${path}`;
  return (
    <ModalDialog
      title={text('link')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void navigator.clipboard.writeText(address).then(() => setCopied(true))}>
            {text(isCopied ? 'copied' : 'copy')}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {text('close')}
          </Button>
        </>
      }
    >
      <p>{text('linkReady', { time: formatMoment(expiresAt, language) })}</p>
      <code className={classes['secret']}>{address}</code>
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {text('openLink')}
        </a>
      </p>
    </ModalDialog>
  );
}

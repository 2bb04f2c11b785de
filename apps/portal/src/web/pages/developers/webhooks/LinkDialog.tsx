import { TextField } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { createDeliveryLink } from '@pos/rest-contracts/webhooks';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { Choice } from '../../../components/Choice.js';
import { FormDialog } from '../../../components/FormDialog.js';
import { FieldReason, findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { useShowSecret } from '../../../components/SecretOnce.js';
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
  const showLink = useShowLink(onClose);
  const action = useAction(
    (_: null, idempotencyKey) => {
      const frameAncestors = origins.split(/\s+/).filter((origin) => origin !== '');
      const paymentIntentId = payment.trim();
      const expiresIn = minutes === 60 ? '01:00:00' : `00:${String(minutes).padStart(2, '0')}:00`;
      const body = { frameAncestors, expiresIn, ...(paymentIntentId !== '' && { paymentIntentId }) };
      return callOperation(createDeliveryLink, { params: { subscriptionId }, body, idempotencyKey });
    },
    { refreshes: [], onDone: showLink },
  );
  const { problem } = action;
  const originError = findError(
    problem,
    ...Object.keys(problem?.errors ?? {}).filter((name) => name.startsWith('frameAncestors')),
  );
  const paymentError =
    problem?.reason === 'payment_intent_not_found' ? (
      <FieldReason problem={problem} message={problem.detail} />
    ) : (
      findError(problem, 'paymentIntentId')
    );
  return (
    <FormDialog
      title={text('link')}
      cancel={text('close')}
      submit={text('createLink')}
      isBusy={action.isBusy}
      problem={originError === undefined && paymentError === undefined ? problem : null}
      intro={text('linkText')}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
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
      <Choice
        label={text('linkMinutes')}
        value={String(minutes)}
        options={MINUTES.map((count) => [String(count), text('minutes', { count })])}
        onChange={(chosen) => setMinutes(Number(chosen))}
      />
    </FormDialog>
  );
}

/** Returns what shows a created link, and closes the form. */
function useShowLink(onClose: () => void): (link: { readonly path: string; readonly expiresAt: string }) => void {
  const text = useMessages(WEBHOOK_MESSAGES);
  const language = useLanguage();
  const showSecret = useShowSecret();
  return ({ path, expiresAt }) => {
    const address = `${window.location.origin}${path}`;
    const after = (
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {text('openLink')}
        </a>
      </p>
    );
    const children = text('linkReady', { time: formatMoment(expiresAt, language) });
    showSecret({ title: text('link'), secret: address, children, after });
    onClose();
  };
}

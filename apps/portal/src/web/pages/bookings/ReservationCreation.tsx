import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { createReservation } from '@pos/rest-contracts/bookings';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { useWorkingAccount } from '../../client/session-query.js';
import { isDecided } from '../../components/decided-action.js';
import { FormDialog } from '../../components/FormDialog.js';
import { useAction } from '../../components/use-action.js';
import { BOOKING_MESSAGES } from './booking-messages.js';
import classes from './bookings.module.css';
import { ReservationFields, withoutFieldErrors } from './ReservationFields.js';
import { ReservationForm } from './reservation-form.js';
import { BOOKINGS } from '../../client/queries.js';
import type { SentReservation } from '../../client/answers.js';

interface ReservationCreationProps {
  readonly day: string;
  /** The user gives up a reservation that has no answer. */
  readonly onDiscard: () => void;
}

/**
 * Creates reservations. One without an answer stays as it was sent, also while its dialog is closed: sent again under its
 * idempotency key it reserves no second table, and a changed one would be another reservation.
 */
export function ReservationCreation({ day, onDiscard }: ReservationCreationProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const { timeZone } = useWorkingAccount();
  const [form, setForm] = useState(() => ReservationForm.create(day));
  const [isOpen, setOpen] = useState(false);
  const action = useAction(
    (body: SentReservation, idempotencyKey) => callOperation(createReservation, { body, idempotencyKey }),
    { refreshes: [[BOOKINGS]], onDone: () => setOpen(false) },
  );
  const { isBusy, problem } = action;
  const isUnanswered = problem !== null && !isDecided(problem);
  const body = ReservationForm.toBody(form, timeZone, null);
  const openEmpty = (): void => {
    action.clear();
    setForm(ReservationForm.create(day));
    setOpen(true);
  };
  return (
    <>
      {isUnanswered && !isOpen ? (
        <OpenReservation name={form.name} onSendAgain={() => setOpen(true)} onDiscard={onDiscard} />
      ) : (
        // A request that runs while its dialog is closed ends first.
        <Button kind="primary" isBusy={isBusy && !isOpen} onClick={openEmpty}>
          {text('newReservation')}
        </Button>
      )}
      {isOpen && (
        <FormDialog
          title={text('newReservation')}
          cancel={text('close')}
          submit={text(isUnanswered ? 'sendAgain' : 'create')}
          isReady={body !== null}
          isBusy={isBusy}
          problem={withoutFieldErrors(problem)}
          intro={isUnanswered ? text('openText') : undefined}
          onSubmit={() => void (body !== null && action.run(body))}
          onClose={() => setOpen(false)}
        >
          <ReservationFields form={form} problem={problem} isFixed={isUnanswered || isBusy} onChange={setForm} />
        </FormDialog>
      )}
    </>
  );
}

interface OpenReservationProps {
  readonly name: string;
  readonly onSendAgain: () => void;
  readonly onDiscard: () => void;
}

/** Takes the place of the button for a new reservation while one has no answer. */
function OpenReservation({ name, onSendAgain, onDiscard }: OpenReservationProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  return (
    <div className={classes['open']} role="alert">
      <p>{text('openNote', { name })}</p>
      <p className={classes['muted']}>{text('discardHint')}</p>
      <div className={classes['buttons']}>
        <Button kind="primary" onClick={onSendAgain}>
          {text('sendAgain')}
        </Button>
        <Button onClick={onDiscard}>{text('discard')}</Button>
      </div>
    </div>
  );
}

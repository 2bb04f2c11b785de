import { useMessages } from '@pos/web-ui/messages';
import { updateReservation } from '@pos/rest-contracts/bookings';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { useWorkingAccount } from '../../client/session-query.js';
import { FormDialog } from '../../components/FormDialog.js';
import { useAction } from '../../components/use-action.js';
import { BOOKING_MESSAGES } from './booking-messages.js';
import { ReservationFields, withoutFieldErrors } from './ReservationFields.js';
import { ReservationForm } from './reservation-form.js';
import { BOOKINGS } from '../../client/queries.js';
import type { ReservationAnswer, SentReservation } from '../../client/answers.js';

interface ChangeReservationDialogProps {
  readonly reservation: ReservationAnswer;
  readonly onClose: () => void;
}

/** Replaces a reservation. It may be repeated after a lost answer, so it has no idempotency key. */
export function ChangeReservationDialog({ reservation, onClose }: ChangeReservationDialogProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const { timeZone } = useWorkingAccount();
  const [form, setForm] = useState(() => ReservationForm.from(reservation, timeZone));
  const action = useAction(
    (body: SentReservation) => callOperation(updateReservation, { params: { reservationId: reservation.id }, body }),
    { refreshes: [[BOOKINGS]], onDone: onClose },
  );
  const body = ReservationForm.toBody(form, timeZone, reservation);
  return (
    <FormDialog
      title={text('changeTitle')}
      cancel={text('close')}
      submit={text('save')}
      isReady={body !== null}
      isBusy={action.isBusy}
      problem={withoutFieldErrors(action.problem)}
      onSubmit={() => void (body !== null && action.run(body))}
      onClose={onClose}
    >
      <ReservationFields form={form} problem={action.problem} onChange={setForm} />
    </FormDialog>
  );
}

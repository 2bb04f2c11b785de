import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { deleteReservation } from '@pos/rest-contracts/bookings';
import type { ReactNode } from 'react';
import { callOperation, RequestProblem } from '../../client/call-operation.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { BOOKING_MESSAGES } from './booking-messages.js';
import { BOOKINGS } from '../../client/queries.js';
import type { ReservationAnswer } from '../../client/answers.js';

interface CancelReservationDialogProps {
  readonly reservation: ReservationAnswer;
  readonly onClose: () => void;
}

/** Cancels a reservation after a question that names it. */
export function CancelReservationDialog({ reservation, onClose }: CancelReservationDialogProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const { id: reservationId, name } = reservation;
  const action = useAction(() => cancelReservation(reservationId), { refreshes: [[BOOKINGS]], onDone: onClose });
  return (
    <ModalDialog
      title={text('cancelTitle', { name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(null)}>
            {text('cancel')}
          </Button>
        </>
      }
    >
      <p>{text('cancelText')}</p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}

/** A reservation that is not there any more is cancelled, for example by a request whose answer was lost. */
async function cancelReservation(reservationId: string): Promise<void> {
  try {
    await callOperation(deleteReservation, { params: { reservationId } });
  } catch (error) {
    if (!(error instanceof RequestProblem) || error.problem.reason !== 'reservation_not_found') throw error;
  }
}

import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ReceivedProblem } from '../../client/call-operation.js';
import { findError } from '../../components/ProblemNote.js';
import group from '../../components/choice-group.module.css';
import { BOOKING_MESSAGES } from './booking-messages.js';
import classes from './bookings.module.css';
import { tablesQuery } from './booking-queries.js';
import type { ReservationForm } from './reservation-form.js';

/** The members of a reservation that have a field, which shows why the service refuses them. */
const MEMBERS = ['name', 'covers', 'startTime', 'endTime', 'tableIds', 'guestRequests', 'hostNotes'] as const;
const NAME_LENGTH_MAX = 200;
const NOTES_LENGTH_MAX = 1024;

/** The problem, if no field shows it. */
export function withoutFieldErrors(problem: ReceivedProblem | null): ReceivedProblem | null {
  const isShown = problem !== null && MEMBERS.some((member) => problem.errors[member] !== undefined);
  return isShown ? null : problem;
}

interface ReservationFieldsProps {
  readonly form: ReservationForm;
  readonly problem: ReceivedProblem | null;
  /** The fields cannot be changed. */
  readonly isFixed?: boolean;
  readonly onChange: (form: ReservationForm) => void;
}

/** The fields of a reservation. */
export function ReservationFields({ form, problem, isFixed = false, onChange }: ReservationFieldsProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const bind = (name: Exclude<keyof ReservationForm, 'tableIds'>) => ({
    value: form[name],
    onValueChange: (value: string) => onChange({ ...form, [name]: value }),
  });
  return (
    <fieldset className={classes['fields']} disabled={isFixed}>
      <TextField
        label={text('name')}
        required
        maxLength={NAME_LENGTH_MAX}
        error={findError(problem, 'name')}
        {...bind('name')}
      />
      <TextField
        label={text('coversLabel')}
        type="number"
        min={0}
        required
        error={findError(problem, 'covers')}
        {...bind('covers')}
      />
      <div className={classes['times']}>
        <TextField label={text('day')} type="date" required {...bind('day')} />
        <TextField
          label={text('start')}
          type="time"
          required
          error={findError(problem, 'startTime')}
          {...bind('start')}
        />
        <TextField
          label={text('end')}
          type="time"
          required
          hint={text('endHint')}
          error={findError(problem, 'endTime')}
          {...bind('end')}
        />
      </div>
      <TablesField
        chosen={form.tableIds}
        error={findError(problem, 'tableIds')}
        onChange={(tableIds) => onChange({ ...form, tableIds })}
      />
      <TextField
        label={text('guestRequests')}
        maxLength={NOTES_LENGTH_MAX}
        error={findError(problem, 'guestRequests')}
        {...bind('guestRequests')}
      />
      <TextField
        label={text('hostNotes')}
        maxLength={NOTES_LENGTH_MAX}
        hint={text('hostNotesHint')}
        error={findError(problem, 'hostNotes')}
        {...bind('hostNotes')}
      />
    </fieldset>
  );
}

interface TablesFieldProps {
  readonly chosen: readonly string[];
  readonly error: ReactNode;
  readonly onChange: (tableIds: readonly string[]) => void;
}

/** A tick box for each table; a field for ids where the EPOS does not list its tables, or has more than a page of them. */
function TablesField({ chosen, error, onChange }: TablesFieldProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const { data, isPending } = useQuery(tablesQuery);
  if (isPending) return null;
  if (data === undefined || data.after !== null || data.data.length === 0) {
    return <TableIdsField chosen={chosen} error={error} onChange={onChange} />;
  }
  const unlisted = chosen.filter((id) => data.data.every((table) => table.id !== id));
  const options = [...data.data, ...unlisted.map((id) => ({ id, name: id }))];
  return (
    <fieldset className={group['group']}>
      <legend>{text('tables')}</legend>
      <div className={`${classes['tables']} ${group['group']}`}>
        {options.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            {name}
          </label>
        ))}
      </div>
      {error !== undefined && <p role="alert">{error}</p>}
    </fieldset>
  );
}

function TableIdsField({ chosen, error, onChange }: TablesFieldProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const [typed, setTyped] = useState(chosen.join(', '));
  return (
    <TextField
      label={text('tableIds')}
      required
      hint={text('tableIdsHint')}
      error={error}
      value={typed}
      onValueChange={(value) => {
        setTyped(value);
        onChange(readTableIds(value));
      }}
    />
  );
}

/** The ids between the commas, each once. */
function readTableIds(typed: string): string[] {
  return [...new Set(typed.split(',').map((id) => id.trim()))].filter((id) => id !== '');
}

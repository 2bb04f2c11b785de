import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { changeAdministeredLocation } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable } from '../../../components/DataTable.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import parts from '../../../components/page-parts.module.css';
import type { AccountDetailsAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { ChangeDialog } from '../ChangeDialog.js';
import type { Target } from '../target.js';
import { ACCOUNT_MESSAGES } from './account-messages.js';
import { TimeZoneField } from './TimeZoneField.js';
import { ADMINISTRATION } from '../../../client/queries.js';

type Location = AccountDetailsAnswer['locations'][number];

interface AccountLocationsProps extends Pick<AccountDetailsAnswer, 'locations'> {
  readonly target: Target;
}

/** The locations of an account in an environment. */
export function AccountLocations({ locations, target }: AccountLocationsProps): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const [changing, setChanging] = useState<Location | null>(null);
  const columns = [text('locations'), text('address'), text('phone'), text('timeZone')].map((name) => ({ name }));
  return (
    <section>
      <h2 className={parts['title']}>{text('locations')}</h2>
      {locations.length === 0 ? (
        <p>{text('noLocations')}</p>
      ) : (
        <DataTable label={text('locations')} columns={columns} hasActions>
          {locations.map((location) => (
            <tr key={location.id}>
              <td>
                <span className={classes['owner']}>
                  <span>{location.name}</span>
                  <code className={classes['minor']}>{location.id}</code>
                </span>
              </td>
              <td className={classes['words']}>{location.address ?? '–'}</td>
              <td>{location.phoneNumber ?? '–'}</td>
              <td>{location.timeZone}</td>
              <td>
                <Button
                  kind="quiet"
                  aria-label={text('changeTimeZoneOf', { name: location.name })}
                  onClick={() => setChanging(location)}
                >
                  {text('changeTimeZone')}
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {changing !== null && <TimeZoneDialog location={changing} target={target} onClose={() => setChanging(null)} />}
    </section>
  );
}

interface TimeZoneDialogProps {
  readonly location: Location;
  readonly target: Target;
  readonly onClose: () => void;
}

function TimeZoneDialog({ location, target, onClose }: TimeZoneDialogProps): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const [timeZone, setTimeZone] = useState(location.timeZone);
  const action = useAction(
    (reason: string) =>
      callOperation(changeAdministeredLocation, { body: { ...target, location: location.id, timeZone, reason } }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text('changeTimeZone')}
      label={text('changeTimeZone')}
      action={action}
      members={['timeZone']}
      onClose={onClose}
    >
      <p>{text('changeTimeZoneText', { name: location.name })}</p>
      <TimeZoneField
        required
        value={timeZone}
        error={findError(action.problem, 'timeZone')}
        onValueChange={setTimeZone}
      />
    </ChangeDialog>
  );
}

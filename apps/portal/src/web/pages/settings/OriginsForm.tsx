import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { useWorkingAccount } from '../../client/session-query.js';
import { Card } from '../../components/Card.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import classes from './settings.module.css';
import { useSettingChange } from './use-setting-change.js';

/** The origins of the pages that may embed the card fields, each of which is added and removed by itself. */
export function OriginsForm({ origins }: { origins: readonly string[] }): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const { environment } = useWorkingAccount();
  const action = useSettingChange();
  const [entered, setEntered] = useState('');
  const store = (changed: readonly string[]): Promise<boolean> =>
    action.run({ embeddingOrigins: { [environment]: [...changed] } });
  const add = async (): Promise<void> => {
    if (await store([...origins, entered.trim()])) setEntered('');
  };
  const violation = action.findViolation(
    `embeddingOrigins.${environment}`,
    `embeddingOrigins.${environment}.${origins.length}`,
    `embeddingOrigins.${environment}[${origins.length}]`,
  );
  return (
    <Card title={text('origins')}>
      <p className={classes['text']}>{text('originsText')}</p>
      {origins.length === 0 ? (
        <p className={classes['empty']}>{text('noOrigins')}</p>
      ) : (
        <ul className={classes['origins']} aria-label={text('origins')}>
          {origins.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
              <Button
                kind="quiet"
                aria-label={text('removeOrigin', { origin })}
                isBusy={action.isBusy}
                onClick={() => void store(origins.filter((each) => each !== origin))}
              >
                {text('remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {violation === undefined && <ProblemNote problem={action.problem} />}
      <form
        className={classes['add']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy && entered.trim() !== '') void add();
        }}
      >
        <TextField
          label={text('origin')}
          inputMode="url"
          autoComplete="off"
          placeholder="https://shop.example"
          value={entered}
          hint={text(environment === 'sandbox' ? 'originHintSandbox' : 'originHint')}
          error={violation}
          onValueChange={(value) => {
            action.clear();
            setEntered(value);
          }}
        />
        <Button type="submit" isBusy={action.isBusy}>
          {text('addOrigin')}
        </Button>
      </form>
    </Card>
  );
}

import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type { TableView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import type { MachineClient } from '../state/machine-client.js';
import { Screen, ScreenButton } from './screen-parts.js';
import { listTableNotes } from './table-notes.js';
import classes from './screen.module.css';

interface TablesScreenProps {
  readonly client: MachineClient;
  readonly onChoose: (table: TableView) => void;
  readonly onBack: () => void;
  readonly onError: (error: unknown) => void;
}

/** The parties that can pay now. */
export function TablesScreen({ client, onChoose, onBack, onError }: TablesScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const [tables, setTables] = useState<readonly TableView[] | null>(null);
  const [hiddenCount, setHiddenCount] = useState(0);
  useMachineKeys((key) => {
    if (key === 'cancel') onBack();
  });
  useEffect(() => {
    client.listTables().then((listed) => {
      setTables(listed.tables);
      setHiddenCount(listed.unreadableCount);
    }, onError);
    // The list is read once for each display of the screen.
  }, [client]);
  const formatCovers = (count: number): string => (count === 1 ? t('oneCover') : t('covers', { count }));
  return (
    <Screen title={t('chooseTable')} actions={<ScreenButton onPress={onBack}>{t('backStep')}</ScreenButton>}>
      {tables === null && <p className={classes['note']}>{t('PleaseWait')}</p>}
      {tables !== null &&
        listTableNotes({ shown: tables.length, hidden: hiddenCount }, t).map((note) => (
          <p key={note} className={classes['note']} role="status">
            {note}
          </p>
        ))}
      <ul className={classes['list']}>
        {(tables ?? []).map((table) => (
          <li key={table.sessionId}>
            <button type="button" className={classes['entry']} onClick={() => onChoose(table)}>
              <span className={classes['badge']}>{table.tableName ?? '☕'}</span>
              <span className={classes['grow']}>
                <span className={classes['strong']}>{table.name}</span>
                <br />
                <span className={classes['note']}>
                  {[
                    table.tableName === undefined ? t('counter') : null,
                    table.covers === undefined ? null : formatCovers(table.covers),
                    table.waiter ?? null,
                  ]
                    .filter((part) => part !== null)
                    .join(' · ')}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
}

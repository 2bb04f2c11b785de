import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { EposScreenView, PartyView } from '@pos/rest-contracts/sandbox';
import { EPOS_MESSAGES } from '../messages/epos-messages.js';
import classes from './epos-page.module.css';
import map from './table-map.module.css';

interface TableMapProps {
  readonly view: EposScreenView;
  readonly chosenId: string | null;
  readonly onChoose: (sessionId: string) => void;
}

type Table = EposScreenView['tables'][number];
const FREE_TEXTS = { Available: 'free', PendingAvailable: 'clearing', NotInUse: 'closed', Occupied: 'free' } as const;

/** The tables by area, with what their parties owe, and the parties at the counter. */
export function TableMap({ view, chosenId, onChoose }: TableMapProps): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const areas = [...new Set(view.tables.map(({ area }) => area))];
  const counter = view.parties.filter(({ tableName, isFinished }) => tableName === undefined && !isFinished);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('tables')}</h2>
      {areas.map((area) => (
        <div key={area}>
          <h3 className={classes['subtitle']}>{area}</h3>
          <div className={map['grid']}>
            {view.tables
              .filter((table) => table.area === area)
              .map((table) => (
                <TableTile key={table.name} {...{ view, table, chosenId, onChoose }} />
              ))}
          </div>
        </div>
      ))}
      {counter.length > 0 && <h3 className={classes['subtitle']}>{t('counter')}</h3>}
      <div className={map['grid']}>
        {counter.map((party) => (
          <PartyTile key={party.sessionId} {...{ view, party, chosenId, onChoose }} title={party.name} />
        ))}
      </div>
    </section>
  );
}

function TableTile({ view, table, chosenId, onChoose }: TableMapProps & { table: Table }): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const party = view.parties.find(({ tableName, isFinished }) => tableName === table.name && !isFinished);
  if (party !== undefined) return <PartyTile {...{ view, party, chosenId, onChoose }} title={table.name} />;
  return (
    <div className={map['empty']}>
      <strong>{table.name}</strong>
      <span>{t(FREE_TEXTS[table.status])}</span>
    </div>
  );
}

function PartyTile({
  view,
  party,
  title,
  chosenId,
  onChoose,
}: TableMapProps & { party: PartyView; title: string }): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const language = useLanguage();
  const owed = party.total - party.paid;
  const amount = formatMoney({ value: owed, currencyCode: view.currency }, language);
  const state = party.total === 0 ? t('nothingOrdered') : owed <= 0 ? t('paidUp') : amount;
  return (
    <button
      type="button"
      className={map['party']}
      aria-pressed={party.sessionId === chosenId}
      data-locked={party.isLocked || undefined}
      onClick={() => onChoose(party.sessionId)}
    >
      <strong>{title}</strong>
      {title !== party.name && <span>{party.name}</span>}
      <span className={map['owed']}>{party.isLocked ? `${t('locked')} · ${state}` : state}</span>
      {party.paid > 0 && owed > 0 && (
        <progress className={map['share']} max={party.total} value={party.paid} aria-label={t('paid')} />
      )}
    </button>
  );
}

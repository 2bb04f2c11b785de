import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { EposScreenView, PartyView } from '@pos/rest-contracts/sandbox';
import { EPOS_MESSAGES } from '../messages/epos-messages.js';
import classes from './epos-page.module.css';
import bill from './party-bill.module.css';

interface PartyBillProps {
  readonly view: EposScreenView;
  readonly party: PartyView | undefined;
  readonly onAddDish: (plu: string) => void;
}

/** The bill of the chosen party, and the menu to add to it. */
export function PartyBill({ view, party, onAddDish }: PartyBillProps): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const language = useLanguage();
  if (party === undefined) {
    return (
      <section className={classes['panel']}>
        <h2 className={classes['title']}>{t('bill')}</h2>
        <p className={classes['note']}>{t('chooseParty')}</p>
      </section>
    );
  }
  const write = (value: number): string => formatMoney({ value, currencyCode: view.currency }, language);
  const { tableName, name, covers, waiter } = party;
  const coversText = covers === 1 ? t('oneCover') : t('covers', { count: covers });
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{tableName === undefined ? name : `${tableName} · ${name}`}</h2>
      <p className={classes['note']}>{[coversText, waiter].join(' · ')}</p>
      {party.isLocked && (
        <p className={bill['lock']} role="status">
          {party.lockedBy === undefined ? t('lockedByPayer') : t('lockedByMachine', { tid: party.lockedBy })}
        </p>
      )}
      <ul className={bill['lines']}>
        {party.items.map(({ id, name: dish, amount }) => (
          <li key={id} className={bill['line']}>
            <span>{dish}</span>
            <span>{write(amount)}</span>
          </li>
        ))}
      </ul>
      <dl className={bill['sums']}>
        <Sum name={t('total')} value={write(party.total)} />
        <Sum name={t('paid')} value={write(party.paid)} />
        <Sum name={t('outstanding')} value={write(Math.max(0, party.total - party.paid))} />
      </dl>
      {!party.isFinished && <Menu menu={view.menu} isDisabled={party.isLocked} write={write} onAddDish={onAddDish} />}
    </section>
  );
}

interface MenuProps {
  readonly menu: EposScreenView['menu'];
  readonly isDisabled: boolean;
  readonly write: (value: number) => string;
  readonly onAddDish: (plu: string) => void;
}

function Menu({ menu, isDisabled, write, onAddDish }: MenuProps): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  return (
    <>
      <h3 className={classes['subtitle']}>{t('addCourse')}</h3>
      <div className={bill['menu']}>
        {menu.map(({ plu, name, price }) => (
          <button key={plu} type="button" className={bill['dish']} disabled={isDisabled} onClick={() => onAddDish(plu)}>
            <span>{name}</span>
            <span>{write(price)}</span>
          </button>
        ))}
      </div>
    </>
  );
}

function Sum({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div className={bill['line']}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

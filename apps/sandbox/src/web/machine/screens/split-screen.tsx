import { useState, type ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { BillPart, BillView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { changeDigits, useMachineKeys, type MachineKey } from '../device/keypad-keys.js';
import { computeItemsShare } from '../../restaurant/items-share.js';
import { Screen, ScreenButton } from './screen-parts.js';
import classes from './screen.module.css';

const MODES = ['equal', 'custom', 'items'] as const;
const TITLES = { equal: 'splitEqually', custom: 'splitAmount', items: 'splitItems' } as const;
const PEOPLE_MAX = 32;

/** The part that was chosen, and about how much it is; the service computes the exact amount. */
export interface ChosenPart {
  readonly part: BillPart;
  readonly amount: number;
}

interface SplitScreenProps {
  readonly bill: BillView;
  readonly onChoose: (chosen: ChosenPart) => void;
  readonly onBack: () => void;
}

/** Chooses a part of the bill: an equal one, an amount, or items. */
export function SplitScreen({ bill, onChoose, onBack }: SplitScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const [mode, setMode] = useState<(typeof MODES)[number]>('equal');
  const [people, setPeople] = useState(2);
  const [digits, setDigits] = useState('');
  const [itemIds, setItemIds] = useState<readonly string[]>([]);
  const chosen = choosePart(bill, { mode, people, digits, itemIds });
  useMachineKeys((key: MachineKey) => {
    if (key === 'cancel') onBack();
    else if (key === 'enter' && chosen !== null) onChoose(chosen);
    else if (mode === 'custom') setDigits(changeDigits(digits, key));
    else if (mode === 'equal' && /^[2-9]$/.test(key)) setPeople(Number(key));
  });
  return (
    <Screen
      title={t('splitTitle')}
      actions={
        <>
          <ScreenButton onPress={onBack}>{t('backStep')}</ScreenButton>
          <ScreenButton kind="primary" isDisabled={chosen === null} onPress={() => chosen !== null && onChoose(chosen)}>
            {t('continue')}
          </ScreenButton>
        </>
      }
    >
      <div className={classes['tabs']} role="group" aria-label={t('splitTitle')}>
        {MODES.map((each) => (
          <button
            key={each}
            type="button"
            className={classes['tab']}
            aria-pressed={mode === each}
            onClick={() => setMode(each)}
          >
            {t(TITLES[each])}
          </button>
        ))}
      </div>
      {mode === 'equal' && <PeopleStepper bill={bill} people={people} onChange={setPeople} />}
      {mode === 'custom' && <CustomAmount bill={bill} digits={digits} />}
      {mode === 'items' && <ItemList bill={bill} itemIds={itemIds} onChange={setItemIds} />}
    </Screen>
  );
}

interface SplitChoice {
  readonly mode: (typeof MODES)[number];
  readonly people: number;
  readonly digits: string;
  readonly itemIds: readonly string[];
}

function choosePart(bill: BillView, { mode, people, digits, itemIds }: SplitChoice): ChosenPart | null {
  switch (mode) {
    case 'equal':
      return { part: { mode, people }, amount: Math.ceil(bill.outstanding / people) };
    case 'custom': {
      const amount = Number(digits);
      return amount >= 1 && amount <= bill.outstanding ? { part: { mode, amount }, amount } : null;
    }
    case 'items':
      return itemIds.length === 0
        ? null
        : { part: { mode, itemIds: [...itemIds] }, amount: computeItemsShare(bill, itemIds) };
  }
}

function PeopleStepper({
  bill,
  people,
  onChange,
}: {
  bill: BillView;
  people: number;
  onChange: (to: number) => void;
}): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const share = formatMoney({ value: Math.ceil(bill.outstanding / people), currencyCode: bill.currency }, language);
  return (
    <div className={classes['centre']}>
      <div className={classes['stepper']}>
        <button
          type="button"
          className={classes['round']}
          aria-label={t('fewer')}
          disabled={people === 2}
          onClick={() => onChange(people - 1)}
        >
          −
        </button>
        <p className={classes['large']} aria-live="polite">
          {t('people', { count: people })}
        </p>
        <button
          type="button"
          className={classes['round']}
          aria-label={t('more')}
          disabled={people === PEOPLE_MAX}
          onClick={() => onChange(people + 1)}
        >
          +
        </button>
      </div>
      <p className={classes['note']}>{t('each', { amount: share })}</p>
    </div>
  );
}

function CustomAmount({ bill, digits }: { bill: BillView; digits: string }): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: bill.currency }, language);
  return (
    <div className={classes['centre']} aria-live="polite">
      <p className={classes['amount']}>{write(Number(digits))}</p>
      <p className={Number(digits) > bill.outstanding ? classes['error'] : classes['note']}>
        {t('tooMuch', { amount: write(bill.outstanding) })}
      </p>
    </div>
  );
}

function ItemList({
  bill,
  itemIds,
  onChange,
}: {
  bill: BillView;
  itemIds: readonly string[];
  onChange: (to: readonly string[]) => void;
}): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: bill.currency }, language);
  const toggle = (id: string): void =>
    onChange(itemIds.includes(id) ? itemIds.filter((each) => each !== id) : [...itemIds, id]);
  return (
    <>
      <p className={classes['note']} aria-live="polite">
        {itemIds.length === 0 ? t('chooseItems') : t('chosen', { amount: write(computeItemsShare(bill, itemIds)) })}
      </p>
      <div className={classes['list']}>
        {bill.items
          .filter(({ amount }) => amount > 0)
          .map(({ id, name, amount }) => (
            <button
              key={id}
              type="button"
              role="checkbox"
              aria-checked={itemIds.includes(id)}
              className={classes['entry']}
              onClick={() => toggle(id)}
            >
              <span>{name}</span>
              <span>{write(amount)}</span>
            </button>
          ))}
      </div>
    </>
  );
}

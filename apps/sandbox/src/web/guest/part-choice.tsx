import { useState, type ReactNode } from 'react';
import { Button } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { BillPart, BillView } from '@pos/rest-contracts/sandbox';
import { GUEST_MESSAGES } from '../messages/guest-messages.js';
import { computeItemsShare } from '../restaurant/items-share.js';
import classes from './guest-page.module.css';

const MODES = ['full', 'equal', 'items'] as const;
type Mode = (typeof MODES)[number];
const TIPS_PER_MILLE = [0, 100, 125, 150] as const;
const PEOPLE_MAX = 32;

/** What the payer pays, and their tip. */
export function PartChoice({
  bill,
  onPay,
}: {
  bill: BillView;
  onPay: (part: BillPart, gratuity: number) => void;
}): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const language = useLanguage();
  const [mode, setMode] = useState<Mode>('full');
  const [people, setPeople] = useState(2);
  const [itemIds, setItemIds] = useState<readonly string[]>([]);
  const [tipPerMille, setTip] = useState<number>(0);
  const amount = computePart(bill, { mode, people, itemIds });
  const gratuity = Math.round((amount * tipPerMille) / 1000);
  const write = (value: number): string => formatMoney({ value, currencyCode: bill.currency }, language);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('how')}</h2>
      <div className={classes['choices']} role="group" aria-label={t('how')}>
        {MODES.map((each) => (
          <button
            key={each}
            type="button"
            className={classes['choice']}
            aria-pressed={mode === each}
            onClick={() => setMode(each)}
          >
            {t(each)}
          </button>
        ))}
      </div>
      {mode === 'equal' && <People people={people} onChange={setPeople} />}
      {mode === 'items' && <Items {...{ bill, itemIds, write }} onChange={setItemIds} />}
      <h2 className={classes['title']}>{t('tip')}</h2>
      <div className={classes['choices']} role="group" aria-label={t('tip')}>
        {TIPS_PER_MILLE.map((each) => (
          <button
            key={each}
            type="button"
            className={classes['choice']}
            aria-pressed={tipPerMille === each}
            onClick={() => setTip(each)}
          >
            {each === 0 ? t('noTip') : t('percent', { percent: (each / 10).toLocaleString(language) })}
          </button>
        ))}
      </div>
      <Button
        kind="primary"
        size="large"
        disabled={amount === 0}
        onClick={() => onPay(createPart({ mode, people, itemIds }), gratuity)}
      >
        {t('pay', { amount: write(amount + gratuity) })}
      </Button>
    </section>
  );
}

interface Choice {
  readonly mode: Mode;
  readonly people: number;
  readonly itemIds: readonly string[];
}

function createPart({ mode, people, itemIds }: Choice): BillPart {
  switch (mode) {
    case 'full':
      return { mode };
    case 'equal':
      return { mode, people };
    case 'items':
      return { mode, itemIds };
  }
}

/** About what the part is, for display; the service computes the exact amount. */
function computePart(bill: BillView, { mode, people, itemIds }: Choice): number {
  switch (mode) {
    case 'full':
      return bill.outstanding;
    case 'equal':
      return Math.ceil(bill.outstanding / people);
    case 'items':
      return computeItemsShare(bill, itemIds);
  }
}

function People({ people, onChange }: { people: number; onChange: (to: number) => void }): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  return (
    <div className={classes['stepper']}>
      <Button size="large" aria-label={t('fewer')} disabled={people === 2} onClick={() => onChange(people - 1)}>
        −
      </Button>
      <span aria-live="polite">{t('people', { count: people })}</span>
      <Button size="large" aria-label={t('more')} disabled={people === PEOPLE_MAX} onClick={() => onChange(people + 1)}>
        +
      </Button>
    </div>
  );
}

interface ItemsProps {
  readonly bill: BillView;
  readonly itemIds: readonly string[];
  readonly write: (value: number) => string;
  readonly onChange: (to: readonly string[]) => void;
}

function Items({ bill, itemIds, write, onChange }: ItemsProps): ReactNode {
  const toggle = (id: string): void =>
    onChange(itemIds.includes(id) ? itemIds.filter((each) => each !== id) : [...itemIds, id]);
  return (
    <div className={classes['items']}>
      {bill.items
        .filter(({ amount }) => amount > 0)
        .map(({ id, name, amount }) => (
          <label key={id} className={classes['item']}>
            <input type="checkbox" checked={itemIds.includes(id)} onChange={() => toggle(id)} />
            <span>{name}</span>
            <span>{write(amount)}</span>
          </label>
        ))}
    </div>
  );
}

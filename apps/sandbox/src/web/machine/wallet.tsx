import type { ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../messages/machine-messages.js';
import { WALLET_CARDS, WalletCardFace, type WalletCardName } from './wallet-card.js';
import classes from './wallet.module.css';

const TITLES = { contactless: 'contactless', chip: 'chip', signature: 'signature', declined: 'declinedCard' } as const;
const HELPS = {
  contactless: 'contactlessHelp',
  chip: 'chipHelp',
  signature: 'signatureCardHelp',
  declined: 'declinedCardHelp',
} as const;
const TROUBLES = ['PresentOnlyOneCard', 'CardUnsupported', 'InsertCard', 'ReEnterCard', 'CardError'] as const;
export type CardTrouble = (typeof TROUBLES)[number];

interface WalletProps {
  /** The machine requests a card. */
  readonly isRequested: boolean;
  readonly onPresent: (card: WalletCardName) => void;
  readonly onTrouble: (trouble: CardTrouble) => void;
}

/** The cards that the person can present, and what can go wrong with them. */
export function Wallet({ isRequested, onPresent, onTrouble }: WalletProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  return (
    <section className={classes['wallet']} data-requested={isRequested || undefined}>
      <h2 className={classes['title']}>{t('wallet')}</h2>
      <p className={classes['help']}>{t('walletHelp')}</p>
      <ul className={classes['cards']}>
        {WALLET_CARDS.map((card) => (
          <li key={card}>
            <button type="button" className={classes['card']} disabled={!isRequested} onClick={() => onPresent(card)}>
              <WalletCardFace card={card} />
              <span className={classes['words']}>
                <span className={classes['name']}>{t(TITLES[card])}</span>
                <span className={classes['note']}>{t(HELPS[card])}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <h3 className={classes['subtitle']}>{t('troubles')}</h3>
      <div className={classes['troubles']}>
        {TROUBLES.map((trouble) => (
          <button
            key={trouble}
            type="button"
            className={classes['trouble']}
            disabled={!isRequested}
            onClick={() => onTrouble(trouble)}
          >
            {t(`trouble${trouble}`)}
          </button>
        ))}
      </div>
    </section>
  );
}

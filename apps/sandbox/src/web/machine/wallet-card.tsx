import { formatLastDigits } from '@pos/web-ui/format';
import type { ReactNode } from 'react';
import { ContactlessSymbol } from './device/device-frame.js';
import classes from './wallet-card.module.css';

/** The cards of the person at the machine. */
export const WALLET_CARDS = ['contactless', 'chip', 'signature', 'declined'] as const;
export type WalletCardName = (typeof WALLET_CARDS)[number];

const FACES: Readonly<
  Record<WalletCardName, { readonly scheme: string; readonly last4: string; readonly hasChip: boolean }>
> = {
  contactless: { scheme: 'VISA', last4: '1014', hasChip: false },
  chip: { scheme: 'mastercard', last4: '1005', hasChip: true },
  signature: { scheme: 'AMEX', last4: '9108', hasChip: true },
  declined: { scheme: 'VISA', last4: '1014', hasChip: false },
};

/** The face of a card. */
export function WalletCardFace({ card }: { card: WalletCardName }): ReactNode {
  const { scheme, last4, hasChip } = FACES[card];
  return (
    <span className={`${classes['face']} ${classes[card]}`} aria-hidden="true">
      <span className={classes['row']}>
        {hasChip ? <span className={classes['contacts']} /> : <ContactlessSymbol size={20} />}
        <span className={classes['scheme']}>{scheme}</span>
      </span>
      <span className={classes['number']}>{formatLastDigits(last4)}</span>
    </span>
  );
}

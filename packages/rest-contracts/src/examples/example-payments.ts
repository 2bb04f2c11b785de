import { IDS } from './example-ids.js';

/** The payments of the examples that the page about webhook events shows, in its order. */
export const EXAMPLE_PAYMENTS: readonly { readonly key: string; readonly title: string; readonly id: string }[] = [
  { key: 'refunded', title: 'A payment online, refunded in part', id: IDS.paid },
  { key: 'held', title: 'A hold that is captured in part', id: IDS.held },
  { key: 'reversed', title: 'A payment that is reversed on its day', id: IDS.reversed },
  { key: 'canceled', title: 'A payment that is given up', id: IDS.canceled },
  { key: 'challenged', title: 'A payment with 3-D Secure', id: IDS.challenged },
  { key: 'charged', title: 'A charge of a stored card', id: IDS.charged },
  { key: 'onMachine', title: 'A sale on a card machine', id: IDS.onMachine },
  { key: 'signed', title: 'A sale with a signature', id: IDS.signed },
];

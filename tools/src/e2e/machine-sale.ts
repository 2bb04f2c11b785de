import assert from 'node:assert/strict';
import { listTerminals } from '@pos/rest-contracts/accounts';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import type { Stage, StageRestaurant } from './stage.js';
import { CONTACTLESS } from './table.js';

/** Starts the card payment of an intent on the contactless machine of the restaurant, once the machine is connected. */
export async function startMachineSale(stage: Stage, house: StageRestaurant, paymentIntentId: string): Promise<void> {
  const api = stage.api(house);
  await stage.untilConnected();
  const terminals = await api(listTerminals, {});
  const terminal = terminals.find(({ properties }) => properties.tid === CONTACTLESS);
  assert.ok(terminal !== undefined, `the restaurant has no machine ${CONTACTLESS}`);
  await api(createTerminalSession, {
    body: { terminalId: terminal.id, details: { sessionType: 'Sale', sale: { paymentIntentId } } },
  });
}

import { type Bill, checkBill, type EposCall, type EposPort, type UncheckedBill } from '@pos/core/tables';
import type { Account } from '@pos/core/accounts';
import { Refusal } from '@pos/core/refusals';
import { toGrpcFailure } from '../epos-calls/epos-failure.js';

/** The expected session of a bill, and its possible currencies. */
export interface BillExpectation {
  readonly sessionId: string;
  readonly currencies: Account['currencies'];
}

/** Reads the bill at the EPOS. Throws the failure for the device when there is no usable answer. */
export async function readUsableBill(epos: EposPort, expected: BillExpectation, call: EposCall): Promise<Bill> {
  const answer = await epos.getBill(expected.sessionId, call);
  if (answer.outcome !== 'answered') throw toGrpcFailure(answer);
  return requireUsableBill(answer.value, expected);
}

/** Returns a valid bill. Refuses `bill_unusable`. */
export function requireUsableBill(unchecked: UncheckedBill, expected: BillExpectation): Bill {
  const checked = checkBill(unchecked, expected);
  if (checked.outcome === 'sound') return checked.bill;
  throw new Refusal('bill_unusable', `the EPOS sent a bill that cannot be used: ${checked.fault}`);
}

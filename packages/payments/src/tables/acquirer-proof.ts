import { getCurrentMerchant } from '@pos/core/accounts';
import type { AcquirerBooking } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import { isSameTransaction, judgeBookings, type ProofVerdict, type RecordClaim } from '@pos/core/tables';
import { getAccountTime } from '@pos/store/clock';
import type { Database } from '@pos/store/database';
import { findAcquirerCall } from '@pos/store/payments';
import { findTerminalByTid } from '@pos/store/terminals';
import type { AccountCache } from '../accounts/account-cache.js';
import type { AcquirerPorts } from '../accounts/acquirer-directory.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { listBookingsSince } from '../acquirer/booking-lookup.js';

/**
 * Looks for a card transaction that the service does not know in the books of the account's acquirer. The contract finds a
 * call by our reference only, and a device has none, so the list of bookings is read: it names the transaction, its machine
 * and its amount. Without a list the transaction stays unknown. Changes nothing.
 */
export class AcquirerProof {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly acquirers: AcquirerPorts;
      readonly settings: Pick<PaymentSettings, 'acquirers'>;
    },
  ) {}

  /** Each page of the list may take `deadlineMs`. */
  async inquire(scope: Scope, claim: RecordClaim, deadlineMs: number): Promise<ProofVerdict> {
    const { database, accounts, acquirers, settings } = this.parts;
    const [tid = ''] = claim.tids;
    const databaseNow = await database.now();
    const { merchant, now, isOwnTid } = await database.read(scope, async (reader) => ({
      merchant: getCurrentMerchant(await accounts.get(reader), scope.environment),
      now: await getAccountTime(reader),
      isOwnTid: (await findTerminalByTid(reader, tid)) !== null,
    }));
    const port = acquirers.find(scope.environment, merchant.acquirer);
    const capabilities = settings.acquirers.findCapabilities(scope.environment, merchant.acquirer);
    if (port === null || capabilities?.can.booked_list !== true) {
      return { outcome: 'missing', reason: 'the service does not know it, and the acquirer has no list of bookings' };
    }
    const [first, last] = now < databaseNow ? [now, databaseNow] : [databaseNow, now];
    const { merchantId } = merchant;
    const bookings = await listBookingsSince(port, first, { merchantId, databaseNow: last, deadlineMs });
    if (bookings === null) {
      return { outcome: 'missing', reason: 'the service does not know it, and the acquirer has not answered' };
    }
    const ourReferences = await this.#listOurReferences(scope, claim, bookings);
    return judgeBookings(claim, { bookings, isOwnTid, ourReferences }, { now, databaseNow });
  }

  #listOurReferences(scope: Scope, claim: RecordClaim, bookings: readonly AcquirerBooking[]): Promise<Set<string>> {
    const named = bookings.filter(({ transactionId }) => isSameTransaction(transactionId, claim.transactionId));
    return this.parts.database.read(scope, async (reader) => {
      const ours = new Set<string>();
      for (const { reference } of named) {
        if ((await findAcquirerCall(reader, reference)) !== null) ours.add(reference);
      }
      return ours;
    });
  }
}

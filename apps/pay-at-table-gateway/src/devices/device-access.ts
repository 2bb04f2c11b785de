import type { PayAtTableSettings } from '@pos/core/accounts/account';
import type { Scope } from '@pos/core/identity/identity';
import type { Requestor } from '@pos/core/tables/lease';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import type { AccountCache } from '@pos/payments/accounts/account-cache';
import { createTablesFailure } from '@pos/service-kit/grpc/grpc-errors';
import type { Database } from '@pos/store/database/database';

/**
 * What the settings of an account let its devices begin. Calls that end what has begun (an unlock, a record of money that
 * was taken, the rest of a running journey) are not refused here: a setting must not strand money.
 */
export class DeviceAccess {
  constructor(private readonly parts: { readonly database: Database; readonly accounts: AccountCache }) {}

  /** The account's settings, at most two seconds old. */
  async getSettings(scope: Scope): Promise<PayAtTableSettings> {
    const { database, accounts } = this.parts;
    const account = accounts.findCached(scope) ?? (await database.read(scope, (reader) => accounts.get(reader)));
    return account.settings.payAtTable;
  }

  /** Refuses `permission_missing` where paying at the table is switched off. */
  async requireEnabled(scope: Scope): Promise<PayAtTableSettings> {
    const settings = await this.getSettings(scope);
    if (!settings.isEnabled) {
      throw new Refusal('permission_missing', 'paying at the table is switched off for this account');
    }
    return settings;
  }

  /** The same, and refuses a card machine that names no waiter where the account asks for one. */
  async requireDevice(scope: Scope, requestor: Requestor): Promise<void> {
    const { asksWaiterId } = await this.requireEnabled(scope);
    if (asksWaiterId && requestor.type === 'cardMachine' && requestor.waiterId === 0) {
      throw createTablesFailure(
        'WAITER_INCORRECT_WAITER_ID',
        'requestor_info.waiter_id: this account asks for a waiter id',
      );
    }
  }

  /** Refuses a tip where the account asks for none. */
  async requireTipAllowed(scope: Scope, { gratuity }: { readonly gratuity: number }): Promise<void> {
    const { asksGratuity } = await this.getSettings(scope);
    if (!asksGratuity && gratuity > 0) {
      throw createViolation('part_invalid', 'gratuity_amount', 'must be 0: this account asks for no tip');
    }
  }
}

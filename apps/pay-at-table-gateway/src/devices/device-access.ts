import { type Account, type PayAtTableSettings, requireEnabledAccount } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/tables';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { AccountCache } from '@pos/payments/accounts';
import { createTablesFailure } from '@pos/service-kit/grpc';
import type { Database } from '@pos/store/database';

/**
 * Checks by the settings of an account what its devices may start. Calls that finish a running payment (an unlock, a
 * record, the end of a journey) are not refused: a setting must not block captured money.
 */
export class DeviceAccess {
  constructor(private readonly parts: { readonly database: Database; readonly accounts: AccountCache }) {}

  /** The account's settings, at most two seconds old. */
  async getSettings(scope: Scope): Promise<PayAtTableSettings> {
    return (await this.#getAccount(scope)).settings.payAtTable;
  }

  /**
   * Refuses `account_disabled` for a disabled account, and `permission_missing` if pay at table is switched off for the
   * account.
   */
  async requireEnabled(scope: Scope): Promise<PayAtTableSettings> {
    const account = await this.#getAccount(scope);
    requireEnabledAccount(account);
    const settings = account.settings.payAtTable;
    if (!settings.isEnabled) {
      throw new Refusal('permission_missing', 'paying at the table is switched off for this account');
    }
    return settings;
  }

  /** The same; also refuses a card machine without a waiter if the account requires waiter ids. */
  async requireDevice(scope: Scope, requestor: Requestor): Promise<void> {
    const { asksWaiterId } = await this.requireEnabled(scope);
    if (asksWaiterId && requestor.type === 'cardMachine' && requestor.waiterId === 0) {
      throw createTablesFailure(
        'WAITER_INCORRECT_WAITER_ID',
        'requestor_info.waiter_id: this account asks for a waiter id',
      );
    }
  }

  /** Refuses a tip if the account accepts none. */
  async requireTipAllowed(scope: Scope, { gratuity }: { readonly gratuity: number }): Promise<void> {
    const { asksGratuity } = await this.getSettings(scope);
    if (!asksGratuity && gratuity > 0) {
      throw createViolation('part_invalid', 'gratuity_amount', 'must be 0: this account asks for no tip');
    }
  }

  async #getAccount(scope: Scope): Promise<Account> {
    const { database, accounts } = this.parts;
    return accounts.findCached(scope) ?? (await database.read(scope, (reader) => accounts.get(reader)));
  }
}

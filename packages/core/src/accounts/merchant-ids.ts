import { type Environment, ENVIRONMENTS } from '../identity/identity.js';
import { type Account, DEFAULT_ACQUIRER } from './account.js';

/** A number by which an acquirer of an environment knows a merchant. */
export interface AcquirerMerchantId {
  readonly environment: Environment;
  readonly acquirer: string;
  readonly merchantId: string;
}

type MerchantAccount = Pick<Account, 'merchantId'> & { readonly settings: Pick<Account['settings'], 'merchantIds'> };

/** The number of the account at an acquirer: that of the setting `merchantIds`, or else the one of the account. */
export function getMerchantId(
  { merchantId, settings }: MerchantAccount,
  { environment, acquirer }: Pick<AcquirerMerchantId, 'environment' | 'acquirer'>,
): string {
  const own = settings.merchantIds[environment];
  // The name of an acquirer may be that of a member that every object has.
  return Object.hasOwn(own, acquirer) ? (own[acquirer] ?? merchantId) : merchantId;
}

/** The acquirer of the account's new payments in an environment, and the number of the account there. */
export function getCurrentMerchant(
  account: Pick<Account, 'merchantId' | 'settings'>,
  environment: Environment,
): { readonly acquirer: string; readonly merchantId: string } {
  const acquirer = account.settings.acquirer[environment];
  return { acquirer, merchantId: getMerchantId(account, { environment, acquirer }) };
}

/**
 * Every number that belongs to the account: those of the setting `merchantIds`, that of its acquirer in each environment,
 * and that of the default acquirer, which may have payments from before the account moved. In the order of their names.
 */
export function listMerchantIds(account: Pick<Account, 'merchantId' | 'settings'>): AcquirerMerchantId[] {
  return ENVIRONMENTS.flatMap((environment) => {
    const { merchantIds, acquirer } = account.settings;
    const names = new Set([...Object.keys(merchantIds[environment]), acquirer[environment], DEFAULT_ACQUIRER]);
    return [...names].toSorted().map((name) => ({
      ...{ environment, acquirer: name },
      merchantId: getMerchantId(account, { environment, acquirer: name }),
    }));
  });
}

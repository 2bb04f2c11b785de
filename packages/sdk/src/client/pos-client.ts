import { PosUsageError } from '../errors/errors.js';
import type { OperationTypes } from '../gen/operation-types.js';
import { OPERATIONS } from '../gen/operations.js';
import type { CallOptions, SenderSettings } from '../http/sender.js';
import { createAccountResources } from './account-resources.js';
import { type ClientSettings, readSettings } from './client-settings.js';
import { createMethodMaker } from './method.js';
import { createPaymentResources } from './payment-resources.js';
import { createRestaurantResources } from './restaurant-resources.js';

/** How a client of a server calls. */
export interface PosClientSettings extends ClientSettings {
  readonly apiKey: string;
  /** Operations of card machines need it. */
  readonly softwareHouseId?: string | undefined;
  /** Operations of card machines need it. */
  readonly resellerId?: string | undefined;
}

type Payments = ReturnType<typeof createPaymentResources>;
type Restaurant = ReturnType<typeof createRestaurantResources>;
type Account = ReturnType<typeof createAccountResources>;

/** A client of the payments API, for servers. Throws `PosUsageError` for settings that cannot work. */
export class PosClient {
  readonly paymentIntents: Payments['paymentIntents'];
  readonly setupIntents: Payments['setupIntents'];
  readonly customers: Payments['customers'];
  readonly transactions: Payments['transactions'];
  readonly terminals: Restaurant['terminals'];
  readonly terminalSessions: Restaurant['terminalSessions'];
  readonly payAtTable: Restaurant['payAtTable'];
  readonly epos: Restaurant['epos'];
  readonly webhooks: Account['webhooks'];
  readonly apiKeys: Account['apiKeys'];
  readonly branding: Account['branding'];
  readonly reconciliation: Account['reconciliation'];
  readonly alarms: Account['alarms'];
  readonly sandbox: Account['sandbox'];
  readonly health: Account['health'];
  readonly #settings: SenderSettings;

  constructor(settings: PosClientSettings) {
    this.#settings = readServerSettings(settings);
    const method = createMethodMaker(this.#settings, OPERATIONS);
    const payments = createPaymentResources(method);
    const restaurant = createRestaurantResources(method);
    const account = createAccountResources(method);
    ({
      paymentIntents: this.paymentIntents,
      setupIntents: this.setupIntents,
      customers: this.customers,
      transactions: this.transactions,
    } = payments);
    ({
      terminals: this.terminals,
      terminalSessions: this.terminalSessions,
      payAtTable: this.payAtTable,
      epos: this.epos,
    } = restaurant);
    ({
      webhooks: this.webhooks,
      apiKeys: this.apiKeys,
      branding: this.branding,
      reconciliation: this.reconciliation,
      alarms: this.alarms,
      sandbox: this.sandbox,
      health: this.health,
    } = account);
  }

  /** Calls an operation by its id in the contract, for programs that choose it at run time. */
  async call<Id extends keyof OperationTypes>(
    id: Id,
    ...args: [...OperationTypes[Id]['args'], options?: CallOptions | undefined]
  ): Promise<OperationTypes[Id]['returns']> {
    return createMethodMaker(this.#settings, OPERATIONS)(id)(...args);
  }
}

function readServerSettings(settings: PosClientSettings): SenderSettings {
  const { apiKey } = settings;
  if (isBrowser()) {
    throw new PosUsageError('an API key in a browser can be read by everybody; use PayerClient there');
  }
  if (!/^[!-~]+$/.test(apiKey)) throw new PosUsageError('apiKey is empty, or has characters that no key has');
  return {
    ...readSettings(settings),
    apiKey,
    softwareHouseId: settings.softwareHouseId ?? null,
    resellerId: settings.resellerId ?? null,
  };
}

/** Pages and workers of browsers. */
function isBrowser(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}

import { CardVaultServiceService } from '@pos/grpc-contracts/card-vault';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';

/** The apps between which there are internal calls. A certificate names one by its DNS name. */
export const SERVICE_APPS = [
  'admin',
  'api',
  'card-vault',
  'epos-tester',
  'pay-at-table-gateway',
  'webhook-worker',
] as const;
export type ServiceApp = (typeof SERVICE_APPS)[number];

/** The apps with an internal port. */
export type InternalApp = Extract<ServiceApp, 'card-vault' | 'pay-at-table-gateway'>;

/** Apps that call, or may call. */
export type Callers = readonly ServiceApp[];

/** Which apps may call an rpc of the card vault. An rpc without a row does not compile. */
const CARD_VAULT_CALLERS: Readonly<Record<keyof typeof CardVaultServiceService, Callers>> = {
  chargeStoredCard: ['api'],
  describeCard: ['api', 'admin'],
  eraseCard: ['api'],
  reverseAuthorisation: ['api', 'webhook-worker'],
};

/**
 * Which apps may call an rpc of a gateway. Gateways forward calls and events to each other. Which calls `call` makes for
 * an app is decided by the gateway: see its `call-admission.ts`.
 */
const GATEWAY_CALLERS: Readonly<Record<keyof typeof EposServiceService, Callers>> = {
  call: ['pay-at-table-gateway', 'epos-tester', 'api'],
  handleEvent: ['webhook-worker'],
  listConnections: ['epos-tester', 'admin'],
};

const CALLERS_OF_PATH: ReadonlyMap<string, Callers> = new Map([
  ...indexCallers(CardVaultServiceService, CARD_VAULT_CALLERS),
  ...indexCallers(EposServiceService, GATEWAY_CALLERS),
]);

function indexCallers<Rpc extends string>(
  service: Readonly<Record<Rpc, { readonly path: string }>>,
  callers: Readonly<Record<Rpc, Callers>>,
): [string, Callers][] {
  return (Object.keys(callers) as Rpc[]).map((rpc) => [service[rpc].path, callers[rpc]]);
}

/** The apps that may call an rpc, by its path `/package.Service/Method`; none for a path without a row. */
export function listCallers(path: string): Callers {
  return CALLERS_OF_PATH.get(path) ?? [];
}

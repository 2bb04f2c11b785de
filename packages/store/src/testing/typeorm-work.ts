import { createCustomer } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import type { Difference } from '@pos/core/ledger';
import { randomBytes, randomUUID } from 'node:crypto';
import type { EntitySubscriberInterface } from 'typeorm';
import type { Database, Tx } from '../database/database.js';
import * as accounts from '../repositories/accounts.js';
import { listAlarms, listUnansweredAlarms, lockAlarm, updateAlarmAnswer } from '../repositories/alarms.js';
import { deleteApiKey, insertApiKey, listApiKeys, lockApiKeys, updateApiKey } from '../repositories/api-keys.js';
import { listAuditEntries, searchAuditEntries } from '../repositories/audit-entries.js';
import { deleteCustomerSecrets, findCustomers, insertCustomer, updateCustomer } from '../repositories/customers.js';
import { deleteEposIntegration, putEposIntegration } from '../repositories/epos-integrations.js';
import { findLocation, insertLocation, listLocations, updateLocation } from '../repositories/locations.js';
import { countMailsSince, listMails } from '../repositories/mails.js';
import { listOperatorCalls } from '../repositories/operator-calls.js';
import * as testerRuns from '../repositories/tester-runs.js';
import * as differences from '../reconciliation/reconciliation-differences.js';
import { insertTerminal, lockTerminal, updateTerminal } from '../terminals/terminals.js';
import { findDeadLetter, listDeadLetters } from '../webhooks/dead-letters.js';
import { findDelivery, findDeliveryOfEvent, searchDeliveries } from '../webhooks/deliveries.js';
import * as webhooks from '../webhooks/subscriptions.js';

/** Work that TypeORM does, and the verbs and relations of the statements that it sends. */
export interface TypeormWork {
  readonly name: string;
  readonly sends: readonly string[];
  readonly run: (tx: Tx) => Promise<unknown>;
}

const EPOCH = new Date(0);
const createTestId = <Kind extends Parameters<typeof createId>[0]>(kind: Kind) =>
  createId(kind, 'sandbox', randomBytes(16));
const [subscriptionId, terminalId, keyId] = [
  createTestId('subscription'),
  createTestId('terminal'),
  createTestId('apiKey'),
];
const [locationId, deliveryId, customerId] = [
  createTestId('location'),
  createTestId('delivery'),
  createTestId('customer'),
];
const secret = { id: createTestId('secret'), value: 'text', isActive: true, createdAt: EPOCH, lastUsedAt: null };
const subscription: webhooks.Subscription = {
  ...{ id: subscriptionId, url: 'https://a.example', description: null, isPaused: false, createdAt: EPOCH },
  ...{ events: ['payment_intent.created'], secrets: [secret], updatedAt: EPOCH },
};
const intentId = createTestId('paymentIntent');
const eventId = createTestId('event');
const customer = createCustomer(customerId, { name: 'Kim' }, EPOCH);
const location = {
  id: locationId,
  name: 'Bar',
  address: null,
  phoneNumber: null,
  timeZone: 'UTC',
  createdAt: EPOCH,
  updatedAt: EPOCH,
};
const testerRun: testerRuns.TesterRun = {
  ...{ id: randomUUID(), flow: 'pay', status: 'IN_PROGRESS', startedAt: EPOCH, finishedAt: null },
  ...{ steps: [], params: {} },
};
const settings = {
  storedSettings: {},
  tradingName: 'a',
  merchantId: 'b',
  currencies: ['GBP'],
  cardAttestationUntil: null,
};
const difference: Difference = {
  ...{ id: randomUUID(), kind: 'NotBooked', reference: 'a', paymentIntentId: null, amount: null, ours: null },
  ...{ theirs: null, says: 'a test', happenedAt: EPOCH, state: 'Open', firstSeenAt: EPOCH, lastSeenAt: EPOCH },
};
const endedRun = { id: testerRun.id, status: 'SUCCESS', finishedAt: EPOCH, steps: [] } as const;
const answer = { note: 'seen', keyId, answeredAt: EPOCH };
const newKey = { id: keyId, text: 'sk_sandbox_text', label: 'a test', permissions: ['payments.read'] } as const;
const epos = { kind: 'grpc', url: 'https://a.example', username: 'a', password: 'b', capabilities: [] } as const;

const CURSOR = { createdAt: EPOCH, id: 'a', seen: null };
const PAGES = [
  { limit: 3, cursor: null, direction: 'older' },
  { limit: 3, cursor: CURSOR, direction: 'older' },
  { limit: 3, cursor: CURSOR, direction: 'newer' },
] as const;

/** Every function that uses TypeORM, with arguments that reach each of its statements. */
export const TYPEORM_WORK: readonly TypeormWork[] = [
  defineWork('insertAccount', 'insert accounts, insert locations', (tx) => insertTestAccount(tx)),
  defineWork('listAccountIds', 'select accounts', (tx) => accounts.listAccountIds(tx, '', 2)),
  defineWork('listAdministeredAccounts', 'select accounts', (tx) => accounts.listAdministeredAccounts(tx, '', 2)),
  defineWork('findAdministeredAccount', 'select accounts', accounts.findAdministeredAccount),
  defineWork('lockAccount', 'select accounts', accounts.lockAccount),
  ofAccount('updateAccountStatus', (tx) => accounts.updateAccountStatus(tx, 'Disabled', 'a test')),
  ofAccount('updateAccountSettings', (tx) => accounts.updateAccountSettings(tx, { hasSandboxEpos: true })),
  ofAccount('replaceAccountSettings', (tx) => accounts.replaceAccountSettings(tx, settings)),

  ...PAGES.flatMap((page, index) => [
    defineWork(`listOperatorCalls, page ${index}`, 'select operator_calls', (tx) => listOperatorCalls(tx, page)),
    defineWork(`listMails, page ${index}`, 'select mails', (tx) => listMails(tx, page)),
    ...[null, false, true].map((isAnswered) =>
      defineWork(`listAlarms ${isAnswered}, page ${index}`, 'select alarms', (tx) =>
        listAlarms(tx, { ...page, isAnswered }),
      ),
    ),
    ...[null, 'Held' as const].map((state) =>
      defineWork(`searchDeliveries ${state}, page ${index}`, 'select deliveries', (tx) =>
        searchDeliveries(tx, subscriptionId, { ...page, state }),
      ),
    ),
  ]),
  ...PAGES.flatMap((page, index) =>
    [null, 'Open' as const].map((state) =>
      defineWork(`listDifferences ${state}, page ${index}`, 'select reconciliation_differences', (tx) =>
        differences.listDifferences(tx, { ...page, state }),
      ),
    ),
  ),
  defineWork('listOpenDifferences', 'select reconciliation_differences', differences.listOpenDifferences),
  defineWork('lockDifference', 'select reconciliation_differences', (tx) =>
    differences.lockDifference(tx, randomUUID()),
  ),
  defineWork('updateDifference', 'update reconciliation_differences', (tx) =>
    differences.updateDifference(tx, difference),
  ),
  ...[null, EPOCH].map((before) =>
    defineWork(`listAuditEntries ${before === null ? '' : 'before a time'}`, 'select audit_entries', (tx) =>
      listAuditEntries(tx, { before, limit: 3 }),
    ),
  ),
  defineWork('searchAuditEntries', 'select audit_entries', (tx) =>
    searchAuditEntries(tx, {
      ...{
        accountId: tx.scope.accountId,
        actors: ['ann'],
        action: 'CreateAccount',
        subject: 'a',
        from: EPOCH,
        to: EPOCH,
      },
      ...{ after: { createdAt: EPOCH, id: randomUUID() }, limit: 3 },
    }),
  ),
  defineWork('countMailsSince', 'count mails', (tx) => countMailsSince(tx, intentId, EPOCH)),
  defineWork('listUnansweredAlarms', 'select alarms', (tx) =>
    listUnansweredAlarms(tx, { kind: 'MachineApprovalDiffers', subject: 'reference' }),
  ),
  defineWork('findDifference', 'select reconciliation_differences', (tx) =>
    differences.findDifference(tx, randomUUID()),
  ),
  defineWork('findOpenDifference', 'select reconciliation_differences', (tx) =>
    differences.findOpenDifference(tx, 'NotBooked', 'reference'),
  ),
  defineWork('lockAlarm', 'select alarms', (tx) => lockAlarm(tx, randomUUID())),
  defineWork('updateAlarmAnswer', 'update alarms', (tx) => updateAlarmAnswer(tx, randomUUID(), answer)),

  defineWork('insertApiKey', 'insert api_keys', (tx) => insertApiKey(tx, newKey)),
  defineWork('listApiKeys', 'select api_keys', listApiKeys),
  defineWork('lockApiKeys', 'select api_keys', lockApiKeys),
  defineWork('updateApiKey', 'update api_keys', (tx) => updateApiKey(tx, keyId, { isStrict: false })),
  defineWork('deleteApiKey', 'update api_keys', (tx) => deleteApiKey(tx, keyId)),

  defineWork('insertLocation', 'insert locations', (tx) => insertLocation(tx, location)),
  defineWork('findLocation', 'select locations', (tx) => findLocation(tx, locationId)),
  defineWork('listLocations', 'select locations', listLocations),
  defineWork('updateLocation', 'update locations', (tx) => updateLocation(tx, locationId, { name: 'Hall' })),

  defineWork('insertTerminal', 'insert terminals', (tx) =>
    insertTerminal(tx, { id: terminalId, tid: '1', name: 'Bar' }),
  ),
  defineWork('lockTerminal', 'select terminals', (tx) => lockTerminal(tx, terminalId)),
  defineWork('updateTerminal', 'update terminals', (tx) => updateTerminal(tx, terminalId, { name: 'Hall' })),

  defineWork('insertTesterRun', 'insert tester_runs', (tx) => testerRuns.insertTesterRun(tx, testerRun)),
  defineWork('findTesterRun', 'select tester_runs', (tx) => testerRuns.findTesterRun(tx, testerRun.id)),
  defineWork('updateTesterRun', 'update tester_runs', (tx) => testerRuns.updateTesterRun(tx, endedRun)),
  defineWork('countRunningTesterRuns', 'count tester_runs', testerRuns.countRunningTesterRuns),
  defineWork('deleteTesterRuns', 'delete tester_runs', (tx) => testerRuns.deleteTesterRuns(tx, EPOCH)),
  defineWork('lockTesterRuns', 'select accounts', testerRuns.lockTesterRuns),

  defineWork('insertCustomer, updateCustomer', 'insert customers, update customers', async (tx) => {
    await insertCustomer(tx, customer);
    await updateCustomer(tx, { ...customer, name: 'Lou' });
  }),
  defineWork('findCustomers', 'select customers', (tx) => findCustomers(tx, [customerId])),
  defineWork('deleteCustomerSecrets', 'delete customer_secrets', (tx) => deleteCustomerSecrets(tx, customerId)),

  defineWork('putEposIntegration', 'upsert epos_integrations', (tx) => putEposIntegration(tx, epos)),
  defineWork('deleteEposIntegration', 'delete epos_integrations', (tx) => deleteEposIntegration(tx, 'grpc')),

  defineWork('lockSubscriptions', 'select webhook_subscriptions', webhooks.lockSubscriptions),
  defineWork(
    'insertSubscription',
    'insert webhook_subscriptions, insert webhook_subscription_kinds, insert webhook_secrets',
    (tx) => webhooks.insertSubscription(tx, subscription),
  ),
  ...[[], ['payment_intent.created'] as const].map((events) =>
    defineWork(
      `updateSubscription to ${events.length} kinds`,
      `update webhook_subscriptions, delete webhook_subscription_kinds`,
      (tx) => webhooks.updateSubscription(tx, subscription, { ...subscription, events }),
    ),
  ),
  defineWork(
    'deleteSubscription',
    'delete webhook_subscription_kinds, delete webhook_secrets, update webhook_subscriptions',
    (tx) => webhooks.deleteSubscription(tx, subscriptionId),
  ),
  defineWork('activateWebhookSecret', 'update webhook_secrets, update webhook_secrets', (tx) =>
    webhooks.activateWebhookSecret(tx, subscriptionId, secret.id),
  ),
  defineWork('deleteWebhookSecret', 'delete webhook_secrets', (tx) =>
    webhooks.deleteWebhookSecret(tx, subscriptionId, secret.id),
  ),
  defineWork('findTakenKinds', 'select webhook_subscription_kinds', (tx) =>
    webhooks.findTakenKinds(tx, subscription.events),
  ),
  defineWork('findSubscriptions', 'select webhook_subscriptions', webhooks.findSubscriptions),
  defineWork('findSubscription', 'select webhook_subscriptions', (tx) => webhooks.findSubscription(tx, subscriptionId)),
  defineWork('findDelivery', 'select deliveries', (tx) => findDelivery(tx, { id: deliveryId, subscriptionId })),
  defineWork('searchDeliveries of a subject', 'select deliveries', (tx) =>
    searchDeliveries(tx, subscriptionId, { ...PAGES[0], state: null, subjectIds: [intentId] }),
  ),
  defineWork('findDeliveryOfEvent', 'select deliveries', (tx) => findDeliveryOfEvent(tx, { eventId, subscriptionId })),
  defineWork('listDeadLetters', 'select deliveries', (tx) => listDeadLetters(tx, 3)),
  defineWork('findDeadLetter', 'select deliveries', (tx) => findDeadLetter(tx, deliveryId)),
];

function defineWork(name: string, sends: string, run: TypeormWork['run']): TypeormWork {
  return { name, sends: sends.split(', '), run };
}

/** Work on an account, which is inserted first. */
function ofAccount(name: string, change: TypeormWork['run']): TypeormWork {
  return defineWork(name, 'insert accounts, insert locations, update accounts', async (tx) => {
    await insertTestAccount(tx);
    await change(tx);
  });
}

function insertTestAccount(tx: Tx): Promise<boolean> {
  const { accountId: id } = tx.scope;
  const account = { id, name: 'a', tradingName: 'a', locationId, merchantId: 'b', currencies: ['GBP'] };
  return accounts.insertAccount(tx, { ...account, settings: {}, createdAt: EPOCH }, { isSeeded: false });
}

/** A statement of TypeORM as it leaves. */
export interface TypeormStatement {
  /** Its name in traces. */
  readonly label: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Does the work in a transaction, which is undone, and returns what TypeORM sends for it. */
export async function recordStatements(
  database: Database,
  scope: Scope,
  { run }: Pick<TypeormWork, 'run'>,
): Promise<TypeormStatement[]> {
  const { subscribers } = database.dataSource;
  const sent: TypeormStatement[] = [];
  const subscriber: EntitySubscriberInterface = {
    beforeQuery: ({ query, parameters, queryRunner }) => {
      const { label = '' } = queryRunner.data as { readonly label?: string };
      sent.push({ label, sql: query, values: parameters as readonly unknown[] });
    },
  };
  subscribers.push(subscriber);
  const undone = new Error('the transaction is undone');
  try {
    await database.transact(scope, async (tx) => {
      await run(tx);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  } finally {
    subscribers.splice(subscribers.indexOf(subscriber), 1);
  }
  return sent;
}

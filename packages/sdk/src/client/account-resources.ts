import type { OPERATIONS } from '../gen/operations.js';
import type { CallOptions } from '../http/sender.js';
import { iterateList } from './iterators.js';
import type { Method, MethodMaker } from './method.js';

/** Webhooks, keys, and what operators and developers call. */
export function createAccountResources(method: MethodMaker<keyof typeof OPERATIONS>) {
  const listDeliveries = method('listDeliveries');
  const listDifferences = method('listReconciliationDifferences');
  const listAlarms = method('listAlarms');
  const readMailbox = method('readMailbox');
  return {
    webhooks: {
      listEventKinds: method('listEventKinds'),
      create: method('createSubscription'),
      list: method('listSubscriptions'),
      read: method('readSubscription'),
      change: method('changeSubscription'),
      delete: method('deleteSubscription'),
      listSecrets: method('listSecrets'),
      createSecret: method('createSecret'),
      activateSecret: method('activateSecret'),
      deleteSecret: method('deleteSecret'),
      listDeliveries,
      listAllDeliveries: (subscriptionId: string, ...rest: Rest<'listDeliveries'>) =>
        iterateList((query: Parameters<typeof listDeliveries>[1] & object, options?: CallOptions) =>
          listDeliveries(subscriptionId, query, options),
        )(...rest),
      replayDelivery: method('replayDelivery'),
      replayEvents: method('replayEvents'),
    },
    apiKeys: {
      create: method('createApiKey'),
      list: method('listApiKeys'),
      change: method('changeApiKey'),
      delete: method('deleteApiKey'),
    },
    branding: { get: method('getBranding'), change: method('changeBranding') },
    reconciliation: {
      read: method('readReconciliation'),
      start: method('startReconciliation'),
      listDifferences,
      listAllDifferences: iterateList(listDifferences),
      answerDifference: method('answerReconciliationDifference'),
    },
    alarms: { list: listAlarms, listAll: iterateList(listAlarms), answer: method('answerAlarm') },
    sandbox: {
      advanceClock: method('advanceClock'),
      readEpos: method('readSandboxEpos'),
      putEpos: method('putSandboxEpos'),
      readMailbox,
      listAllMails: iterateList(readMailbox),
    },
    health: { readLive: method('readLive'), readReady: method('readReady') },
  };
}

/** What follows the id of the parent: the query and the options. */
type Rest<Id extends keyof typeof OPERATIONS> =
  Parameters<Method<Id>> extends [string, ...infer Others] ? Others : never;

import { readFileSync } from 'node:fs';
import { PosClient } from '@pos/sdk';
import { type Client, openClient } from '@pos/rest-contracts/client';
import type { Agent, RequestInit } from 'undici';
import { WrongUse } from '../failures/wrong-use.js';
import { AccountServer } from './account-server.js';
import type { AnswerLog } from './answer-log.js';
import { CardVault } from './card-vault.js';
import { type DevWorld, findDevWorld } from './dev-world.js';
import { NotReached } from '../failures/not-reached.js';

/** The service that a command calls, and the account in whose name. */
export interface Connection {
  readonly client: PosClient;
  readonly apiUrl: string;
  /** Only a sandbox plays scenarios: with a production key they would move money. */
  readonly isSandbox: boolean;
  /** The running `npm start`; null when the service is somewhere else. */
  readonly dev: DevWorld | null;
  readonly accountName: string | null;
  readonly fetch: typeof fetch;
  readonly answers: AnswerLog;
  /** The card vault, which takes test cards. */
  readonly vault: () => CardVault;
  /** The EPOS tester of `npm start`. */
  readonly tester: () => Client;
  /** What creates throw-away accounts beside `npm start`. */
  readonly accountServer: () => AccountServer;
  /** The control port of the sandbox, and the account there. */
  readonly sandbox: () => { readonly control: Client; readonly accountId: string };
}

type Environment = Readonly<Record<string, string | undefined>>;

interface ConnectionOptions {
  readonly cwd: string;
  /** The restaurant of `npm start`; its first one when left out. */
  readonly account: string | undefined;
  readonly answers: AnswerLog;
}

/** Chooses the service: that of `POS_API_URL` and `POS_API_KEY`, otherwise the running `npm start`. */
export function openConnection(env: Environment, { cwd, account, answers }: ConnectionOptions): Connection {
  const { POS_API_URL: url, POS_API_KEY: key } = env;
  if (url === undefined && key === undefined) return openDevConnection(env, { cwd, account, answers });
  if (url === undefined || key === undefined) {
    throw new WrongUse('POS_API_URL and POS_API_KEY go together: set both, or none for a running npm start');
  }
  if (account !== undefined)
    throw new WrongUse('--account chooses among the restaurants of npm start; unset POS_API_KEY');
  const vaultUrl = env['POS_CARD_VAULT_URL'];
  const send = answers.record(fetch);
  return {
    client: new PosClient({
      ...{ baseUrl: url, apiKey: key, fetch: send },
      ...{ softwareHouseId: env['POS_SOFTWARE_HOUSE'], resellerId: env['POS_RESELLER'] },
    }),
    ...{ apiUrl: url, isSandbox: isSandboxKey(key), dev: null, accountName: null, fetch: send, answers },
    vault: () => {
      if (vaultUrl === undefined) throw new WrongUse('this scenario pays by card: set POS_CARD_VAULT_URL');
      return new CardVault(vaultUrl, send);
    },
    tester: refuseWithoutWorld,
    accountServer: refuseWithoutWorld,
    sandbox: refuseWithoutWorld,
  };
}

function openDevConnection(env: Environment, { cwd, account, answers }: ConnectionOptions): Connection {
  const dev = findDevWorld(env, cwd);
  if (dev === null) {
    throw new NotReached('no sandbox is running here: run npm start, or set POS_API_URL and POS_API_KEY');
  }
  const { urls, resellerId, softwareHouseId, restaurants } = dev;
  const names = restaurants.map(({ name }) => name).join(', ');
  const chosen = restaurants.find(({ name }) => account === undefined || name === account);
  if (chosen === undefined) throw new WrongUse(`--account ${account}: must be one of ${names}`);
  const send = answers.record(createFetch(dev.tls?.ca ?? null));
  return {
    client: new PosClient({ baseUrl: urls.api, apiKey: chosen.apiKey, softwareHouseId, resellerId, fetch: send }),
    ...{
      apiUrl: urls.api,
      isSandbox: isSandboxKey(chosen.apiKey),
      dev,
      accountName: chosen.name,
      fetch: send,
      answers,
    },
    vault: () => new CardVault(urls.cardVault, send),
    tester: () => openClient({ baseUrl: urls.eposTester, apiKey: chosen.apiKey, fetch: send }),
    accountServer: () => new AccountServer(dev.accountServer),
    sandbox: () => ({
      control: openClient({ baseUrl: urls.sandbox, apiKey: null, fetch: send }),
      accountId: chosen.accountId,
    }),
  };
}

function refuseWithoutWorld(): never {
  throw new WrongUse('this command needs the sandbox of npm start; unset POS_API_URL and POS_API_KEY');
}

function isSandboxKey(key: string): boolean {
  return key.startsWith('sk_sandbox_');
}

/** `fetch` that trusts this authority; that of Node for null. */
function createFetch(caFile: string | null): typeof fetch {
  if (caFile === null) return fetch;
  const ca = readFileSync(caFile, 'utf8');
  let dispatcher: Agent | undefined;
  const send = async (url: string, init: RequestInit) => {
    // A world without TLS does not wait for these modules.
    const undici = await import('undici');
    dispatcher ??= new undici.Agent({ connect: { ca } });
    return undici.fetch(url, { ...init, dispatcher });
  };
  // The types of the package and of Node differ in members that no caller here uses.
  return send as unknown as typeof fetch;
}

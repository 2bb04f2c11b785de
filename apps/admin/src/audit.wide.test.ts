import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SYSTEM_ACCOUNT_ID, SYSTEM_SCOPE } from '@pos/core/administration';
import { listPortalUsers } from '@pos/administration/portal';
import { createSubscription } from '@pos/payments/webhooks';
import { countSignInAttempt, lockSignInSource } from '@pos/store/portal';
import { createTestDatabase, requireAgreedSettings, TEST_SECRETS } from '@pos/store/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadCommands } from '@pos/command-line/testing';
import { CATALOG } from './commands/all-commands.js';
import {
  type CommandEnvironment,
  createCommandEnvironment,
  createDifference,
  declareAcquirer,
  REASON,
} from './testing/command-environment.js';
import { CHANGED_RELATIONS } from './testing/changed-relations.js';
import { createDepositRecipes } from './testing/deposit-recipes.js';
import { createPartnerRecipes, type Recipe } from './testing/partner-recipes.js';
import { testEvery } from '@pos/testing';

let environment: CommandEnvironment;
const folder = mkdtempSync(path.join(tmpdir(), 'pos-audit-'));
beforeAll(async () => {
  environment = await createCommandEnvironment({ sharesDatabase: true });
  // An actor whose entries the database refuses: then the change must not be stored, either.
  await environment.query(`alter table audit_entries add constraint refused check (actor <> 'refused')`);
});
afterAll(async () => {
  await environment.close();
  rmSync(folder, { recursive: true });
});

const SYSTEM = { account: SYSTEM_ACCOUNT_ID } as const;

async function registerTerminal(account: string): Promise<string> {
  const words = ['--account', account, '--tid', '1', '--name', 'Bar', ...REASON];
  return (await environment.runJson<{ id: string }>(['terminal', 'register', ...words])).id;
}

const createName = (): string => `n${String(process.hrtime.bigint())}`;

/** Returns the e-mail address of a new user of the portal. */
async function createPortalUser(): Promise<string> {
  const email = `${createName()}@corner.example`;
  await environment.runJson(['portal-user', 'create', '--email', email, '--name', 'Ann Lee', ...REASON]);
  return email;
}

/** Locks the sign-in of a user, as ten wrong passwords do. */
async function lockPortalUser(email: string): Promise<void> {
  const { database } = environment.testDatabase;
  const user = (await listPortalUsers(database)).find((each) => each.email === email);
  if (user === undefined) throw new Error('there is no such user');
  const source = { userId: user.id, source: 'any', max: 1 } as const;
  await database.transact(SYSTEM_SCOPE, async (tx) => {
    await countSignInAttempt(tx, source);
    await lockSignInSource(tx, { ...source, lockMs: 60_000 });
  });
}

/** A request of another person for a second operator. */
async function createRequest(): Promise<string> {
  const id = createName();
  await environment.query(
    `insert into operator_approvals (id, operation, target, action_hash, source, state, requested_by, requester, reason,
       requested_at, expires_at)
     values ($1, 'CreateOperator', '{}', '', 'command', 'Waiting', 'bob',
       '{"operatingSystem": {"login": 2000, "numbers": [2000]}}', 'r', now(), now() + interval '1 day')`,
    [id],
  );
  return id;
}

/** A dead letter of the account. */
async function createDeadLetter(account: string): Promise<string> {
  const scope = { accountId: account as `acc_${string}`, environment: 'production' } as const;
  return environment.testDatabase.database.transact(scope, async (tx) => {
    const { id } = await createSubscription(tx, {
      url: 'https://receiver.example/hook',
      description: null,
      events: ['payment_intent.status_updated'],
    });
    const [eventId, deliveryId] = [await tx.newId('event'), await tx.newId('delivery')];
    await tx.runWithManager('insert_event', (manager) =>
      manager.query(
        `insert into events (account_id, environment, id, kind, subject_id, number, subscription_id, body, created_at,
         recorded_at) values ($1, 'production', $2, 'payment_intent.status_updated', 'pi_x', 1, $3, '{}', now(), now())`,
        [account, eventId, id],
      ),
    );
    await tx.runWithManager('insert_delivery', (manager) =>
      manager.query(
        `insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state,
         attempts, last_status, created_at, updated_at)
       values ($1, 'production', $2, 1, $2, $3, $4, 'DeadLettered', 12, 503, now(), now())`,
        [account, deliveryId, eventId, id],
      ),
    );
    return deliveryId;
  });
}

/** A call to the acquirer that has been open for a day. */
async function createOpenCall(account: string): Promise<string> {
  const reference = `call-${account.slice(4)}`;
  await environment.query(
    `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, state, amount, currency, deadline_at,
       version, created_at, updated_at)
     values ($1, 'production', 'merchant-1', $2, 'Capture', 'Unknown', 100, 'GBP', now() - interval '1 day', 1, now(), now())`,
    [account, reference],
  );
  return reference;
}

async function agree(name: string): Promise<void> {
  const { dataSource } = environment.testDatabase.database;
  await requireAgreedSettings(dataSource, { app: 'api', settings: { [name]: 'first' } });
}

/** For each command that changes something: how it succeeds. */
const RECIPES: Readonly<Record<string, (account: string) => Promise<Recipe>>> = {
  'approval approve': async () => ({ words: ['--id', await createRequest()], ...SYSTEM }),
  'approval refuse': async () => ({ words: ['--id', await createRequest()], ...SYSTEM }),
  'approval require': async () => {
    await environment.query('update operator_rules set second_operator = true');
    return { words: ['--off', '--as-owner'], ...SYSTEM };
  },
  'account create': async () => ({
    words: ['--name', 'new', '--trading-name', 'New', '--merchant-id', `m${String(process.hrtime.bigint())}`],
    account: 'the new one',
  }),
  'account disable': async (account) => ({ words: ['--account', account], account }),
  'account enable': async (account) => {
    await environment.runJson(['account', 'disable', '--account', account, ...REASON]);
    return { words: ['--account', account], account };
  },
  'location create': async (account) => ({ words: ['--account', account, '--name', 'Terrace'], account }),
  'location update': async (account) => {
    const [first] = await environment.runJson<{ id: string }[]>(['location', 'list', '--account', account]);
    return { words: ['--account', account, '--location', first?.id ?? '', '--phone', '020 7946 0001'], account };
  },
  'terminal register': async (account) => ({ words: ['--account', account, '--tid', '1', '--name', 'Bar'], account }),
  'terminal replace': async (account) => {
    const terminal = await registerTerminal(account);
    return { words: ['--account', account, '--terminal', terminal, '--tid', '2'], account };
  },
  'terminal reset-credential': async (account) => {
    const terminal = await registerTerminal(account);
    return { words: ['--account', account, '--terminal', terminal], account };
  },
  'merchant-number retire': async (account) => {
    const [{ merchant_id: number } = { merchant_id: '' }] = await environment.query<{ merchant_id: string }>(
      'select merchant_id from accounts where account_id = $1',
      [account],
    );
    await createOpenCall(account);
    // Under the number of before, ended, and long ago.
    await environment.query(
      `update acquirer_calls set state = 'Settled', outcome = 'Declined', merchant_id = $2 where account_id = $1`,
      [account, number],
    );
    await environment.runJson(['settings', 'set', `merchantId=new-${number}`, '--account', account, ...REASON]);
    await environment.query(
      `update audit_entries set created_at = created_at - interval '1 hour' where account_id = $1`,
      [account],
    );
    return { words: ['--account', account, '--number', number], account };
  },
  'key create': async (account) => ({ words: ['--account', account, '--role', 'full', '--label', 'shop'], account }),
  'key update': async (account) => {
    const words = ['--account', account, '--role', 'full', '--label', 'shop', ...REASON];
    const { id } = await environment.runJson<{ id: string }>(['key', 'create', ...words]);
    return { words: ['--account', account, '--key', id, '--strict', 'off'], account };
  },
  'key revoke': async (account) => {
    const words = ['--account', account, '--role', 'full', '--label', 'shop', ...REASON];
    const { id } = await environment.runJson<{ id: string }>(['key', 'create', ...words]);
    return { words: ['--account', account, '--key', id], account };
  },
  'settings set': async (account) => ({
    words: ['payAtTable.asksWaiterId=true', 'serviceManagedEpos=GetOrderById', '--account', account],
    account,
  }),
  'pending resolve': async (account) => {
    const id = await createOpenCall(account);
    return { words: ['--account', account, '--id', id, '--action', 'RetryNow'], account };
  },
  'pending answer': async (account) => {
    const id = await createDifference(environment, account);
    return { words: ['--account', account, '--id', id], account };
  },
  reconcile: async (account) => {
    const [row] = await environment.query<{ from: string }>(`select (current_date - 2)::text as "from"`);
    return { words: ['--account', account, '--from', row?.from ?? '', '--wait', '0'], account };
  },
  'webhooks replay': async (account) => {
    const delivery = await createDeadLetter(account);
    return { words: ['--account', account, '--delivery', delivery], account };
  },
  'settlement import': async (account) => {
    const file = path.join(folder, 'settlement.csv');
    const line = 'cp_unknown,capture,2000,GBP,2026-03-02,B-0417,14';
    await declareAcquirer(environment);
    writeFileSync(file, `reference,kind,amount,currency,booked_on,batch,fee\n${line}\n`);
    return { words: ['--account', account, '--file', file], account };
  },
  'settlement declare-empty': async (account) => {
    await declareAcquirer(environment);
    return { words: ['--account', account, '--from', '2025-03-01', '--to', '2025-03-02'], account };
  },
  'portal-user create': async () => ({
    words: ['--email', `${createName()}@corner.example`, '--name', 'Ann Lee'],
    ...SYSTEM,
  }),
  'portal-user disable': async () => ({ words: ['--email', await createPortalUser()], ...SYSTEM }),
  'portal-user enable': async () => {
    const email = await createPortalUser();
    await environment.runJson(['portal-user', 'disable', '--email', email, ...REASON]);
    return { words: ['--email', email], ...SYSTEM };
  },
  'portal-user reset-password': async () => ({ words: ['--email', await createPortalUser()], ...SYSTEM }),
  'portal-user reset-second-factor': async () => ({ words: ['--email', await createPortalUser()], ...SYSTEM }),
  'portal-user unlock': async () => {
    const email = await createPortalUser();
    await lockPortalUser(email);
    return { words: ['--email', email], ...SYSTEM };
  },
  'portal-user end-sessions': async () => {
    const email = await createPortalUser();
    await environment.query(
      `insert into portal_sessions (id_hash, user_id, created_at, used_at, expires_at, authenticated_at)
       select sha256(id::bytea), id, now(), now(), now() + interval '1 hour', now() from portal_users where email = $1`,
      [email],
    );
    return { words: ['--email', email], ...SYSTEM };
  },
  'portal-user grant': async (account) => ({
    words: ['--email', await createPortalUser(), '--account', account, '--role', 'support'],
    account,
  }),
  'portal-user revoke': async (account) => {
    const words = ['--email', await createPortalUser(), '--account', account];
    await environment.runJson(['portal-user', 'grant', ...words, '--role', 'support', ...REASON]);
    return { words, account };
  },
  ...createPartnerRecipes(() => environment),
  ...createDepositRecipes(() => environment),
  'keys rotate': async () => ({ words: ['--key', 'encryption-key'], ...SYSTEM }),
  'agreed-settings change': async () => {
    await agree('CHANGED');
    return { words: ['--name', 'CHANGED', '--value', 'second'], ...SYSTEM };
  },
  'agreed-settings finish': async () => {
    await agree('FINISHED');
    const words = ['--name', 'FINISHED', '--value', 'second', ...REASON];
    await environment.runJson(['agreed-settings', 'change', ...words]);
    return { words: ['--name', 'FINISHED'], ...SYSTEM };
  },
  'agreed-settings reset': async () => {
    await agree('RESET');
    return { words: [], ...SYSTEM };
  },
};

const CHANGES = (await loadCommands(CATALOG)).filter(({ isChange }) => isChange).map(({ path }) => path.join(' '));

test('every command that changes something has a recipe here', () => {
  expect(Object.keys(RECIPES).sort()).toEqual([...CHANGES].sort());
});

interface Entry {
  readonly account_id: string;
  readonly actor: string;
  readonly reason: string;
  readonly state_before: unknown;
  readonly state_after: unknown;
}

function readEntries(): Promise<Entry[]> {
  return environment.query<Entry>('select account_id, actor, reason, state_before, state_after from audit_entries');
}

/** The rows that the commands change, as text. */
async function readRows(): Promise<unknown> {
  const texts = CHANGED_RELATIONS.map(async (name) => [
    name,
    await environment.query(`select md5(string_agg(r::text, ',' order by r::text)) as rows from ${name} r`),
  ]);
  return Object.fromEntries((await Promise.all(texts)) as [string, unknown][]);
}

/** A comparison has a finding until a worker has finished it, and the settlement file has a line that nobody asked for. */
const HAS_FINDINGS: ReadonlySet<string> = new Set(['reconcile', 'settlement import']);

testEvery(4)(CHANGES)('%s is stored with exactly one audit entry, in one transaction', async (command) => {
  const recipe = await RECIPES[command]!(await environment.createAccount());
  const words = [...command.split(' '), ...recipe.words, '--reason', `why of ${command}`];
  const [entriesBefore, rowsBefore] = [await readEntries(), await readRows()];

  const refused = await environment.run([...words, '--actor', 'refused']);
  expect([refused.exitCode, refused.output]).toEqual([4, '']);
  expect(await readRows()).toEqual(rowsBefore);
  expect(await readEntries()).toEqual(entriesBefore);

  const { exitCode, error } = await environment.run([...words, '--actor', 'anna']);
  expect([exitCode, error]).toEqual([HAS_FINDINGS.has(command) ? 1 : 0, '']);
  const added = (await readEntries()).filter(({ reason }) => reason === `why of ${command}`);
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({ actor: 'anna' });
  if (recipe.account !== 'the new one') expect(added[0]?.account_id).toBe(recipe.account);
  expect((await readEntries()).length).toBe(entriesBefore.length + 1);
  if (command !== 'keys rotate') expect(await readRows()).not.toEqual(rowsBefore);
});

test('an entry has the states before and after, and no secret', async () => {
  const account = await environment.createAccount();
  const words = ['--account', account, '--role', 'full', '--label', 'shop', '--reason', 'a key'];
  const { text } = await environment.runJson<{ text: string }>(['key', 'create', ...words]);
  await environment.runJson(['settings', 'set', 'site=2 Angel Lane', '--account', account, '--reason', 'a site']);
  const log = await environment.runJson<{ reason: string; before: unknown; after: unknown; actor: string }[]>([
    ...['audit', 'list', '--account', account],
  ]);
  expect(log.map(({ reason }) => reason)).toEqual(['a site', 'a key', 'a test']);
  expect(log[0]).toMatchObject({ before: { site: null }, after: { site: '2 Angel Lane' } });
  expect(log[1]).toMatchObject({ before: null, after: { label: 'shop', role: 'full', last4: text.slice(-4) } });
  expect(JSON.stringify(log)).not.toContain(text);
});

test('a migration is stored, and migrations at the same time all succeed', async () => {
  const runs = await Promise.all([1, 2, 3].map((at) => environment.run(['migrate', '--actor', `m${at}`])));
  expect(runs).toEqual(runs.map(() => ({ exitCode: 0, output: 'the schema was up to date\n', error: '' })));
  const log = await environment.runJson<{ action: string; actor: string }[]>(['audit', 'list', '--system']);
  const actors = log.filter(({ action }) => action === 'Migrate').map(({ actor }) => actor);
  expect(actors.sort()).toEqual(['m1', 'm2', 'm3']);
});

test('an overlap of peppers ends with an entry, and not while keys need the previous pepper', async () => {
  const testDatabase = await createTestDatabase();
  const next = 'the next pepper for tests';
  const open = (pepper: string, acceptedPepper: string) =>
    testDatabase.open({ secrets: { ...TEST_SECRETS, pepper, acceptedPepper } });
  await open(TEST_SECRETS.pepper, next);
  await open(next, TEST_SECRETS.pepper);
  const env = { DATABASE_URL: testDatabase.url, KEY_PEPPER: next, KEY_PEPPER_ACCEPTED: TEST_SECRETS.pepper };
  const words = ['keys', 'rotate', '--key', 'pepper', ...REASON];
  expect(await environment.run(['keys', 'pepper'], env)).toMatchObject({ exitCode: 1 });
  expect(await environment.run(words, env)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('is still needed'),
  });
  expect(await environment.run([...words, '--force'], env)).toMatchObject({ exitCode: 0 });
  const done = { ...env, KEY_PEPPER_ACCEPTED: '' };
  const { output } = await environment.run(['audit', 'list', '--system', '--json'], done);
  expect(JSON.parse(output)).toMatchObject([{ action: 'RetirePepper', subject: 'KEY_PEPPER' }]);
  await testDatabase.close();
});

test('a line that the books do not settle stays open, and the audit log has the decision', async () => {
  const account = await environment.createAccount();
  const id = await createOpenCall(account);
  const words = ['pending', 'resolve', '--account', account, '--id', id, '--action', 'SettleAsListed', ...REASON];
  const silent = await environment.run(words, { ACQUIRER_ADDRESS_PRODUCTION: '127.0.0.1:1' });
  expect([silent.exitCode, silent.error]).toEqual([1, expect.stringContaining('nothing was settled')]);
  const other = await environment.run(words, { ACQUIRER_ADDRESS: '127.0.0.1:1' });
  expect([other.exitCode, other.error]).toEqual([1, expect.stringContaining('no acquirer "default" of production')]);
  const { output } = await environment.run(['pending', 'list', '--account', account]);
  expect(output).toContain(id);
  const { output: audit } = await environment.run(['audit', 'list', '--account', account]);
  expect(audit.match(/ResolvePending/g)).toHaveLength(2);
});

test('an answered difference leaves the pending list, is answered once, and another account does not have it', async () => {
  const account = await environment.createAccount();
  const id = await createDifference(environment, account);
  const answer = (of: string) =>
    environment.run(['pending', 'answer', '--account', of, '--id', id, '--reason', 'a fee, agreed', '--actor', 'anna']);
  const listed = ['pending', 'list', '--account', account];
  expect(await environment.run(listed)).toMatchObject({ exitCode: 1, output: expect.stringContaining(id) });
  const noSuch = { exitCode: 1, error: expect.stringContaining('there is no such difference') };
  expect(await answer(await environment.createAccount())).toMatchObject(noSuch);
  expect(await answer(account)).toEqual({
    ...{ exitCode: 0, error: '' },
    output: `NotAskedFor booked without a call (${id}) is Answered\n`,
  });
  expect(await environment.run(listed)).toMatchObject({ exitCode: 0, output: expect.not.stringContaining(id) });
  expect(await answer(account)).toMatchObject({ exitCode: 1, error: expect.stringContaining('is answered already') });
  const log = await environment.runJson<object[]>(['audit', 'list', '--account', account]);
  const states = { before: { state: 'Open', kind: 'NotAskedFor' }, after: { state: 'Answered' } };
  expect(log[0]).toMatchObject({
    action: 'AnswerDifference',
    actor: 'anna',
    reason: 'a fee, agreed',
    subject: id,
    ...states,
  });
});

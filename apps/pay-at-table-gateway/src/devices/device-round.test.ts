import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TablesServiceClient } from '@pos/grpc-contracts/tables';
import type { Database } from '@pos/store/database';
import type { RunningGateway } from '../boot.js';
import { keyed, machine, paidBy, type TestAccount, TestPlace } from '../testing.js';

/** What a device's lock, record and unlock ask of the database, each of it waited for alone; it is the most of what they cost. */
const STATEMENTS = {
  lock: ['lease_place', 'together'],
  record: ['lease_relay_place', 'together', 'timer_check', 'together'],
  unlock: ['lease_to_end', 'together', 'together'],
};
/** Asked by the clock and not by the call: due work, the time once a second, and what a gateway remembers for a moment. */
const NOT_BY_THE_CALL =
  /^(timers_ready_accounts|guarded_time|connection_live|select_epos_integrations|account_|select_accounts|key_|api_key)/;

let place: TestPlace;
let gateway: RunningGateway;
let account: TestAccount;
let device: TablesServiceClient;
let metadata: Metadata;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway();
  account = await place.account({ epos: 'dialled', hasMachines: false });
  device = place.device(gateway);
  metadata = keyed(account.apiKey);
});
afterAll(() => place.close());

/** A statement, and in which write it left. */
interface Asked {
  readonly name: string;
  readonly trip: number;
}

/** All statements that a database is asked from now on. */
function statementsOf({ dataSource }: Database): Asked[] {
  const asked: Asked[] = [];
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (...mode) => {
    const runner = create(...mode);
    const connect = runner.connect.bind(runner);
    runner.connect = async (): Promise<unknown> => heard((await connect()) as object, asked);
    return runner;
  };
  return asked;
}

let trip = 0;

/** What is asked within a tick of the event loop leaves together. */
function heard(client: object, asked: Asked[]): object {
  let isLeaving = false;
  return new Proxy(client, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      if (key !== 'query') return member.bind(target) as unknown;
      return (query: string | { readonly name: string }): unknown => {
        if (!isLeaving) {
          isLeaving = true;
          trip += 1;
          process.nextTick(() => (isLeaving = false));
        }
        const name =
          typeof query === 'string' ? (query.split(/[ ;]/)[0] ?? '') : query.name.replace(/_[0-9a-f]{12}$/, '');
        asked.push({ name, trip });
        return Reflect.apply(member, target, [query]);
      };
    },
  });
}

function answered<A>(call: (done: (error: ServiceError | null, answer: A) => void) => unknown): Promise<A> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

/** One round of a device; each step with what it has asked of the database. */
async function round(asked: Asked[]): Promise<Record<'lock' | 'record' | 'unlock', Asked[]>> {
  const { restaurant } = account.place.epos!.epos;
  const sessionId = restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
  const requestorInfo = machine('90000001');
  const taken = (): Asked[] => asked.splice(0).filter(({ name }) => !NOT_BY_THE_CALL.test(name));
  taken();
  await answered((done) => device.lockSession({ sessionId, requestorInfo }, metadata, done));
  const lock = taken();
  await answered((done) => device.recordPayment({ payment: paidBy(sessionId), requestorInfo }, metadata, done));
  const record = taken();
  await answered((done) => device.unlockSession({ sessionId, requestorInfo }, metadata, done));
  return { lock, record, unlock: taken() };
}

test("a device's lock, record and unlock ask nine statements of the database and no more", async () => {
  const asked = statementsOf(gateway.gateway.database);
  await round(asked);
  const { lock, record, unlock } = await round(asked);
  if (process.env['PRINT_STATEMENTS'] === 'true') {
    process.stderr.write(`${JSON.stringify({ lock, record, unlock }, null, 1)}\n`);
  }
  const taken = { lock, record, unlock };
  for (const step of ['lock', 'record', 'unlock'] as const) {
    expect({ step, asked: taken[step].map(({ name }) => name) }).toEqual({ step, asked: STATEMENTS[step] });
    const trips = new Set(taken[step].map((each) => each.trip)).size;
    expect({ step, trips }).toEqual({ step, trips: STATEMENTS[step].length });
  }
});

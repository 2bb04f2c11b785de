import { type EposCapability, JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import { Transport } from '@pos/grpc-contracts/gateway-internal';
import { requireAnswer, callTables, checkSchema, getResponse, type TablesCallRequest } from '../scene/asking.js';
import { checkBalance, chooseSession, lockSession, getSession, unlockSession } from '../steps/bill-steps.js';
import { findCheckBill, checkFullBill, checkSession, checkTable } from '../scene/entity-checks.js';
import type { TablesCallName } from '../drivers/epos-driver.js';
import type { Flow, FlowStep } from '../scene/flow.js';
import { runPayStep, recordPayment } from '../steps/pay-steps.js';
import { type ParameterName, listParameters } from '../scene/run-params.js';
import type { TesterStage } from '../scene/scene.js';
import { type AnswerOf, WIRE } from '../drivers/tables-wire.js';

/** The EPOS is connected, or registered with an address. */
const connected: FlowStep = {
  name: 'connected',
  act: async ({ scene, step }) => {
    const { driver, scope } = scene.parts;
    const transport = await scene.transport();
    const { register } = scene.parts;
    const connections = await driver.connections(scope).catch(() => null);
    const live = connections?.filter((each) => isAuto(transport) || each.transport === transport) ?? [];
    for (const { connectionId, transport: taken } of live) step.note(`connection ${connectionId}: ${taken}`);
    step.require(connections !== null, {
      clause: 'connection.live',
      member: 'gateway',
      expected: 'one that can be reached',
      found: undefined,
    });
    const isDialled = transport === Transport.TRANSPORT_TABLES_GRPC_DIALLED || isAuto(transport);
    const isCalled = transport === Transport.TRANSPORT_EPOS_DATA_REST || isAuto(transport);
    const isRegistered =
      (isDialled && (await register.hasAddress(scope, 'grpc'))) ||
      (isCalled && (await register.hasAddress(scope, 'rest')));
    if (isRegistered) step.note('the EPOS is registered with an address');
    step.require(isRegistered || live.length > 0, {
      clause: 'connection.live',
      member: 'transport',
      expected: `a connection for ${scene.params.transport}`,
      found: undefined,
    });
  },
};

/** The request of a method, its preconditions, and the checks of its answer. */
interface MethodFlow<K extends TablesCallName> {
  readonly params: readonly ParameterName[];
  /** What it needs of an EPOS of orders, beyond what every session needs. */
  readonly needs?: readonly EposCapability[];
  /** Played first within the call: they create the subject of the method. */
  readonly before?: readonly FlowStep[];
  readonly question: (stage: TesterStage) => TablesCallRequest<K> | Promise<TablesCallRequest<K>>;
  readonly check: (stage: TesterStage, answer: AnswerOf<K>, asked: TablesCallRequest<K>) => void | Promise<void>;
}

/** One flow for each method of the contract, named after it. */
export const METHOD_FLOWS: readonly Flow[] = [
  createMethodFlow('listSessions', {
    params: ['payableOnly', 'tableName', 'waiterId'],
    question: ({ scene: { params } }) => ({
      isPayable: params.payableOnly ? true : undefined,
      tableNames: params.tableName === null ? [] : [params.tableName],
    }),
    check: async (stage, { sessions }) => {
      const { scene, step } = stage;
      const { payableOnly, tableName } = scene.params;
      sessions.forEach((session, index) => {
        const at = `sessions[${index}]`;
        checkSession(step, session, at);
        const filter = { clause: 'sessions.filter' } as const;
        if (payableOnly) {
          const found = session.isPayable;
          step.check(found, { ...filter, member: `${at}.isPayable`, expected: 'true', found });
        }
        if (tableName === null) return;
        const found = session.tableName;
        step.check(found === tableName, { ...filter, member: `${at}.tableName`, expected: tableName, found });
      });
      await checkOpenAtTables(stage);
    },
  }),
  createMethodFlow('getSession', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (stage) => ({ sessionId: getSession(stage).id }),
    check: (stage, { session }) => {
      if (session === undefined) return;
      const { id } = getSession(stage);
      checkSession(stage.step, session, 'session');
      stage.step.check(session.id.toLowerCase() === id.toLowerCase(), {
        clause: 'session.same',
        member: 'session.id',
        expected: id,
        found: session.id,
      });
    },
  }),
  createMethodFlow('listTables', {
    params: ['waiterId'],
    needs: ['SearchTables'],
    question: () => ({ statuses: [] }),
    check: ({ step }, { tables }) => {
      tables.forEach((table, index) => {
        checkTable(step, table, `tables[${index}]`);
      });
    },
  }),
  createMethodFlow('getTable', {
    params: ['tableName', 'waiterId'],
    needs: ['SearchTables'],
    question: async (stage) => ({ name: await tableName(stage) }),
    check: ({ step }, { table }, asked) => {
      if (table === undefined) return;
      checkTable(step, table, 'table');
      const [expected, found] = [asked.name, table.name];
      step.check(found === expected, { clause: 'table.same', member: 'table.name', expected, found });
    },
  }),
  createMethodFlow('getBillItems', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (stage) => ({ sessionId: getSession(stage).id }),
    check: (stage, { billItems }) => {
      findCheckBill(stage, billItems, { at: 'billItems', sessionId: getSession(stage).id });
    },
  }),
  createMethodFlow('listBillItems', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (stage) => ({ sessionIds: [getSession(stage).id] }),
    check: (stage, { billItems }) => {
      const { id } = getSession(stage);
      stage.step.check(billItems.length === 1, {
        clause: 'bills.filter',
        member: 'billItems',
        expected: 'the bill of the one session',
        found: `${billItems.length} bills`,
      });
      billItems.forEach((bill, index) => {
        findCheckBill(stage, bill, { at: `billItems[${index}]`, sessionId: id });
      });
    },
  }),
  createMethodFlow('getFullBill', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (stage) => ({ sessionId: getSession(stage).id }),
    check: (stage, { fullBill }) => {
      checkFullBill(stage, fullBill, { at: 'fullBill', sessionId: getSession(stage).id });
    },
  }),
  formatMethod('LockSession', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    call: lockSession,
  }),
  formatMethod('UnlockSession', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession, lockSession],
    call: unlockSession,
  }),
  formatMethod('RecordPayment', {
    params: ['sessionId', 'tableName', 'waiterId', 'amount', 'gratuity'],
    before: [chooseSession, lockSession, runPayStep()],
    call: recordPayment,
    after: checkBalance(),
  }),
];

/** The flow of a method that reads: one call, then every check of its answer. */
function createMethodFlow<K extends TablesCallName>(name: K, made: MethodFlow<K>): Flow {
  const { params, needs = [], before = [], question, check } = made;
  return {
    name: WIRE[name].method,
    params: listParameters(...params),
    needs: [...JOURNEY_NEEDS.PayAtTable, ...needs],
    steps: () => {
      let kept: { readonly answer: AnswerOf<K>; readonly asked: TablesCallRequest<K> } | null = null;
      const call: FlowStep = {
        name: 'call',
        act: async (stage) => {
          for (const step of before) await step.act(stage);
          const asked = await question(stage);
          const received = await callTables(stage, name, asked);
          kept = { answer: requireAnswer(stage, received, { name, clause: 'answer.result' }), asked };
        },
      };
      const checkAnswer: FlowStep = {
        name: 'check-schema',
        act: async (stage) => {
          if (kept === null) return;
          checkSchema(stage, name, kept.answer);
          await check(stage, kept.answer, kept.asked);
        },
      };
      return [connected, call, checkAnswer];
    },
  };
}

/** The flow of a method that changes something, which the call creates first. */
function formatMethod(
  name: string,
  {
    params,
    before,
    call,
    after,
  }: {
    readonly params: readonly ParameterName[];
    readonly before: readonly FlowStep[];
    readonly call: FlowStep;
    /** What shows that the call had its effect. */
    readonly after?: FlowStep;
  },
): Flow {
  return {
    name,
    params: listParameters(...params),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      connected,
      {
        name: 'call',
        act: async (stage) => {
          for (const step of [...before, call]) await step.act(stage);
        },
      },
      {
        name: 'check-schema',
        act: async (stage) => {
          stage.scene.checkLast?.(stage);
          await after?.act(stage);
        },
      },
    ],
  };
}

/** The filters without a parameter: open sessions, and sessions at a table. */
async function checkOpenAtTables(stage: TesterStage): Promise<void> {
  const question = { isFinished: false, hasTable: true, tableNames: [] };
  const { sessions } = await getResponse(stage, 'listSessions', { question });
  sessions.forEach(({ finishedAt, tableName: at }, index) => {
    stage.step.check(finishedAt === undefined && at !== undefined, {
      ...{ clause: 'sessions.filter', member: `open sessions[${index}]`, expected: 'an open session at a table' },
      found: `${finishedAt === undefined ? 'open' : 'finished'} at ${at ?? 'no table'}`,
    });
  });
}

async function tableName(stage: TesterStage): Promise<string> {
  const wanted = stage.scene.params.tableName;
  if (wanted !== null) return wanted;
  const { tables } = await getResponse(stage, 'listTables', { question: { statuses: [] } });
  const [table] = tables;
  if (table !== undefined) return table.name;
  return stage.step.fail({ clause: 'sandbox.session', member: 'tables', expected: 'a table', found: undefined });
}

function isAuto(transport: Transport): boolean {
  return transport === Transport.TRANSPORT_UNSPECIFIED;
}

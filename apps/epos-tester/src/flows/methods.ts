import { type EposCapability, JOURNEY_NEEDS } from '@pos/core/tables';
import { Transport } from '@pos/grpc-contracts/gateway-internal';
import {
  requireAnswer,
  callTables,
  checkLastAnswer,
  checkSchema,
  getResponse,
  type TablesCallRequest,
} from '../flow-context/tables-calls.js';
import { checkBalance, chooseSession, lockSession, getSession, unlockSession } from '../steps/bill-steps.js';
import { checkBillItems, checkFullBill, checkSession, checkTable } from '../flow-context/entity-checks.js';
import type { TablesCallName } from '../drivers/epos-driver.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { runPayStep, recordPayment } from '../steps/pay-steps.js';
import { type ParameterName, listParameters } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { type AnswerOf, WIRE } from '../drivers/tables-wire.js';

/** The EPOS is connected, or registered with an address. */
const connected: FlowStep = {
  name: 'connected',
  act: async ({ flowContext, step }) => {
    const { driver, scope } = flowContext.parts;
    const transport = await flowContext.transport();
    const { registration } = flowContext.parts;
    const connections = await driver.connections(scope).catch(() => null);
    const live = connections?.filter((each) => isAuto(transport) || each.transport === transport) ?? [];
    for (const { connectionId, transport: usedTransport } of live)
      step.note(`connection ${connectionId}: ${usedTransport}`);
    step.require(connections !== null, {
      clause: 'connection.live',
      member: 'gateway',
      expected: 'one that can be reached',
      found: undefined,
    });
    const isDialled = transport === Transport.TRANSPORT_TABLES_GRPC_DIALLED || isAuto(transport);
    const isCalled = transport === Transport.TRANSPORT_EPOS_DATA_REST || isAuto(transport);
    const isRegistered =
      (isDialled && (await registration.hasAddress(scope, 'grpc'))) ||
      (isCalled && (await registration.hasAddress(scope, 'rest')));
    if (isRegistered) step.note('the EPOS is registered with an address');
    step.require(isRegistered || live.length > 0, {
      clause: 'connection.live',
      member: 'transport',
      expected: `a connection for ${flowContext.params.transport}`,
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
  readonly question: (context: StepContext) => TablesCallRequest<K> | Promise<TablesCallRequest<K>>;
  readonly check: (context: StepContext, answer: AnswerOf<K>, request: TablesCallRequest<K>) => void | Promise<void>;
}

/** One flow for each method of the contract, named after it. */
export const METHOD_FLOWS: readonly Flow[] = [
  createReadingMethodFlow('listSessions', {
    params: ['payableOnly', 'tableName', 'waiterId'],
    question: ({ flowContext: { params } }) => ({
      isPayable: params.payableOnly ? true : undefined,
      tableNames: params.tableName === null ? [] : [params.tableName],
    }),
    check: async (context, { sessions }) => {
      const { flowContext, step } = context;
      const { payableOnly, tableName } = flowContext.params;
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
      await checkOpenAtTables(context);
    },
  }),
  createReadingMethodFlow('getSession', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (context) => ({ sessionId: getSession(context).id }),
    check: (context, { session }) => {
      if (session === undefined) return;
      const { id } = getSession(context);
      checkSession(context.step, session, 'session');
      context.step.check(session.id.toLowerCase() === id.toLowerCase(), {
        clause: 'session.same',
        member: 'session.id',
        expected: id,
        found: session.id,
      });
    },
  }),
  createReadingMethodFlow('listTables', {
    params: ['waiterId'],
    needs: ['SearchTables'],
    question: () => ({ statuses: [] }),
    check: ({ step }, { tables }) => {
      tables.forEach((table, index) => {
        checkTable(step, table, `tables[${index}]`);
      });
    },
  }),
  createReadingMethodFlow('getTable', {
    params: ['tableName', 'waiterId'],
    needs: ['SearchTables'],
    question: async (context) => ({ name: await tableName(context) }),
    check: ({ step }, { table }, request) => {
      if (table === undefined) return;
      checkTable(step, table, 'table');
      const [expected, found] = [request.name, table.name];
      step.check(found === expected, { clause: 'table.same', member: 'table.name', expected, found });
    },
  }),
  createReadingMethodFlow('getBillItems', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (context) => ({ sessionId: getSession(context).id }),
    check: (context, { billItems }) => {
      checkBillItems(context, billItems, { at: 'billItems', sessionId: getSession(context).id });
    },
  }),
  createReadingMethodFlow('listBillItems', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (context) => ({ sessionIds: [getSession(context).id] }),
    check: (context, { billItems }) => {
      const { id } = getSession(context);
      context.step.check(billItems.length === 1, {
        clause: 'bills.filter',
        member: 'billItems',
        expected: 'the bill of the one session',
        found: `${billItems.length} bills`,
      });
      billItems.forEach((bill, index) => {
        checkBillItems(context, bill, { at: `billItems[${index}]`, sessionId: id });
      });
    },
  }),
  createReadingMethodFlow('getFullBill', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    question: (context) => ({ sessionId: getSession(context).id }),
    check: (context, { fullBill }) => {
      checkFullBill(context, fullBill, { at: 'fullBill', sessionId: getSession(context).id });
    },
  }),
  createChangingMethodFlow('LockSession', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession],
    call: lockSession,
  }),
  createChangingMethodFlow('UnlockSession', {
    params: ['sessionId', 'tableName', 'waiterId'],
    before: [chooseSession, lockSession],
    call: unlockSession,
  }),
  createChangingMethodFlow('RecordPayment', {
    params: ['sessionId', 'tableName', 'waiterId', 'amount', 'gratuity'],
    before: [chooseSession, lockSession, runPayStep()],
    call: recordPayment,
    after: checkBalance(),
  }),
];

/** The flow of a method that reads: one call, then every check of its answer. */
function createReadingMethodFlow<K extends TablesCallName>(name: K, method: MethodFlow<K>): Flow {
  const { params, needs = [], before = [], question, check } = method;
  return {
    name: WIRE[name].method,
    params: listParameters(...params),
    needs: [...JOURNEY_NEEDS.PayAtTable, ...needs],
    steps: () => {
      let received: { readonly answer: AnswerOf<K>; readonly request: TablesCallRequest<K> } | null = null;
      const call: FlowStep = {
        name: 'call',
        act: async (context) => {
          for (const step of before) await step.act(context);
          const request = await question(context);
          const reply = await callTables(context, name, request);
          received = { answer: requireAnswer(context, reply, { name, clause: 'answer.result' }), request };
        },
      };
      const checkAnswer: FlowStep = {
        name: 'check-schema',
        act: async (context) => {
          if (received === null) return;
          checkSchema(context, name, received.answer);
          await check(context, received.answer, received.request);
        },
      };
      return [connected, call, checkAnswer];
    },
  };
}

/** The flow of a method that changes something, which the call creates first. */
function createChangingMethodFlow(
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
        act: async (context) => {
          for (const step of [...before, call]) await step.act(context);
        },
      },
      {
        name: 'check-schema',
        act: async (context) => {
          checkLastAnswer(context);
          await after?.act(context);
        },
      },
    ],
  };
}

/** The filters without a parameter: open sessions, and sessions at a table. */
async function checkOpenAtTables(context: StepContext): Promise<void> {
  const question = { isFinished: false, hasTable: true, tableNames: [] };
  const { sessions } = await getResponse(context, 'listSessions', { question });
  sessions.forEach(({ finishedAt, tableName: at }, index) => {
    context.step.check(finishedAt === undefined && at !== undefined, {
      ...{ clause: 'sessions.filter', member: `open sessions[${index}]`, expected: 'an open session at a table' },
      found: `${finishedAt === undefined ? 'open' : 'finished'} at ${at ?? 'no table'}`,
    });
  });
}

async function tableName(context: StepContext): Promise<string> {
  const wanted = context.flowContext.params.tableName;
  if (wanted !== null) return wanted;
  const { tables } = await getResponse(context, 'listTables', { question: { statuses: [] } });
  const [table] = tables;
  if (table !== undefined) return table.name;
  return context.step.fail({ clause: 'sandbox.session', member: 'tables', expected: 'a table', found: undefined });
}

function isAuto(transport: Transport): boolean {
  return transport === Transport.TRANSPORT_UNSPECIFIED;
}

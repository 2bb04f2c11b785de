import type { EposCapability } from '@pos/core/tables';
import { type EposDataCallName, type EposDataResult, readEposAnswer } from '@pos/rest-contracts/epos-data';
import { Transport } from '@pos/grpc-contracts/gateway-internal';
import { getData, requireCapabilities } from '../flow-context/data-calls.js';
import { checkDataSchema } from '../flow-context/data-schema.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { type ParameterName, listParameters } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';

/** A capability, its preconditions, and its test. */
export interface CapabilityFlow<N extends EposDataCallName> {
  readonly capability: EposCapability;
  /** The call of the capability. */
  readonly name: N;
  readonly needs: readonly EposCapability[];
  readonly params: readonly ParameterName[];
  /** Creates the subject of the call, and makes the call. */
  readonly call: (context: StepContext) => Promise<void>;
  /** Requirements of the contract for the answer beyond its schema. */
  readonly check?: (context: StepContext, answer: EposDataResult<N>) => void | Promise<void>;
}

/** The flow of a capability, named after it. */
export function createCapabilityFlow<N extends EposDataCallName>(tried: CapabilityFlow<N>): Flow {
  const { capability: name, params, needs, call } = tried;
  return {
    name,
    params: listParameters(...params),
    needs: [name, ...needs],
    steps: () => [registerCapability(name, ...needs), { name: 'call', act: call }, checkAnswer(tried)],
  };
}

/** The capabilities are registered on a transport of this run, and its socket, if it has one, is open. */
export function registerCapability(...needed: readonly EposCapability[]): FlowStep {
  return {
    name: 'registered',
    act: async (context) => {
      await requireCapabilities(context, ...needed);
      const { flowContext, step } = context;
      const { driver, scope, registration } = flowContext.parts;
      const isCalled = flowContext.params.transport !== 'ws' && (await registration.hasAddress(scope, 'rest'));
      if (isCalled) {
        step.note('the EPOS is registered with an address');
        return;
      }
      const connections = await driver.connections(scope).catch(() => []);
      const live = connections.filter(({ transport }) => transport === Transport.TRANSPORT_EPOS_DATA_WEBSOCKET);
      for (const { connectionId } of live) step.note(`connection ${connectionId}`);
      step.require(live.length > 0, {
        ...{ clause: 'connection.live', member: 'transport', expected: 'a socket at /epos', found: undefined },
      });
    },
  };
}

/** Deletes what the flow created, with the call under test, so that the cleanup need not. */
export async function removeRegistration(context: StepContext, key: string, go: () => Promise<unknown>): Promise<void> {
  await go();
  context.flowContext.orders.undoActions.delete(key);
}

/** Requests a page of up to 50, like the service. */
export const FIRST_PAGE = { cursor: { limit: 50 } };

/** Reads the first id of a search result; null when it is empty. */
export async function findFirst(
  context: StepContext,
  name: 'SearchParties' | 'SearchReservations',
): Promise<string | null> {
  const { data } = await getData(context, name, { params: FIRST_PAGE });
  return data[0]?.id ?? null;
}

function checkAnswer<N extends EposDataCallName>({ name, check }: CapabilityFlow<N>): FlowStep {
  return {
    name: 'check-schema',
    act: async (context) => {
      const json = context.flowContext.orders.answers.get(name);
      const isSound = checkDataSchema(context, name, json);
      const reading = readEposAnswer(name, json);
      if (isSound && reading.ok) await check?.(context, reading.value);
    },
  };
}

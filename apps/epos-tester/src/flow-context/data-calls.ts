import type { EposCapability } from '@pos/core/tables';
import type { SandboxFaults, Transport } from '@pos/grpc-contracts/gateway-internal';
import {
  type EposCallHeaders,
  type EposDataCallName,
  type EposDataParams,
  type EposDataResult,
  type EposError,
  readEposAnswer,
} from '@pos/rest-contracts/epos-data';
import { TESTER_TID } from '../drivers/card-payments.js';
import type { ClauseId } from '../checks/clauses.js';
import { checkDataSchema } from './data-schema.js';
import type { DataAnswer, EposReply } from '../drivers/epos-driver.js';
import { StepFailed } from '@pos/conformance/checks';
import type { RunParams } from './run-params.js';
import type { StepContext } from './flow-context.js';
import { MISSING_ANSWERS } from './missing-answers.js';

/** The request, and the faults that the gateway applies to it. */
interface DataCallRequest<N extends EposDataCallName> {
  readonly params: EposDataParams<N>;
  readonly faults?: Partial<SandboxFaults>;
  /** A fixed transport, which overrides that of the run. */
  readonly transport?: Transport;
}

/** Longer than the step's own limit, so that this limit ends an unanswered call, not the gateway's. */
const BEYOND_STEP_MS = 1_000;

/** Makes a call of the EPOS Data API at the EPOS under test and records the request and the answer. */
export async function callData<N extends EposDataCallName>(
  { flowContext, step }: StepContext,
  name: N,
  { params, faults = {}, transport }: DataCallRequest<N>,
): Promise<EposReply<DataAnswer>> {
  step.note(`request: ${name} ${JSON.stringify(params)}`);
  const { driver, scope } = flowContext.parts;
  const received = await driver.callData({
    ...{ scope, name, params, faults },
    headers: getHeaders(flowContext.params),
    transport: transport ?? (await flowContext.transport()),
    deadlineMs: Math.ceil(step.leftMs() + BEYOND_STEP_MS),
    signal: step.signal,
  });
  if (received.outcome === 'answered') {
    const { json, httpStatus } = received.answer;
    step.note(`answer: ${httpStatus === 0 ? '' : `${httpStatus} `}${JSON.stringify(json)}`);
    flowContext.orders.answers.set(name, json);
  } else if (received.outcome === 'refused') step.note(`answer: ${received.code} ${JSON.stringify(received.reason)}`);
  else step.note(`${MISSING_ANSWERS[received.outcome]}: ${received.reason}`);
  if (received.outcome === 'answered' || received.outcome === 'refused')
    await recordDataReached({ flowContext, step }, name);
  return received;
}

/**
 * The result of a call that must succeed, parsed like in the service. Ends the step otherwise, under the given clause.
 */
export async function getData<N extends EposDataCallName>(
  context: StepContext,
  name: N,
  { clause = 'data.result', ...question }: DataCallRequest<N> & { readonly clause?: ClauseId },
): Promise<EposDataResult<N>> {
  return requireResult(context, await callData(context, name, question), { name, clause });
}

/** The answer, when it is a result. Ends the step otherwise, under the given clause if the EPOS refused. */
export function requireResult<N extends EposDataCallName>(
  context: StepContext,
  received: EposReply<DataAnswer>,
  { name, clause }: { readonly name: N; readonly clause: ClauseId },
): EposDataResult<N> {
  if (received.outcome === 'refused') {
    return context.step.fail({ clause, member: name, expected: 'its result', found: received.code });
  }
  if (received.outcome !== 'answered') return failWithoutDataAnswer(context, name, received);
  const reading = readEposAnswer(name, received.answer.json);
  if (reading.ok) {
    context.step.saw(clause, { member: name, what: 'its result' });
    return reading.value;
  }
  if (!checkDataSchema(context, name, received.answer.json)) throw new StepFailed();
  return context.step.fail({
    clause: 'schema.value',
    member: name,
    expected: 'an answer that can be read',
    found: reading.reason,
  });
}

/** A call that the EPOS must refuse with this error. The step continues after any answer, and ends without one. */
export async function getDataRefused<N extends EposDataCallName>(
  context: StepContext,
  name: N,
  wanted: DataCallRequest<N> & { readonly errorType: EposError['errorType']; readonly clause: ClauseId },
): Promise<boolean> {
  const { errorType, clause, ...question } = wanted;
  const received = await callData(context, name, question);
  if (received.outcome !== 'answered' && received.outcome !== 'refused')
    return failWithoutDataAnswer(context, name, received);
  const found = received.outcome === 'refused' ? received.code : 'its result';
  return context.step.check(found === errorType, { clause, member: name, expected: errorType, found });
}

/** The capabilities of the EPOS on the transports of this run. */
export function listCapabilities({ flowContext }: StepContext): Promise<ReadonlySet<EposCapability>> {
  return flowContext.parts.registration.capabilities(flowContext.parts.scope, flowContext.params.transport);
}

/** Ends the step when the EPOS lacks one of these capabilities on the transports of this run. */
export async function requireCapabilities(context: StepContext, ...needed: readonly EposCapability[]): Promise<void> {
  const registered = await listCapabilities(context);
  for (const capability of needed) {
    context.step.require(registered.has(capability), {
      clause: 'capability.registered',
      member: capability,
      expected: `to be registered for ${context.flowContext.params.transport}`,
      found: registered.has(capability) ? 'registered' : undefined,
    });
  }
}

/** The EPOS was reached, accepted the credentials, and answered in time. */
async function recordDataReached({ flowContext, step }: StepContext, member: EposDataCallName): Promise<void> {
  step.saw('connection.live', { member, what: 'a connection' });
  if (await flowContext.isCalledWithPassword())
    step.saw('connection.credentials', { member, what: 'its password taken' });
  step.saw('data.in-time', { member, what: 'an answer' });
  step.saw('data.readable', { member, what: 'an answer that can be read' });
}

/** Ends the step because a call got no answer. */
function failWithoutDataAnswer(
  { step }: StepContext,
  name: EposDataCallName,
  { outcome, reason }: { readonly outcome: keyof typeof MISSING_ANSWERS; readonly reason: string },
): never {
  // The step has timed out, which its owner reports.
  if (step.signal.aborted) throw new StepFailed();
  return step.fail({
    clause: NO_ANSWER_CLAUSES[outcome],
    member: name,
    expected: 'an answer',
    found: `${MISSING_ANSWERS[outcome]}: ${reason}`,
  });
}

function getHeaders({ waiterId }: RunParams): EposCallHeaders {
  return {
    ...(waiterId !== null && { waiterId: String(waiterId) }),
    serviceRequestingProduct: 'Tester',
    deviceId: TESTER_TID,
    deviceType: 'Tester',
  };
}

const NO_ANSWER_CLAUSES = {
  credentialsRefused: 'connection.credentials',
  notSent: 'connection.live',
  noAnswer: 'data.in-time',
  unreadable: 'data.readable',
} as const satisfies Record<keyof typeof MISSING_ANSWERS, ClauseId>;

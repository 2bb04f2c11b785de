import type { EposCapability } from '@pos/core/epos-capability';
import { type Transport } from '@pos/grpc-contracts/gateway-internal';
import type { SandboxFaults } from '@pos/grpc-contracts/gateway-internal';
import type {
  EposCallHeaders,
  EposDataCallName,
  EposDataParams,
  EposDataResult,
  EposError,
} from '@pos/rest-contracts/epos-data';
import { readEposAnswer } from '@pos/rest-contracts/epos-data-reading';
import { TESTER_TID } from './card-payments.js';
import type { ClauseId } from './clauses.js';
import { checkDataSchema } from './data-schema.js';
import type { DataAnswer, Heard } from './epos-door.js';
import { StepFailed } from './open-step.js';
import type { RunParams } from './run-params.js';
import type { Stage } from './scene.js';

/** What is asked, and what the gateway is to spoil on the way. */
interface DataQuestion<N extends EposDataCallName> {
  readonly params: EposDataParams<N>;
  readonly faults?: Partial<SandboxFaults>;
  /** The way to be taken whatever the run asks for. */
  readonly transport?: Transport;
}

/** So that the step's own limit, not the gateway's, ends a call that nobody answers. */
const BEYOND_STEP_MS = 1_000;

/** Makes a call of the EPOS Data API at the EPOS under test and writes down what was asked and what came back. */
export async function askData<N extends EposDataCallName>(
  { scene, step }: Stage,
  name: N,
  { params, faults = {}, transport }: DataQuestion<N>,
): Promise<Heard<DataAnswer>> {
  step.note(`request: ${name} ${JSON.stringify(params)}`);
  const { door, scope } = scene.parts;
  const heard = await door.ask({
    ...{ scope, name, params, faults },
    headers: headersOf(scene.params),
    transport: transport ?? (await scene.transport()),
    deadlineMs: Math.ceil(step.leftMs() + BEYOND_STEP_MS),
    signal: step.signal,
  });
  if (heard.outcome === 'answered') {
    const { json, httpStatus } = heard.answer;
    step.note(`answer: ${httpStatus === 0 ? '' : `${httpStatus} `}${JSON.stringify(json)}`);
    scene.orders.answers.set(name, json);
  } else if (heard.outcome === 'refused') step.note(`answer: ${heard.code} ${JSON.stringify(heard.reason)}`);
  else step.note(`${NO_ANSWERS[heard.outcome]}: ${heard.reason}`);
  if (heard.outcome === 'answered' || heard.outcome === 'refused') await noteReached({ scene, step }, name);
  return heard;
}

/** The result of a call that has to succeed, read as the service reads it. Ends the step when there is none, naming the clause. */
export async function getData<N extends EposDataCallName>(
  stage: Stage,
  name: N,
  { clause = 'data.result', ...question }: DataQuestion<N> & { readonly clause?: ClauseId },
): Promise<EposDataResult<N>> {
  return resultIn(stage, await askData(stage, name, question), { name, clause });
}

/** What was heard, when it is a result. Ends the step otherwise, naming the clause if the EPOS refused. */
export function resultIn<N extends EposDataCallName>(
  stage: Stage,
  heard: Heard<DataAnswer>,
  { name, clause }: { readonly name: N; readonly clause: ClauseId },
): EposDataResult<N> {
  if (heard.outcome === 'refused') {
    return stage.step.fail({ clause, member: name, expected: 'its result', found: heard.code });
  }
  if (heard.outcome !== 'answered') return failUnheard(stage, name, heard);
  const reading = readEposAnswer(name, heard.answer.json);
  if (reading.ok) {
    stage.step.saw(clause, { member: name, what: 'its result' });
    return reading.value;
  }
  if (!checkDataSchema(stage, name, heard.answer.json)) throw new StepFailed();
  return stage.step.fail({
    clause: 'schema.value',
    member: name,
    expected: 'an answer that can be read',
    found: reading.reason,
  });
}

/** A call that the EPOS has to refuse with this error. The step goes on either way, but for a silence. */
export async function getDataRefused<N extends EposDataCallName>(
  stage: Stage,
  name: N,
  wanted: DataQuestion<N> & { readonly errorType: EposError['errorType']; readonly clause: ClauseId },
): Promise<boolean> {
  const { errorType, clause, ...question } = wanted;
  const heard = await askData(stage, name, question);
  if (heard.outcome !== 'answered' && heard.outcome !== 'refused') return failUnheard(stage, name, heard);
  const found = heard.outcome === 'refused' ? heard.code : 'its result';
  return stage.step.check(found === errorType, { clause, member: name, expected: errorType, found });
}

/** What the EPOS has registered where this run may call it. */
export function capabilitiesOf({ scene }: Stage): Promise<ReadonlySet<EposCapability>> {
  return scene.parts.register.capabilities(scene.parts.scope, scene.params.transport);
}

/** Ends the step when the EPOS has not registered all of these where this run may call it. */
export async function requireCapabilities(stage: Stage, ...needed: readonly EposCapability[]): Promise<void> {
  const registered = await capabilitiesOf(stage);
  for (const capability of needed) {
    stage.step.require(registered.has(capability), {
      clause: 'capability.registered',
      member: capability,
      expected: `to be registered for ${stage.scene.params.transport}`,
      found: registered.has(capability) ? 'registered' : undefined,
    });
  }
}

/** The EPOS was reached, took the credentials it was called with, and has answered in time. */
async function noteReached({ scene, step }: Stage, member: EposDataCallName): Promise<void> {
  step.saw('connection.live', { member, what: 'a connection' });
  if (await scene.isCalledWithPassword()) step.saw('connection.credentials', { member, what: 'its password taken' });
  step.saw('data.in-time', { member, what: 'an answer' });
  step.saw('data.readable', { member, what: 'an answer that can be read' });
}

/** Ends the step because of a call that got no answer. */
function failUnheard(
  { step }: Stage,
  name: EposDataCallName,
  { outcome, reason }: { readonly outcome: keyof typeof NO_ANSWERS; readonly reason: string },
): never {
  // The step's time is over: that is said by whoever ended it.
  if (step.signal.aborted) throw new StepFailed();
  return step.fail({
    clause: UNHEARD_CLAUSES[outcome],
    member: name,
    expected: 'an answer',
    found: `${NO_ANSWERS[outcome]}: ${reason}`,
  });
}

function headersOf({ waiterId }: RunParams): EposCallHeaders {
  return {
    ...(waiterId !== null && { waiterId: String(waiterId) }),
    serviceRequestingProduct: 'Tester',
    deviceId: TESTER_TID,
    deviceType: 'Tester',
  };
}

const NO_ANSWERS = {
  credentialsRefused: 'refused credentials',
  notSent: 'not sent',
  noAnswer: 'no answer',
  unreadable: 'an answer that cannot be read',
} as const;

const UNHEARD_CLAUSES = {
  credentialsRefused: 'connection.credentials',
  notSent: 'connection.live',
  noAnswer: 'data.in-time',
  unreadable: 'data.readable',
} as const satisfies Record<keyof typeof NO_ANSWERS, ClauseId>;

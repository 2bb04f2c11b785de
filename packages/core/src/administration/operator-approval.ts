import { computeChainHash } from '../ids/ids.js';
import { Refusal } from '../refusals/refusal.js';
import type { AuditedChange, OperatingSystemIdentity } from './audit-entry.js';

/** What one operator may not do alone while a second one is required. */
export type OperatorOperation =
  | 'CreateProductionKey'
  | 'LoosenProductionKey'
  | 'CreateOperator'
  | 'EnableOperator'
  | 'ResetOperatorPassword'
  | 'ResetOperatorFactors'
  | 'GrantProductionRole'
  | 'LoosenGiveBackLimits'
  | 'StopRequiringSecondOperator';

/** A change of an operator, exactly as it is done once it is approved: plain JSON without secrets. */
export interface GuardedOperation {
  readonly operation: OperatorOperation;
  readonly target: Readonly<Record<string, unknown>>;
}

export type OperatorApprovalState = 'Waiting' | 'Approved' | 'Refused' | 'Done';
/** Where a change was asked for. A person may have a shell and a user of the portal, so each decides about its own. */
export type ChangeSource = 'command' | 'portal';

/** A change that waits for a second operator, or has waited. */
export interface OperatorApproval extends GuardedOperation {
  readonly id: string;
  readonly actionHash: Buffer;
  readonly source: ChangeSource;
  readonly state: OperatorApprovalState;
  readonly requestedBy: string;
  /** The operating-system user of the command; null in the portal. */
  readonly operatingSystem: OperatingSystemIdentity | null;
  readonly reason: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  readonly decidedAt: Date | null;
  readonly doneAt: Date | null;
}

/** Names the operation, so that the edge can store a request for it. */
export class SecondOperatorNeeded extends Refusal {
  constructor(readonly guarded: GuardedOperation) {
    super('second_person_needed', 'a second operator must approve this: nothing was done');
  }
}

/** How long a request waits, and an approval may be used. */
export const OPERATOR_APPROVAL_HOURS = 24;

/** What an approval is about: no other change has the same. */
export function hashOperation({ operation, target }: GuardedOperation): Buffer {
  return computeChainHash(Buffer.alloc(0), JSON.stringify([operation, sortMembers(target)]));
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

type Actor = Pick<AuditedChange, 'actor' | 'operatingSystem'>;

export function readSource({ operatingSystem }: Actor): ChangeSource {
  return operatingSystem === undefined ? 'portal' : 'command';
}

/**
 * Whether two users of the operating system can be one person. The number of the login decides if both have one: it
 * stays the same over `sudo`. Otherwise one number in common is enough, and so is root without any other number.
 */
export function canBeOnePerson(one: OperatingSystemIdentity, other: OperatingSystemIdentity): boolean {
  if (one.login !== null && other.login !== null) return one.login === other.login;
  const numbers = listPersonalNumbers(other);
  return listPersonalNumbers(one).some((number) => numbers.includes(number));
}

function listPersonalNumbers({ login, numbers }: OperatingSystemIdentity): readonly number[] {
  const personal = [...numbers, ...(login === null ? [] : [login])].filter((number) => number !== 0);
  return personal.length === 0 ? [0] : personal;
}

/** Refuses a decision about a request that is not open, and one by somebody who can be the requester. */
export function requireOtherOperator(approval: OperatorApproval, decider: Actor, now: Date): void {
  if (approval.source !== readSource(decider)) {
    throw new Refusal('second_person_refused', `a request of the ${approval.source} is decided there`);
  }
  const isSamePerson = approval.source === 'command' && canBeRequester(approval, decider);
  if (isSamePerson || isSameActor(approval, decider)) {
    throw new Refusal('second_person_refused', 'who requests a change may not decide about it');
  }
  if (approval.state !== 'Waiting') throw new Refusal('four_eyes_request_decided', `the request is ${approval.state}`);
  if (approval.expiresAt <= now) throw new Refusal('four_eyes_request_decided', 'the request has waited too long');
}

/** Whether the change is by who has made the request: only they do what was approved, and receive its secrets. */
export function isByRequester(approval: OperatorApproval, change: Actor): boolean {
  return approval.source === readSource(change) && isSameActor(approval, change) && canBeRequester(approval, change);
}

function canBeRequester(approval: OperatorApproval, { operatingSystem }: Actor): boolean {
  if (approval.operatingSystem === null || operatingSystem === undefined) return approval.source === 'portal';
  return canBeOnePerson(approval.operatingSystem, operatingSystem);
}

function isSameActor({ requestedBy }: OperatorApproval, { actor }: Actor): boolean {
  return requestedBy.trim().toLowerCase() === actor.trim().toLowerCase();
}

/** Whether the limits let one person give back more than before. A currency without an amount always needs a second. */
export function areLimitsWeaker(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): boolean {
  if (Object.keys(before).length === 0) return false;
  const entries = Object.entries(after);
  return entries.length === 0 || entries.some(([currency, amount]) => BigInt(amount) > BigInt(before[currency] ?? '0'));
}

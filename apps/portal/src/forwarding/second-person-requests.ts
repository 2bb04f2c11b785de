import { Inject, Injectable } from '@nestjs/common';
import { FOUR_EYES_KEY_PREFIX, type FourEyesRequest } from '@pos/core/administration';
import { Refusal } from '@pos/core/refusals';
import {
  finishFourEyesRequest,
  type PortalPerson,
  requestSecondPerson,
  requireApprovedRequest,
} from '@pos/administration/four-eyes';
import type { Operation } from '@pos/rest-contracts/operation';
import type { Release } from '@pos/rest-contracts/versions';
import { buildFingerprintInput } from '@pos/service-kit/request-checks';
import { Database } from '@pos/store/database';
import { ApiSender } from './api-sender.js';
import type { WorkingSession } from '../sessions/portal-sessions.js';
import { FOUR_EYES_OPERATIONS, readGiveBackTarget } from './refused-action.js';

/** A request of a page that the API has answered. */
interface AnsweredRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly version: Release;
  readonly body: { readonly bytes: Uint8Array; readonly value: unknown };
  readonly idempotencyKey: string | null;
}

/** Stores what needs a second person, and sends what one has approved. */
@Injectable()
export class SecondPersonRequests {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(ApiSender) private readonly sender: ApiSender,
  ) {}

  /** Stores a request that the API has refused without a second person, and refuses it with the time until it waits. */
  async refuseAndStore(
    { session, scope }: WorkingSession,
    { operation, method, path, version, body, idempotencyKey }: AnsweredRequest,
  ): Promise<never> {
    if (!FOUR_EYES_OPERATIONS.has(operation.id)) {
      throw new Refusal(
        'second_person_needed',
        'a second person must approve this, and the portal has no request for it',
      );
    }
    const action = { operationId: operation.id, method, path, version, body: Buffer.from(body.bytes).toString('utf8') };
    const stored = await this.database.transact(scope, (tx) =>
      requestSecondPerson(tx, toPerson(session), {
        ...{
          action,
          idempotencyKey,
          target: readGiveBackTarget({ operationId: operation.id, path, release: version }, body.value),
        },
        fingerprintInput: buildFingerprintInput(body.value, new URLSearchParams()),
      }),
    );
    const until = stored.expiresAt.toISOString();
    const detail =
      stored.state === 'Waiting'
        ? `The request ${stored.id} waits for a second person until ${until}.`
        : `The request ${stored.id} is ${stored.state}.`;
    throw new Refusal('second_person_needed', detail);
  }

  /** Sends an approved action under its own key, and stores its end. An answer that is no end leaves it approved. */
  async send({ session, scope, permissions }: WorkingSession, id: string): Promise<FourEyesRequest> {
    const { action } = await this.database.transact(scope, (tx) => requireApprovedRequest(tx, id));
    const { method, path, version, body } = action;
    const answer = await this.sender.send({
      ...{ app: 'api', method, path, scope, permissions, actor: session.user.id, body: Buffer.from(body, 'utf8') },
      headers: {
        version,
        idempotencykey: `${FOUR_EYES_KEY_PREFIX}${id}`,
        ...(body !== '' && { 'content-type': 'application/json' }),
      },
    });
    const outcome = { status: answer.status, reason: await readReason(answer) };
    return this.database.transact(scope, (tx) =>
      finishFourEyesRequest(tx, { userId: session.user.id }, { id, outcome }),
    );
  }
}

/** Who works in a session. */
export function toPerson({ user, idHash }: WorkingSession['session']): PortalPerson {
  return { userId: user.id, sessionHash: idHash.toString('hex') };
}

/** The reason of a problem; null for another answer. */
async function readReason(answer: Response): Promise<string | null> {
  if (answer.status < 400) return null;
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('reason' in body)) return null;
  return typeof body.reason === 'string' ? body.reason : null;
}

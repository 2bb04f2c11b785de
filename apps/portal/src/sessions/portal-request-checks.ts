import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Operation } from '@pos/rest-contracts/operation';
import {
  ADMINISTRATION_OPERATIONS,
  changePortalAccountSettings,
  changePortalPassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  PAYMENT_VIEW_OPERATIONS,
  PORTAL_OPERATIONS,
  PORTAL_SIMULATOR_OPERATIONS,
  readPortalAccountSettings,
  readPortalOverview,
  readTestClock,
  SECOND_FACTOR_OPERATIONS,
  SECOND_PERSON_OPERATIONS,
  SIGN_IN_STEP_OPERATIONS,
} from '@pos/rest-contracts/portal';
import * as session from '@pos/rest-contracts/portal';
import type { RequestChecks } from '@pos/service-kit/request-checks';
import type { FastifyRequest } from 'fastify';
import { PortalSessions } from './portal-sessions.js';
import { requireSameOrigin } from './same-origin.js';

type SenderCheck = (sessions: PortalSessions, headers: IncomingHttpHeaders) => Promise<unknown>;

const CHECKS: ReadonlyMap<string, SenderCheck> = new Map([
  ...checkAll([session.readSignInOptions], () => Promise.resolve()),
  ...checkAll([session.signIn, ...SIGN_IN_STEP_OPERATIONS], async (_, headers) => requireSameOrigin(headers)),
  // All that a user may do who must change the password.
  ...checkAll(
    [session.readPortalSession, session.signOut, session.signOutEverywhere, changePortalPassword],
    (sessions, headers) => sessions.requireOpenSession(headers),
  ),
  ...checkAll(
    [
      ...[session.choosePortalAccount, session.reauthenticate],
      ...[listOwnSessions, endOwnSession, endOtherSessions],
      ...SECOND_FACTOR_OPERATIONS,
      ...PAYMENT_VIEW_OPERATIONS,
    ],
    (sessions, headers) => sessions.requireSession(headers),
  ),
  ...checkAll([readPortalOverview], (sessions, headers) => sessions.requirePermission(headers, 'transactions.read')),
  ...checkAll(SECOND_PERSON_OPERATIONS, (sessions, headers) => sessions.requirePermission(headers, 'payments.refund')),
  ...checkAll([readPortalAccountSettings, changePortalAccountSettings], (sessions, headers) =>
    sessions.requireAdministrator(headers),
  ),
  ...checkAll([readTestClock], (sessions, headers) => sessions.requireSandbox(headers)),
  ...checkAll(PORTAL_SIMULATOR_OPERATIONS, async (sessions, headers) => {
    await sessions.requireSandbox(headers);
    await sessions.requirePermission(headers, 'tester.run');
  }),
  ...checkAll(ADMINISTRATION_OPERATIONS, (sessions, headers) => sessions.requireOperator(headers)),
]);

/**
 * Checks who sends a request before anything of it is read: origin, session and role, in this order. An answer to
 * somebody who may not call reveals nothing about the operation, and their bodies cost nothing.
 */
@Injectable()
export class PortalRequestChecks implements RequestChecks {
  constructor(private readonly sessions: PortalSessions) {
    const unchecked = PORTAL_OPERATIONS.filter(({ id }) => !CHECKS.has(id)).map(({ id }) => id);
    if (unchecked.length > 0) throw new Error(`nothing checks who sends ${unchecked.join(', ')}`);
  }

  /** The portal has no API keys. */
  authenticate(): Promise<null> {
    return Promise.resolve(null);
  }

  async checkSender({ headers }: FastifyRequest, { id }: Operation): Promise<void> {
    // Health has no row: it is for everybody.
    await CHECKS.get(id)?.(this.sessions, headers);
  }
}

function checkAll(operations: readonly Operation[], check: SenderCheck): readonly [string, SenderCheck][] {
  return operations.map(({ id }) => [id, check]);
}

import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { findPortalRole, type Permission, PORTAL_PERMISSIONS, type PortalRole, type Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { PortalSignIn, REAUTHENTICATION_MS } from '@pos/administration/portal';
import { PORTAL_ACCOUNT_HEADER, PORTAL_BACKGROUND_HEADER } from '@pos/rest-contracts/portal';
import type { PortalSession } from '@pos/store/portal';
import { SecondFactorRule } from './second-factor-rule.js';
import { requireSameOrigin } from './same-origin.js';
import { readSessionCookie } from './session-cookie.js';

/** A session, the account that its user works in, and what the user may do there. */
export interface WorkingSession {
  readonly session: PortalSession;
  readonly scope: Scope;
  readonly role: PortalRole;
  readonly permissions: (typeof PORTAL_PERMISSIONS)[PortalRole];
}

const ADMINISTRATORS: ReadonlySet<string | null> = new Set(['admin', 'operator']);

/** Whether the role may change the settings of an account. */
export function isAdministrator(role: PortalRole | null): boolean {
  return ADMINISTRATORS.has(role);
}

/** Reads who sends a request, and refuses who may not. */
@Injectable()
export class PortalSessions {
  /** A request is checked before its body is read, and again by its controller. It is one use of the session. */
  readonly #ofRequests = new WeakMap<IncomingHttpHeaders, Promise<PortalSession>>();

  constructor(
    private readonly signIn: PortalSignIn,
    private readonly secondFactors: SecondFactorRule,
  ) {}

  /** The same as `requireOpenSession`, and refuses a user who must change the password before anything else. */
  async requireSession(headers: IncomingHttpHeaders): Promise<PortalSession> {
    const session = await this.requireOpenSession(headers);
    this.#requireFinalPassword(session);
    return session;
  }

  #requireFinalPassword(session: PortalSession): void {
    if (this.signIn.findRequiredChange(session) === null) return;
    throw new Refusal('password_change_needed', 'Change your password before anything else.');
  }

  /**
   * Refuses a request of another origin, and one without a session. The session counts as used, unless the page sends
   * the request by itself.
   */
  requireOpenSession(headers: IncomingHttpHeaders): Promise<PortalSession> {
    const session = this.#ofRequests.get(headers) ?? this.#requireSession(headers);
    this.#ofRequests.set(headers, session);
    return session;
  }

  async #requireSession(headers: IncomingHttpHeaders): Promise<PortalSession> {
    requireSameOrigin(headers);
    const id = readSessionCookie(headers);
    const session = id === null ? null : await this.#findSession(id, headers);
    if (session === null) throw new Refusal('portal_session_missing', 'Nobody is signed in. Sign in again.');
    return session;
  }

  /**
   * The same, and refuses a session without an account, one whose user has no role there any more, and one without the
   * second factor that the role or the account needs.
   */
  async requireWorkingSession(headers: IncomingHttpHeaders): Promise<WorkingSession> {
    return this.#requireWorking(await this.requireOpenSession(headers), headers);
  }

  /** All that a session needs to work in an account: for a request, and for a stream that was opened before. */
  async #requireWorking(session: PortalSession, headers: IncomingHttpHeaders): Promise<WorkingSession> {
    this.#requireFinalPassword(session);
    const { chosen } = session;
    const role = chosen === null ? null : findPortalRole(session.user, chosen);
    if (chosen === null || role === null) {
      throw new Refusal('account_not_chosen', 'Choose the account to work in.');
    }
    requireShownAccount(chosen, headers);
    await this.secondFactors.require(session, { ...chosen, role });
    return { session, scope: chosen, role, permissions: PORTAL_PERMISSIONS[role] };
  }

  /** The same, and refuses a user whose role lacks the permission. */
  async requirePermission(headers: IncomingHttpHeaders, permission: Permission): Promise<WorkingSession> {
    const working = await this.requireWorkingSession(headers);
    if (new Set<string>(working.permissions).has(permission)) return working;
    throw new Refusal('permission_missing', `Your role lacks the permission ${permission}.`);
  }

  /** Refuses every user who is no administrator of the account in which they work. */
  async requireAdministrator(headers: IncomingHttpHeaders): Promise<WorkingSession> {
    const working = await this.requireWorkingSession(headers);
    if (isAdministrator(working.role)) return working;
    throw new Refusal('permission_missing', 'Only an administrator of the account may do this.');
  }

  /** Refuses every user who works in no sandbox. */
  async requireSandbox(headers: IncomingHttpHeaders): Promise<WorkingSession> {
    const working = await this.requireWorkingSession(headers);
    if (working.scope.environment === 'sandbox') return working;
    throw new Refusal('permission_missing', 'Only sandboxes have simulators and a test clock.');
  }

  /** Refuses every user who is no operator of the service, and an operator without the second factor that they need. */
  async requireOperator(headers: IncomingHttpHeaders): Promise<PortalSession> {
    const session = await this.requireSession(headers);
    if (!session.user.isOperator)
      throw new Refusal('permission_missing', 'Only an operator of the service may do this.');
    await this.secondFactors.require(session, null);
    return session;
  }

  #findSession(id: string, headers: IncomingHttpHeaders): Promise<PortalSession | null> {
    return headers[PORTAL_BACKGROUND_HEADER] === 'true' ? this.signIn.peekSession(id) : this.signIn.findSession(id);
  }

  /**
   * Whether the session of a request that is still answered works in the same account, by the checks of a new request.
   * It does not count as used.
   */
  async continuesIn({ accountId, environment }: Scope, headers: IncomingHttpHeaders): Promise<boolean> {
    const id = readSessionCookie(headers);
    const session = id === null ? null : await this.signIn.peekSession(id);
    if (session === null) return false;
    try {
      const { scope } = await this.#requireWorking(session, headers);
      return scope.accountId === accountId && scope.environment === environment;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}

/**
 * A page states the account that it shows. All pages of a browser share one session: another one may have chosen another
 * account, perhaps production, and what this page sends is not meant for that.
 */
function requireShownAccount({ accountId, environment }: Scope, headers: IncomingHttpHeaders): void {
  const shown = headers[PORTAL_ACCOUNT_HEADER];
  if (shown === undefined || shown === `${accountId}/${environment}`) return;
  throw new Refusal('account_not_chosen', 'Another page of yours works in another account now. Nothing was done.');
}

/** Refuses a session whose user has entered no credential so recently that keys and returns of money need no other. */
export function requireReauthentication(session: PortalSession): void {
  if (!isReauthenticated(session))
    throw new Refusal('reauthentication_needed', 'Enter your password again, or give a second factor, to do this.');
}

/** Whether the user entered a credential so recently that keys and returns of money need no other. */
export function isReauthenticated({ authenticatedMsAgo }: PortalSession): boolean {
  return authenticatedMsAgo <= REAUTHENTICATION_MS;
}

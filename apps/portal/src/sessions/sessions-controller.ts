import { UTC } from '@pos/core/time/time-zone';
import { readTimeZone } from '@pos/store/repositories/time-zones';
import { Controller } from '@nestjs/common';
import { type AccountId, isId } from '@pos/core/identity/identity';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import { PortalSignIn } from '@pos/payments/portal/portal-sign-in';
import * as rest from '@pos/rest-contracts/portal/portal-session';
import { HeadedReply, type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import { Database } from '@pos/store/database/database';
import type { PortalSession } from '@pos/store/portal/portal-sessions';
import { findAdministeredAccount, listAdministeredAccounts } from '@pos/store/repositories/accounts';
import { readBrowser } from './browser.js';
import { DeviceCookies } from './device-cookies.js';
import { OidcClient } from './oidc-client.js';
import { PortalSessions } from './portal-sessions.js';
import { requireSameOrigin } from './same-origin.js';
import { formatEndedCookie, formatSessionCookie } from './session-cookie.js';
import { type NamedAccount, presentSession } from './session-presenter.js';

const ACCOUNTS_MAX = 500;

/** Who is signed in, and where they work. */
@Controller()
export class SessionsController {
  constructor(
    private readonly signIns: PortalSignIn,
    private readonly sessions: PortalSessions,
    private readonly database: Database,
    private readonly provider: OidcClient,
    private readonly devices: DeviceCookies,
  ) {}

  @Serve(rest.readSignInOptions)
  async readOptions() {
    return { hasProvider: this.provider.isConfigured };
  }

  @Serve(rest.signIn)
  async signIn({ body, headers, ip }: OperationCall<typeof rest.signIn>) {
    requireSameOrigin(headers);
    const { email } = body;
    const device = this.devices.read(headers, email);
    const id = await this.signIns.signIn({ ...body, device, address: ip, browser: readBrowser(headers) });
    const session = await this.signIns.findSession(id);
    if (session === null) throw new Refusal('sign_in_refused', 'The user was disabled just now.');
    const cookies = [formatSessionCookie(id), this.devices.formatCookie(email, device)];
    return new HeadedReply(await this.#present(session), { 'set-cookie': cookies });
  }

  @Serve(rest.readPortalSession)
  async read({ headers }: OperationCall<typeof rest.readPortalSession>) {
    return this.#present(await this.sessions.requireOpenSession(headers));
  }

  @Serve(rest.signOut)
  async signOut({ headers }: OperationCall<typeof rest.signOut>) {
    await this.signIns.signOut(await this.sessions.requireOpenSession(headers));
    return new HeadedReply(undefined, { 'set-cookie': formatEndedCookie() });
  }

  @Serve(rest.signOutEverywhere)
  async signOutEverywhere({ headers }: OperationCall<typeof rest.signOutEverywhere>) {
    await this.signIns.signOutEverywhere(await this.sessions.requireOpenSession(headers));
    return new HeadedReply(undefined, { 'set-cookie': formatEndedCookie() });
  }

  @Serve(rest.choosePortalAccount)
  async choose({ body, headers }: OperationCall<typeof rest.choosePortalAccount>) {
    const session = await this.sessions.requireSession(headers);
    const { accountId, environment } = body;
    const scope = { accountId: requireAccountId(accountId), environment };
    await this.signIns.chooseAccount(session, scope);
    return this.#present({ ...session, chosen: scope });
  }

  @Serve(rest.reauthenticate)
  async reauthenticate({ body, headers }: OperationCall<typeof rest.reauthenticate>) {
    const session = await this.sessions.requireSession(headers);
    await this.signIns.reauthenticate(session, body.password);
    return undefined;
  }

  async #present(session: PortalSession) {
    const named = await this.#listAccounts(session);
    const timeZone = session.chosen === null ? UTC : await this.database.read(session.chosen, readTimeZone);
    return presentSession(session, { named, timeZone, passwordChange: this.signIns.findRequiredChange(session) });
  }

  /** Disabled accounts are left out: the API refuses all requests for them. */
  async #listAccounts({ user }: PortalSession): Promise<readonly NamedAccount[]> {
    if (user.isOperator) {
      const all = await this.database.readSystem((reader) => listAdministeredAccounts(reader, '', ACCOUNTS_MAX));
      return all.filter(({ status }) => status === 'Active');
    }
    const ids = [...new Set(user.memberships.map(({ accountId }) => accountId))];
    const found = await Promise.all(
      ids.map((accountId) => this.database.read({ accountId, environment: 'sandbox' }, findAdministeredAccount)),
    );
    return found.flatMap((account) => (account?.status === 'Active' ? [account] : []));
  }
}

function requireAccountId(text: string): AccountId {
  if (isId('account', text)) return text;
  throw createViolation('validation_failed', 'accountId', 'is no account in which you have a role');
}

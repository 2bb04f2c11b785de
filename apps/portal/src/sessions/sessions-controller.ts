import { Controller, Inject } from '@nestjs/common';
import { type AccountId, isId } from '@pos/core/identity';
import { createViolation, Refusal } from '@pos/core/refusals';
import { PortalSignIn } from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { CONFIG } from '@pos/service-kit/nest';
import { HeadedReply, type OperationCall, Serve } from '@pos/service-kit/http';
import { readReauthentication } from './factor-proof-body.js';
import { type Config, findPortalParty } from '../config/config.js';
import { readBrowser } from './browser.js';
import { DeviceCookies } from './device-cookies.js';
import { OidcClient } from './oidc-client.js';
import { PortalSessions } from './portal-sessions.js';
import { requireSameOrigin } from './same-origin.js';
import { formatEndedCookie, formatSessionCookie } from './session-cookie.js';
import { SessionPresenter } from './session-presenter.js';
import { formatStepCookie } from './sign-in-cookie.js';

/** Who is signed in, and where they work. */
@Controller()
export class SessionsController {
  constructor(
    private readonly signIns: PortalSignIn,
    private readonly sessions: PortalSessions,
    private readonly presenter: SessionPresenter,
    private readonly provider: OidcClient,
    private readonly devices: DeviceCookies,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Serve(rest.readSignInOptions)
  async readOptions() {
    const party = findPortalParty(this.config);
    return {
      hasProvider: this.provider.isConfigured,
      acceptsPasswords: this.config.PASSWORD_SIGN_IN === 'on',
      ...(party !== null && { passkeyOrigin: party.origin }),
    };
  }

  @Serve(rest.signIn)
  async signIn({ body, headers, ip }: OperationCall<typeof rest.signIn>) {
    requireSameOrigin(headers);
    const { email } = body;
    const device = this.devices.read(headers, email);
    const step = await this.signIns.signIn({ ...body, device, address: ip, browser: readBrowser(headers) });
    const { id } = step;
    if (step.kind === 'secondFactor')
      return new HeadedReply({ secondFactor: step.methods }, { 'set-cookie': formatStepCookie(id) });
    const session = await this.signIns.findSession(id);
    if (session === null) throw new Refusal('sign_in_refused', 'The user was disabled just now.');
    const cookies = [formatSessionCookie(id), this.devices.formatCookie(email, device)];
    return new HeadedReply(await this.presenter.present(session), { 'set-cookie': cookies });
  }

  @Serve(rest.readPortalSession)
  async read({ headers }: OperationCall<typeof rest.readPortalSession>) {
    return this.presenter.present(await this.sessions.requireOpenSession(headers));
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
    return this.presenter.present({ ...session, chosen: scope });
  }

  @Serve(rest.reauthenticate)
  async reauthenticate({ body, headers }: OperationCall<typeof rest.reauthenticate>) {
    const session = await this.sessions.requireSession(headers);
    await this.signIns.reauthenticate(session, readReauthentication(body));
    return undefined;
  }
}

function requireAccountId(text: string): AccountId {
  if (isId('account', text)) return text;
  throw createViolation('validation_failed', 'accountId', 'is no account in which you have a role');
}

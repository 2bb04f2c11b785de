import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { PortalSignIn, SignInSteps } from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { HeadedReply, type OperationCall, Serve } from '@pos/service-kit/http';
import { readBrowser } from '../sessions/browser.js';
import { DeviceCookies } from '../sessions/device-cookies.js';
import { formatSessionCookie } from '../sessions/session-cookie.js';
import { SessionPresenter } from '../sessions/session-presenter.js';
import { formatStepCookie, readStepCookie } from '../sessions/sign-in-cookie.js';
import { readFactorProof } from '../sessions/factor-proof-body.js';
import { presentOptions } from './passkey-options.js';

/** The steps of a sign-in after the password or the identity provider, and the sign-in by a passkey alone. */
@Controller()
export class SignInStepController {
  constructor(
    private readonly steps: SignInSteps,
    private readonly signIns: PortalSignIn,
    private readonly presenter: SessionPresenter,
    private readonly devices: DeviceCookies,
  ) {}

  @Serve(rest.readSignInStep)
  async read({ headers }: OperationCall<typeof rest.readSignInStep>) {
    return { secondFactor: await this.steps.findMethods(readStepCookie(headers)) };
  }

  @Serve(rest.createSignInOptions)
  async createOptions({ headers }: OperationCall<typeof rest.createSignInOptions>) {
    return presentOptions(await this.steps.createOptions(readStepCookie(headers)));
  }

  @Serve(rest.beginPasskeySignIn)
  async beginPasskey({ ip }: OperationCall<typeof rest.beginPasskeySignIn>) {
    await this.signIns.countAttempt(ip);
    const { id, options } = await this.steps.beginPasskey();
    return new HeadedReply(presentOptions(options), { 'set-cookie': formatStepCookie(id) });
  }

  @Serve(rest.completeSignIn)
  async complete({ headers, body, ip }: OperationCall<typeof rest.completeSignIn>) {
    await this.signIns.countAttempt(ip);
    const id = await this.steps.complete(readStepCookie(headers), readFactorProof(body), {
      ...{ address: ip, browser: readBrowser(headers) },
    });
    const session = await this.signIns.findSession(id);
    if (session === null) throw new Refusal('sign_in_refused', 'The user was disabled just now.');
    const { email } = session.user;
    const device = this.devices.formatCookie(email, this.devices.read(headers, email));
    const cookies = [formatSessionCookie(id), ...(session.password.wasEntered ? [device] : [])];
    return new HeadedReply(await this.presenter.present(session), { 'set-cookie': cookies });
  }
}

import { Controller } from '@nestjs/common';
import { FactorEnrolment, FactorProofs } from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { PortalSession } from '@pos/store/portal';
import type { IncomingHttpHeaders } from 'node:http';
import { PortalSessions, requireReauthentication } from '../sessions/portal-sessions.js';
import { SecondFactorRule } from '../sessions/second-factor-rule.js';
import { presentOptions } from './passkey-options.js';

/** The second factors of the user of a session. Each change needs a credential within the last five minutes. */
@Controller()
export class SecondFactorController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly enrolment: FactorEnrolment,
    private readonly proofs: FactorProofs,
    private readonly rule: SecondFactorRule,
  ) {}

  @Serve(rest.createReauthenticationOptions)
  async createOptions({ headers }: OperationCall<typeof rest.createReauthenticationOptions>) {
    const { idHash, user } = await this.sessions.requireSession(headers);
    return presentOptions(await this.proofs.createOptions(idHash, user.id));
  }

  @Serve(rest.readSecondFactors)
  async read({ headers }: OperationCall<typeof rest.readSecondFactors>) {
    const session = await this.sessions.requireSession(headers);
    const { passkeys, codesSince, recoveryCodesLeft, passkeyOrigin } = await this.enrolment.read(session);
    return {
      passkeys: passkeys.map(({ credentialId: id, name, createdAt, usedAt }) => ({
        ...{ id, name, createdAt: presentMoment(createdAt) },
        ...(usedAt !== null && { usedAt: presentMoment(usedAt) }),
      })),
      ...(codesSince !== null && { codesSince: presentMoment(codesSince) }),
      ...(passkeyOrigin !== null && { passkeyOrigin }),
      ...{ recoveryCodesLeft, isNeeded: await this.rule.isNeededBy(session.user) },
    };
  }

  @Serve(rest.beginPasskey)
  async beginPasskey({ headers }: OperationCall<typeof rest.beginPasskey>) {
    return presentOptions(await this.enrolment.beginPasskey(await this.#requireChange(headers)));
  }

  @Serve(rest.addPasskey)
  async addPasskey({ headers, body }: OperationCall<typeof rest.addPasskey>) {
    const session = await this.#requireChange(headers);
    return presentCodes(await this.enrolment.addPasskey(session, body.name, body.passkey));
  }

  @Serve(rest.removePasskey)
  async removePasskey({ headers, params }: OperationCall<typeof rest.removePasskey>) {
    const session = await this.#requireChange(headers);
    await this.enrolment.removePasskey(session, params.passkeyId, await this.rule.isNeededBy(session.user));
    return undefined;
  }

  @Serve(rest.beginOneTimeCodes)
  async beginCodes({ headers }: OperationCall<typeof rest.beginOneTimeCodes>) {
    return this.enrolment.beginCodes(await this.#requireChange(headers));
  }

  @Serve(rest.addOneTimeCodes)
  async addCodes({ headers, body }: OperationCall<typeof rest.addOneTimeCodes>) {
    return presentCodes(await this.enrolment.addCodes(await this.#requireChange(headers), body.code));
  }

  @Serve(rest.removeOneTimeCodes)
  async removeCodes({ headers }: OperationCall<typeof rest.removeOneTimeCodes>) {
    const session = await this.#requireChange(headers);
    await this.enrolment.removeCodes(session, await this.rule.isNeededBy(session.user));
    return undefined;
  }

  @Serve(rest.renewRecoveryCodes)
  async renewCodes({ headers }: OperationCall<typeof rest.renewRecoveryCodes>) {
    return { recoveryCodes: [...(await this.enrolment.renewRecoveryCodes(await this.#requireChange(headers)))] };
  }

  async #requireChange(headers: IncomingHttpHeaders): Promise<PortalSession> {
    const session = await this.sessions.requireSession(headers);
    requireReauthentication(session);
    return session;
  }
}

function presentCodes(codes: readonly string[] | null) {
  return codes === null ? {} : { recoveryCodes: [...codes] };
}

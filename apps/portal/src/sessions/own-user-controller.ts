import { Controller, Inject } from '@nestjs/common';
import {
  changeOwnPassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  type OwnSession,
  PortalSignIn,
} from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { CONFIG } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { PortalSessions } from './portal-sessions.js';

/** The password and the sessions of the user who is signed in. */
@Controller()
export class OwnUserController {
  constructor(
    private readonly signIns: PortalSignIn,
    private readonly sessions: PortalSessions,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Serve(rest.changePortalPassword)
  async changePassword({ headers, body, ip }: OperationCall<typeof rest.changePortalPassword>) {
    const session = await this.sessions.requireOpenSession(headers);
    const { database, signIns } = this;
    await changeOwnPassword({ database, signIns }, session, { ...body, address: ip });
    return undefined;
  }

  @Serve(rest.listOwnSessions)
  async list({ headers }: OperationCall<typeof rest.listOwnSessions>) {
    const session = await this.sessions.requireSession(headers);
    return (await listOwnSessions(this.database, session, this.config.SESSION_IDLE_MS)).map(presentOwnSession);
  }

  @Serve(rest.endOwnSession)
  async end({ headers, params }: OperationCall<typeof rest.endOwnSession>) {
    await endOwnSession(this.database, await this.sessions.requireSession(headers), params.sessionId);
    return undefined;
  }

  @Serve(rest.endOtherSessions)
  async endOthers({ headers }: OperationCall<typeof rest.endOtherSessions>) {
    await endOtherSessions(this.database, await this.sessions.requireSession(headers));
    return undefined;
  }
}

function presentOwnSession({ id, createdAt, usedAt, browser, networkAddress, isCurrent }: OwnSession): rest.OwnSession {
  return {
    ...{ id, createdAt: presentMoment(createdAt), usedAt: presentMoment(usedAt), isCurrent },
    ...(browser !== null && { browser }),
    ...(networkAddress !== null && { networkAddress }),
  };
}

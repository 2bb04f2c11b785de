import { Controller } from '@nestjs/common';
import {
  changePortalUserStatus,
  createPassword,
  createPortalUser,
  endPortalSessions,
  grantPortalRole,
  type ListedPortalUser,
  listPortalUsers,
  resetPortalPassword,
  resetSecondFactor,
  revokePortalRole,
  unlockPortalUser,
} from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { OperatorAccess } from './operator-access.js';
import { toTargetScope } from './target-scope.js';

/** Users of the portal and their roles. */
@Controller()
export class UserController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly database: Database,
  ) {}

  @Serve(rest.listAdministeredUsers)
  async list({ headers }: OperationCall<typeof rest.listAdministeredUsers>) {
    await this.access.requireOperator(headers);
    return (await listPortalUsers(this.database)).map(presentUser);
  }

  @Serve(rest.createAdministeredUser)
  async create({ headers, body }: OperationCall<typeof rest.createAdministeredUser>) {
    const change = await this.access.requireChange(headers, body);
    const { email, name, isOperator } = body;
    const password = createPassword();
    await createPortalUser(this.database, change, { email, name, isOperator, password });
    return { password };
  }

  @Serve(rest.changeAdministeredUserStatus)
  async changeStatus({ headers, body }: OperationCall<typeof rest.changeAdministeredUserStatus>) {
    const change = await this.access.requireChange(headers, body);
    const { email, status } = body;
    await changePortalUserStatus(this.database, change, { email, status });
    return undefined;
  }

  @Serve(rest.resetAdministeredPassword)
  async resetPassword({ headers, body }: OperationCall<typeof rest.resetAdministeredPassword>) {
    const change = await this.access.requireChange(headers, body);
    const password = createPassword();
    await resetPortalPassword(this.database, change, { email: body.email, password });
    return { password };
  }

  @Serve(rest.resetAdministeredSecondFactor)
  async resetSecondFactor({ headers, body }: OperationCall<typeof rest.resetAdministeredSecondFactor>) {
    const change = await this.access.requireChange(headers, body);
    await resetSecondFactor(this.database, change, body.email);
    return undefined;
  }

  @Serve(rest.unlockAdministeredUser)
  async unlock({ headers, body }: OperationCall<typeof rest.unlockAdministeredUser>) {
    await unlockPortalUser(this.database, await this.access.requireChange(headers, body), body.email);
    return undefined;
  }

  @Serve(rest.endAdministeredSessions)
  async endSessions({ headers, body }: OperationCall<typeof rest.endAdministeredSessions>) {
    await endPortalSessions(this.database, await this.access.requireChange(headers, body), body.email);
    return undefined;
  }

  @Serve(rest.grantAdministeredRole)
  async grant({ headers, body }: OperationCall<typeof rest.grantAdministeredRole>) {
    const change = await this.access.requireChange(headers, body);
    const { email, role } = body;
    await grantPortalRole(this.database, change, { email, membership: { ...toTargetScope(body), role } });
    return undefined;
  }

  @Serve(rest.revokeAdministeredRole)
  async revoke({ headers, body }: OperationCall<typeof rest.revokeAdministeredRole>) {
    const change = await this.access.requireChange(headers, body);
    await revokePortalRole(this.database, change, { email: body.email, scope: toTargetScope(body) });
    return undefined;
  }
}

function presentUser(user: ListedPortalUser) {
  const { id, email, name, isOperator, status, createdAt, lastSignInAt, lockedUntil, memberships } = user;
  return {
    ...{ id, email, name, isOperator, status, createdAt: presentMoment(createdAt) },
    ...(lastSignInAt !== null && { lastSignInAt: presentMoment(lastSignInAt) }),
    ...(lockedUntil !== null && { lockedUntil: presentMoment(lockedUntil) }),
    roles: memberships.flatMap(({ accountId, environment, role }) =>
      role === 'operator' ? [] : [{ accountId, environment, role }],
    ),
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { AuditedChange } from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import { requireReason } from '@pos/payments/audit';
import type { PortalSession } from '@pos/store/portal';
import { PortalSessions, requireReauthentication } from '../sessions/portal-sessions.js';

/** A change with the user who makes it. */
export interface OperatorChange extends AuditedChange {
  readonly actor: PortalUserId;
}

/** Decides who may administer all accounts: operators of the service, and nobody else (ADR 0102). */
@Injectable()
export class OperatorAccess {
  constructor(@Inject(PortalSessions) private readonly sessions: PortalSessions) {}

  /** Refuses a request of another origin, one without a session, and any user who is no operator. */
  requireOperator(headers: IncomingHttpHeaders): Promise<PortalSession> {
    return this.sessions.requireOperator(headers);
  }

  /** The same, and refuses an operator whose last password entry is too old, and a reason that is no line of text. */
  async requireChange(headers: IncomingHttpHeaders, { reason }: { readonly reason: string }): Promise<OperatorChange> {
    const session = await this.requireOperator(headers);
    requireReauthentication(session);
    const change = { actor: session.user.id, reason };
    requireReason(change);
    return change;
  }
}

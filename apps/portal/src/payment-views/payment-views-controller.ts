import { Controller } from '@nestjs/common';
import type { SavedView } from '@pos/core/payment-intents';
import * as views from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { present } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { PortalSessions } from '../sessions/portal-sessions.js';

/** The saved views of a user, the same in every account. */
@Controller()
export class PaymentViewsController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly database: Database,
  ) {}

  @Serve(rest.listPaymentViews)
  async list({ headers }: OperationCall<typeof rest.listPaymentViews>) {
    const { user } = await this.sessions.requireSession(headers);
    return (await views.listSavedViews(this.database, user.id)).map(presentView);
  }

  @Serve(rest.createPaymentView)
  async create({ headers, body: { name, filter } }: OperationCall<typeof rest.createPaymentView>) {
    const { user } = await this.sessions.requireSession(headers);
    return presentView(await views.createSavedView(this.database, user.id, { name, filter: present(filter) }));
  }

  @Serve(rest.renamePaymentView)
  async rename({ headers, params, body: { name } }: OperationCall<typeof rest.renamePaymentView>) {
    const { user } = await this.sessions.requireSession(headers);
    return presentView(await views.renameSavedView(this.database, user.id, { id: params.viewId, name }));
  }

  @Serve(rest.deletePaymentView)
  async remove({ headers, params }: OperationCall<typeof rest.deletePaymentView>) {
    const { user } = await this.sessions.requireSession(headers);
    return views.deleteSavedView(this.database, user.id, params.viewId);
  }
}

function presentView({ id, name, filter }: SavedView): rest.PaymentView {
  return { id, name, filter: present(filter) };
}

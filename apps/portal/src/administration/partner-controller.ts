import { Controller } from '@nestjs/common';
import type { Partner, PartnerReportLine } from '@pos/core/accounts';
import { changePartnerStatus, listPartners, registerPartner, reportPartners } from '@pos/administration/partners';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { OperatorAccess } from './operator-access.js';

/** The software houses and resellers that production requests may name, and their turnover. */
@Controller()
export class PartnerController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly database: Database,
  ) {}

  @Serve(rest.listAdministeredPartners)
  async list({ headers }: OperationCall<typeof rest.listAdministeredPartners>) {
    await this.access.requireOperator(headers);
    const { isEnforced, partners } = await listPartners(this.database);
    return { isEnforced, partners: partners.map(presentPartner) };
  }

  @Serve(rest.registerAdministeredPartner)
  async register({ headers, body }: OperationCall<typeof rest.registerAdministeredPartner>) {
    const change = await this.access.requireChange(headers, body);
    const { kind, id, name, contact = null } = body;
    await registerPartner(this.database, change, { kind, id, name, contact });
    return undefined;
  }

  @Serve(rest.changeAdministeredPartnerStatus)
  async changeStatus({ headers, body }: OperationCall<typeof rest.changeAdministeredPartnerStatus>) {
    const change = await this.access.requireChange(headers, body);
    const { kind, id, status } = body;
    await changePartnerStatus(this.database, change, { kind, id, status });
    return undefined;
  }

  @Serve(rest.reportAdministeredPartners)
  async report({ headers, query }: OperationCall<typeof rest.reportAdministeredPartners>) {
    await this.access.requireOperator(headers);
    return (await reportPartners(this.database, query)).map(presentLine);
  }
}

function presentPartner({ kind, id, name, contact, status, createdAt, updatedAt }: Partner) {
  const moments = { createdAt: presentMoment(createdAt), updatedAt: presentMoment(updatedAt) };
  return { kind, id, name, status, ...moments, ...(contact !== null && { contact }) };
}

function presentLine({ kind, partnerId, name, status, ...sums }: PartnerReportLine) {
  const { paymentCount, taken, refundCount, returned, net } = sums;
  return {
    kind,
    ...(partnerId !== null && { partnerId }),
    ...(name !== null && { name }),
    ...(status !== null && { status }),
    ...{ paymentCount, taken, refundCount, returned, net },
  };
}

import { Inject, Injectable } from '@nestjs/common';
import { readLinkedDeliveries } from '@pos/payments/webhooks';
import { DELIVERY_PAGE_PATH } from '@pos/rest-contracts/webhooks';
import type { RawRoute } from '@pos/service-kit/http';
import { CONFIG } from '@pos/service-kit/nest';
import { type DeliveryLinkSubject, verifyDeliveryLinkToken } from '@pos/service-kit/portal';
import { Database } from '@pos/store/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { choosePageLanguage } from './delivery-page-messages.js';
import { buildPageHeaders, renderDeliveries, renderRefusal } from './delivery-page.js';

/**
 * Shows the deliveries of a link to everybody who has it, without a session, until it ends (ADR 0100). The link names
 * the pages that may embed it.
 */
@Injectable()
export class DeliveryPageRoute implements RawRoute {
  readonly path = `${DELIVERY_PAGE_PATH}/*`;
  readonly methods = ['GET'] as const;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const language = choosePageLanguage(request.headers['accept-language']);
    const [path = ''] = request.url.split('?', 1);
    const link = verifyDeliveryLinkToken(path.slice(DELIVERY_PAGE_PATH.length + 1), this.config.PORTAL_KEY);
    if (link === null) return send(reply, 404, { frameAncestors: [], html: renderRefusal(language, 'invalid') });
    const { frameAncestors, expiresAtMs } = link;
    if (expiresAtMs <= Date.now()) {
      return send(reply, 410, { frameAncestors, html: renderRefusal(language, 'expired') });
    }
    const found = await this.#read(link);
    if (found === null) return send(reply, 404, { frameAncestors, html: renderRefusal(language, 'invalid') });
    const html = renderDeliveries(language, { ...found, expiresAt: new Date(expiresAtMs) });
    return send(reply, 200, { frameAncestors, html });
  }

  #read(link: DeliveryLinkSubject) {
    return this.database.readSnapshot(link.scope, (reader) => readLinkedDeliveries(reader, link));
  }
}

async function send(
  reply: FastifyReply,
  status: number,
  { frameAncestors, html }: { readonly frameAncestors: readonly string[]; readonly html: string },
): Promise<void> {
  await reply.status(status).headers(buildPageHeaders(frameAncestors)).send(html);
}

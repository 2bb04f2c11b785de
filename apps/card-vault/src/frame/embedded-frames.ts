import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { PayerRateLimiter } from '@pos/service-kit/auth';
import type { PageContent, RawRoute } from '@pos/service-kit/http';
import { CONFIG } from '@pos/service-kit/nest';
import { SharedRateLimiter } from '@pos/store/rate-limits';
import type { Config } from '../config/config.js';
import { type FrameKind, renderFrame, SAVED_CARD, WHOLE_CARD } from './card-frame.js';
import { createUnregisteredOriginRefusal, EmbeddingOrigins } from './embedding-origins.js';

const FRAMES = { card: WHOLE_CARD, 'saved-card': SAVED_CARD } as const satisfies Readonly<Record<string, FrameKind>>;
type FrameName = keyof typeof FRAMES;

const compress = promisify(gzip);

/** The address of a frame for the page of an integrator. It names the intent, whose account decides who may embed it. */
export function buildEmbeddedPath(intentId: string, name: FrameName): string {
  return `/client/frame/embedded/${intentId}/${name}`;
}

type Route = Parameters<RawRoute['answer']>;

/** Serves the frames for pages of integrators. `frame-ancestors` has the registered origins of the intent's account. */
@Injectable()
export class EmbeddedFrames implements RawRoute {
  readonly path = '/client/frame/embedded/:intentId/:name';
  readonly methods = ['GET'] as const;
  readonly #limiter: PayerRateLimiter;
  readonly #deviceDataUrl: string;

  constructor(
    private readonly origins: EmbeddingOrigins,
    limits: SharedRateLimiter,
    @Inject(CONFIG) config: Config,
  ) {
    this.#limiter = new PayerRateLimiter(limits);
    this.#deviceDataUrl = config.DEVICE_DATA_URL;
  }

  async answer({ params, ip, headers }: Route[0], reply: Route[1]): Promise<void> {
    const { intentId = '', name = '' } = params as { readonly intentId?: string; readonly name?: string };
    await this.#limiter.countPublicCall({ ip, about: intentId });
    if (!isFrameName(name)) throw new Refusal('path_unknown', 'There is no such path.');
    const checkoutOrigins = await this.origins.listOrigins(intentId);
    if (checkoutOrigins.length === 0) throw createUnregisteredOriginRefusal('');
    const settings = { checkoutOrigins, deviceDataUrl: this.#deviceDataUrl, paysOnlyIntentOfAddress: true };
    await sendFrame(reply, renderFrame(settings, FRAMES[name]), headers['accept-encoding']);
  }
}

function isFrameName(name: string): name is FrameName {
  return Object.hasOwn(FRAMES, name);
}

async function sendFrame(reply: Route[1], { text, headers }: PageContent, accepted: unknown): Promise<void> {
  void reply.headers({ ...headers, vary: 'accept-encoding' });
  // Every browser accepts gzip; others read the text.
  if (typeof accepted !== 'string' || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted))
    await reply.send(text);
  else await reply.header('content-encoding', 'gzip').send(await compress(text));
}

import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { PortalUserId, Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { PORTAL_BACKGROUND_HEADER, PORTAL_EVENTS_PATH, type PortalEvent } from '@pos/rest-contracts/portal';
import type { RawRoute } from '@pos/service-kit/http';
import { LOG } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { getAccountTime } from '@pos/store/clock';
import { Database } from '@pos/store/database';
import { listOutboxNotices, type OutboxNotice } from '@pos/store/portal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PortalSessions, type WorkingSession } from '../sessions/portal-sessions.js';
import { EventPosition } from './event-position.js';

const POLL_MS = 1_500;
const COMMENT_MS = 15_000;
/** How often a stream without events checks that its session still exists. */
const SESSION_CHECK_MS = 15_000;
const STREAMS_MAX = 500;
/** Each page of a user has one; a single user cannot take all. */
const STREAMS_OF_USER_MAX = 20;
const EVENTS_MAX = 200;
/** After a drain, browsers reconnect to another process this soon. */
const RECONNECT_MS = 1_000;

/** Sends what has changed in the account of a session, until the session or the process ends. */
@Injectable()
export class PortalEventStream implements RawRoute, BeforeApplicationShutdown {
  readonly path = PORTAL_EVENTS_PATH;
  readonly methods = ['GET'] as const;
  readonly #streams = new Set<OpenStream>();

  constructor(
    private readonly sessions: PortalSessions,
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Browsers reconnect by themselves.
    const headers = { ...request.headers, [PORTAL_BACKGROUND_HEADER]: 'true' };
    const working = await this.sessions.requireWorkingSession(headers);
    const sent = request.headers['last-event-id'];
    const start = EventPosition.parse(typeof sent === 'string' ? sent : '') ?? (await this.#findEnd(working.scope));
    if (!this.#hasRoomFor(working.session.user.id)) throw new Refusal('rate_limited', 'Too many pages are open.');
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write(': connected\n\n');
    const stream = new OpenStream(reply, start, working.session.user.id);
    this.#streams.add(stream);
    reply.raw.once('close', () => stream.close());
    try {
      await this.#run(stream, request, working);
    } catch (error) {
      this.log.warn('portal.events_ended', { error });
    } finally {
      stream.close();
      this.#streams.delete(stream);
    }
  }

  /** Streams never end by themselves, so the drain would wait for them. */
  beforeApplicationShutdown(): void {
    for (const stream of this.#streams) stream.close(`retry: ${RECONNECT_MS}\n\n`);
  }

  /** By the account's time, which events have: that of a sandbox may be ahead, or stand still. */
  async #findEnd(scope: Scope): Promise<EventPosition> {
    const now = await this.database.read(scope, getAccountTime);
    return new EventPosition(new Date(now.getTime() - 1));
  }

  #hasRoomFor(userId: PortalUserId): boolean {
    const ofUser = [...this.#streams].filter((stream) => stream.userId === userId).length;
    return this.#streams.size < STREAMS_MAX && ofUser < STREAMS_OF_USER_MAX;
  }

  /** Nothing is sent without a check of the session right before. */
  async #run(stream: OpenStream, { headers }: FastifyRequest, { scope }: WorkingSession): Promise<void> {
    let [commentedAt, checkedAt] = [performance.now(), performance.now()];
    while (stream.isOpen) {
      const { readFrom: after, sentIds: except } = stream.position;
      const notices = await this.database.read(scope, (reader) =>
        listOutboxNotices(reader, { after, except, limit: EVENTS_MAX }),
      );
      if (notices.length > 0 || performance.now() - checkedAt > SESSION_CHECK_MS) {
        if (!(await this.sessions.continuesIn(scope, headers))) return;
        checkedAt = performance.now();
      }
      stream.send(notices);
      if (performance.now() - commentedAt > COMMENT_MS) {
        stream.comment();
        commentedAt = performance.now();
      }
      await stream.wait(POLL_MS);
    }
  }
}

/** One open answer. */
class OpenStream {
  #isOpen = true;
  #wake: () => void = () => undefined;

  constructor(
    private readonly reply: FastifyReply,
    readonly position: EventPosition,
    readonly userId: PortalUserId,
  ) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(notices: readonly OutboxNotice[]): void {
    for (const notice of this.position.advance(notices)) {
      const event: PortalEvent = { kind: notice.kind, id: notice.subjectId };
      this.#write(`id: ${this.position.format()}\ndata: ${JSON.stringify(event)}\n\n`);
    }
  }

  comment(): void {
    this.#write(': open\n\n');
  }

  close(last = ''): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#wake();
    this.reply.raw.end(last);
  }

  /** Ends early when the stream is closed. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (!this.#isOpen) this.#wake();
    });
  }

  #write(text: string): void {
    if (this.#isOpen) this.reply.raw.write(text);
  }
}

import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { type CallPlaces, OpenCalls } from '../connections/open-calls.js';
import { DroppedFrames } from './dropped-frames.js';
import { inTurn } from './record-fence.js';
import { type Deadline, type EposWish, noAnswer, type NoOutcome, notSent } from './tables-call.js';

/** What the calls of an EPOS need that has connected by itself. */
export interface EposLineParts<Line> {
  readonly connectionId: string;
  readonly line: Line;
  readonly database: Pick<Database, 'read'>;
  readonly log: Log;
}

/** Names the calls of one contract: what is asked for, by what it is told apart, and what an EPOS says to it. */
interface Contract {
  readonly wish: Pick<EposWish, 'scope' | 'fence' | 'faults'>;
  readonly kind: string;
  readonly said: object;
}

/**
 * The calls on one connection that an EPOS has opened, whatever is spoken on it. When it breaks, each ends as "no
 * answer" and none is made again.
 */
export abstract class EposLine<Line, C extends Contract> {
  protected readonly calls: OpenCalls<C['kind'], C['said'] | NoOutcome>;
  protected readonly dropped: DroppedFrames;

  protected constructor(
    protected readonly parts: EposLineParts<Line>,
    places: CallPlaces,
  ) {
    this.calls = new OpenCalls(places);
    this.dropped = new DroppedFrames(parts.log, parts.connectionId);
  }

  get connectionId(): string {
    return this.parts.connectionId;
  }

  isBusy(): boolean {
    return this.calls.isBusy;
  }

  call(wish: C['wish'], deadline: Deadline): Promise<C['said'] | NoOutcome> {
    const { database } = this.parts;
    return inTurn(this.calls, { database, wish, deadline }, () => this.#send(wish, deadline.whenSent()));
  }

  retire(graceMs: number): Promise<void> {
    return this.calls.retire(graceMs);
  }

  broken(): void {
    this.dropped.end();
    this.calls.break(noAnswer('the connection broke'));
  }

  protected abstract kindOf(wish: C['wish']): C['kind'];
  /** Writes a call. False: our own queue refused it, so it never reached the wire. Or what forbids that it is sent. */
  protected abstract write(callId: string, wish: C['wish']): boolean | C['said'];
  /** Ends the connection, as a tester asks for. */
  protected abstract cut(): void;

  #send(wish: C['wish'], deadline: Deadline): Promise<C['said'] | NoOutcome> {
    const callId = randomUUID();
    const waiting = { kind: this.kindOf(wish), deadline, late: noAnswer('no answer in time') };
    return this.calls.await(callId, waiting, (settle) => {
      const written = this.write(callId, wish);
      if (typeof written === 'object') settle(written);
      else if (!written) settle(notSent('noConnection', 'the connection was closed'));
      else if (wish.faults?.closeSocket === true) this.cut();
    });
  }
}

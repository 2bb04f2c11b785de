import { assert } from '@pos/core/assert';
import { type Allowance, type RateLimiter, type TokenGrant, trustedTokens } from '@pos/core/rate-limit';
import type { Database } from './database.js';
import { type PictureReport, TokenPicture } from './token-picture.js';

/** How a limiter is paced; every default is the production value. */
interface RateLimitOptions {
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** How long a request waits for the database before it is counted by this process alone. */
  readonly waitMs?: number;
  /** Is called when the process begins to count alone, and when it counts with the others again. */
  readonly onCountingAlone?: OnCountingAlone;
}

/** The error is why, where the database answered with one. */
type OnCountingAlone = (isAlone: boolean, error: unknown) => void;

/** Where a process writes that it counts alone. */
interface LimitsLog {
  info(event: string): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
}

interface SentRequest extends PictureReport {
  readonly picture: TokenPicture;
}

/** A statement that is under way. */
interface Sending {
  readonly batch: readonly SentRequest[];
  /** Its waiters have gone on without it. */
  isLate: boolean;
}

const PICTURES_MAX = 50_000;
const BATCH_MAX = 200;
const WAIT_MS = 250;
/** How long spent tokens stay unreported while nobody waits. */
const REPORT_PAUSE_MS = 50;
/** How often a process that counts alone asks whether the database answers in time again. */
const RETRY_PAUSE_MS = 1_000;

/**
 * Token buckets by name that all processes of an app share (ADR 0059). A process admits a few calls on trust and reports
 * them in the background; beyond that it asks for tokens, for all waiting calls by one statement. While the database does
 * not answer in time, no call waits and each process applies the whole limit by itself; it reports those calls later.
 */
export class RateLimits implements RateLimiter {
  readonly #source: Pick<Database, 'takeTokens'>;
  readonly #now: () => number;
  readonly #waitMs: number;
  readonly #onCountingAlone: OnCountingAlone;
  /** The least recently used name comes first. */
  readonly #pictures = new Map<string, TokenPicture>();
  /** Those that calls wait for, the longest wait first; they are asked for before anything is reported. */
  readonly #awaited = new Set<TokenPicture>();
  /** Those that nobody waits for; with too many of them the oldest are forgotten. */
  readonly #unreported = new Set<TokenPicture>();
  #sending: Sending | null = null;
  #countsAlone = false;
  #retryAtMs = 0;
  #turn: NodeJS.Immediate | null = null;
  #pause: NodeJS.Timeout | null = null;

  constructor(
    source: Pick<Database, 'takeTokens'>,
    { now = () => performance.now(), waitMs = WAIT_MS, onCountingAlone = () => undefined }: RateLimitOptions = {},
  ) {
    this.#source = source;
    this.#now = now;
    this.#waitMs = waitMs;
    this.#onCountingAlone = onCountingAlone;
  }

  /** Connects first, so that the first calls do not wait for that. A database that does not answer is no reason to fail. */
  static async open(source: Pick<Database, 'takeTokens'>, log: LimitsLog): Promise<RateLimits> {
    await source.takeTokens([]).catch(() => undefined);
    return new RateLimits(source, {
      onCountingAlone: (isAlone, error) => {
        if (isAlone) log.warn('rate_limits.counted_alone', { error });
        else log.info('rate_limits.counted_together');
      },
    });
  }

  take(name: string, allowance: Allowance): void | Promise<void> {
    const nowMs = this.#now();
    const picture = this.#pictureOf(name, allowance, nowMs);
    picture.takeToken(nowMs);
    const open = picture.unproved + 1;
    const trusted = trustedTokens(Math.min(allowance.burst, picture.tokens + open));
    if (this.#countsAlone || open <= trusted) {
      if (this.#countsAlone) picture.spendAlone(1, nowMs);
      else picture.spent += 1;
      // Reported before the trust is used up, so that a steady caller never waits.
      this.#report(picture, open > 1 && open > trusted / 2);
      return;
    }
    return new Promise((resolve, reject) => {
      picture.waiters.push({ resolve, reject, sinceMs: nowMs });
      this.#report(picture, true);
    });
  }

  /** Returns one token that was taken. */
  giveBack(name: string, allowance: Allowance): void {
    const picture = this.#pictureOf(name, allowance, this.#now());
    picture.returnToken();
    this.#report(picture, false);
  }

  /** A name that is forgotten begins with a full bucket until the database has answered: with so many names that is the lesser evil. */
  #pictureOf(name: string, allowance: Allowance, nowMs: number): TokenPicture {
    const picture = this.#pictures.get(name) ?? new TokenPicture(name, allowance, nowMs);
    picture.refill(allowance, nowMs);
    this.#pictures.delete(name);
    this.#pictures.set(name, picture);
    if (this.#pictures.size > PICTURES_MAX) {
      const [oldest] = this.#pictures.keys();
      if (oldest !== undefined) this.#pictures.delete(oldest);
    }
    return picture;
  }

  /** Keeps what is to be sent of a picture. */
  #remember(picture: TokenPicture): void {
    if (picture.waiters.length > 0) {
      this.#unreported.delete(picture);
      this.#awaited.add(picture);
      return;
    }
    this.#unreported.add(picture);
    const [oldest] = this.#unreported;
    if (this.#unreported.size > PICTURES_MAX && oldest !== undefined) this.#unreported.delete(oldest);
  }

  /** Sends soon: all calls of one turn of the process by one statement. */
  #report(picture: TokenPicture, isUrgent: boolean): void {
    this.#remember(picture);
    if (this.#sending !== null) return;
    const retryPauseMs = this.#countsAlone ? this.#retryAtMs - this.#now() : 0;
    const pauseMs = Math.max(retryPauseMs, isUrgent ? 0 : REPORT_PAUSE_MS);
    if (pauseMs <= 0) this.#turn ??= setImmediate(() => this.#flush());
    else this.#pause ??= setTimeout(() => this.#flush(), pauseMs).unref();
  }

  #flush(): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#turn = null;
    this.#pause = null;
    if (this.#sending !== null) return;
    // Behind so many others that it has waited long enough.
    const [longest] = this.#awaited;
    if (longest !== undefined && this.#remainingMs([longest]) <= 0) this.#countAlone();
    const batch = this.#nextBatch();
    if (batch.length > 0) void this.#send({ batch, isLate: false });
  }

  #nextBatch(): SentRequest[] {
    const nowMs = this.#now();
    const batch = new Map<string, SentRequest>();
    for (const picture of inTurn(this.#awaited, this.#unreported)) {
      if (batch.size >= BATCH_MAX) break;
      // A name that was forgotten and used again has two pictures; a statement takes one of them.
      if (batch.has(picture.name)) continue;
      this.#awaited.delete(picture);
      this.#unreported.delete(picture);
      if (picture.spent === 0 && picture.waiters.length === 0) continue;
      batch.set(picture.name, { picture, ...picture.beginReport(nowMs) });
    }
    return [...batch.values()];
  }

  async #send(sending: Sending): Promise<void> {
    const { batch } = sending;
    this.#sending = sending;
    // An answer that came while the process was busy is read first.
    let turn: NodeJS.Immediate | undefined;
    const limit = setTimeout(() => (turn = setImmediate(() => this.#countAlone())), this.#remainingMs(batch)).unref();
    let hasAnswer = false;
    try {
      const nowMs = this.#now();
      const grants = await this.#source.takeTokens(
        batch.map(({ picture: { name, allowance }, spent, sinceMs, waiters }) => ({
          ...{ name, allowance, spent, aloneSeconds: (nowMs - sinceMs) / 1000, wanted: waiters.length },
        })),
      );
      hasAnswer = true;
      if (!sending.isLate) this.#setAlone(false);
      for (const [at, request] of batch.entries()) this.#applyGrant(request, grants[at], sending.isLate);
    } catch (error) {
      // Nobody knows whether the tokens were taken: a caller may rather be charged twice than not at all.
      for (const request of batch) {
        request.picture.undoReport(request);
        this.#remember(request.picture);
      }
      this.#countAlone(error);
    }
    clearTimeout(limit);
    clearImmediate(turn);
    this.#sending = null;
    // After a failure the next call reports: it is what finds out that the database is back.
    if (hasAnswer) this.#reportRest();
  }

  #applyGrant({ picture, sinceMs, waiters }: SentRequest, grant: TokenGrant | undefined, isLate: boolean): void {
    assert(grant !== undefined, 'a request for tokens has no answer');
    // All of them went on: those without a token are reported with the next request.
    if (isLate) picture.spendAlone(waiters.length - grant.granted, sinceMs);
    picture.endReport(grant, this.#now());
    if (isLate) {
      if (picture.spent !== 0) this.#remember(picture);
      return;
    }
    for (const { resolve } of waiters.slice(0, grant.granted)) resolve();
    for (const { reject } of waiters.slice(grant.granted)) reject(picture.refusal());
  }

  /** Lets all go on who wait: the database does not answer in time. */
  #countAlone(error: unknown = null): void {
    this.#setAlone(true, error);
    this.#retryAtMs = this.#now() + RETRY_PAUSE_MS;
    if (this.#sending !== null) {
      this.#sending.isLate = true;
      for (const { waiters } of this.#sending.batch) for (const { resolve } of waiters) resolve();
    }
    for (const picture of this.#awaited) {
      const waiting = picture.waiters.splice(0);
      picture.spendAlone(waiting.length, waiting[0]?.sinceMs ?? this.#now());
      this.#remember(picture);
      for (const { resolve } of waiting) resolve();
    }
    this.#awaited.clear();
  }

  /** How long the call that has waited longest may still wait; the whole time where nobody waits. */
  #remainingMs(asked: readonly Pick<PictureReport, 'waiters'>[]): number {
    const nowMs = this.#now();
    const since = asked.map(({ waiters }) => waiters[0]?.sinceMs ?? nowMs);
    return Math.min(nowMs, ...since) + this.#waitMs - nowMs;
  }

  #setAlone(isAlone: boolean, error: unknown = null): void {
    if (this.#countsAlone === isAlone) return;
    this.#countsAlone = isAlone;
    this.#onCountingAlone(isAlone, error);
  }

  #reportRest(): void {
    const [awaited] = this.#awaited;
    const [next = awaited] = this.#unreported;
    if (next !== undefined) this.#report(next, awaited !== undefined || this.#unreported.size >= BATCH_MAX);
  }
}

/** The members of the first set, and then those of the other. */
function* inTurn<Member>(first: Iterable<Member>, other: Iterable<Member>): Generator<Member> {
  yield* first;
  yield* other;
}

import { readFileSync } from 'node:fs';
import type { AppProcess } from '../dev/app-process.js';
import { type ActiveAlert, RuleEvaluator } from '../substitutes/rule-evaluator.js';
import { readRules } from './rules.js';
import { parseScrape } from '../substitutes/scrape-text.js';
import { type MetricSample, TimeSeries } from '../substitutes/time-series.js';

const SCRAPE_INTERVAL_MS = 30_000;
const SCRAPE_TIMEOUT_MS = 5_000;

/** A process whose log names the address of its metrics. */
export type ScrapeTarget = Pick<AppProcess, 'name' | 'logFile' | 'pid'>;

/**
 * Scrapes real processes and evaluates the rules, as a Prometheus server does. Its clock moves by one interval for each
 * scrape, so that `for: 5m` takes ten scrapes and no five minutes.
 */
export class Monitor {
  readonly series = new TimeSeries();
  readonly #evaluator = new RuleEvaluator(readRules(), this.series);
  /** Real at the start, because rules compare it with times of certificates. */
  #nowMs: number;

  constructor(
    private readonly apps: ScrapeTarget[],
    startedAtMs: number,
  ) {
    this.#nowMs = startedAtMs;
  }

  /** Scrapes one more process, until the returned function is called. */
  addTarget(target: ScrapeTarget): () => void {
    this.apps.push(target);
    return () => {
      this.apps.splice(this.apps.indexOf(target), 1);
      this.series.endTarget({ job: 'pos', instance: target.name }, this.#nowMs);
    };
  }

  /** Scrapes every process once and returns the active alerts. */
  async step(): Promise<ActiveAlert[]> {
    this.#nowMs += SCRAPE_INTERVAL_MS;
    const atMs = this.#nowMs;
    await Promise.all(
      this.apps.map(async (app) => {
        const samples = await scrape(app);
        const up = { labels: { __name__: 'up' }, value: samples === null ? 0 : 1 };
        this.series.addScrape([...(samples ?? []), up], atMs, { job: 'pos', instance: app.name });
      }),
    );
    return this.#evaluator.evaluateAt(atMs);
  }
}

/** Null for a process that does not answer. */
async function scrape(app: ScrapeTarget): Promise<MetricSample[] | null> {
  const url = findMonitoringUrl(app);
  if (url === null) return null;
  try {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
    return answer.ok ? parseScrape(await answer.text()) : null;
  } catch (error) {
    if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return null;
    throw error;
  }
}

/** The process has chosen a free port and has logged it; null before that. */
export function findMonitoringUrl({ logFile, pid }: ScrapeTarget): string | null {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const line = lines.findLast(
    (each) => each.includes('"event":"monitoring.started"') && each.includes(`"pid":${pid},`),
  );
  if (line === undefined) return null;
  const { urls } = JSON.parse(line) as { readonly urls: readonly string[] };
  return urls[0] ?? null;
}

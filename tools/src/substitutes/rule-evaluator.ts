import { evaluate, type PromqlExpression } from './promql.js';
import { formatLabels, type Labels, type TimeSeries } from './time-series.js';

/** A rule that fires while its expression has had a value for some time. */
export interface AlertRule {
  readonly alert: string;
  readonly expression: PromqlExpression;
  readonly forMs: number;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  readonly runbook: string;
}

/** A rule whose value is a new series. */
export interface RecordingRule {
  readonly record: string;
  readonly expression: PromqlExpression;
}

/** Rules in their order. */
export interface Rules {
  readonly alerts: readonly AlertRule[];
  readonly recordings: readonly RecordingRule[];
}

/** An alert for the labels of one series. */
export interface ActiveAlert {
  readonly alert: string;
  readonly labels: Labels;
  readonly state: 'pending' | 'firing';
}

/** Evaluates the rules step by step over scraped series, as a Prometheus server does. The clock is the caller's. */
export class RuleEvaluator {
  /** Since when the expression of an alert has had a value, by alert and labels. */
  #activeSince = new Map<string, number>();

  constructor(
    private readonly rules: Rules,
    private readonly series: TimeSeries,
  ) {}

  /** Records the series of the recording rules, then returns the alerts that are pending or firing now. */
  evaluateAt(atMs: number): ActiveAlert[] {
    for (const { record, expression } of this.rules.recordings) {
      const result = evaluate(expression, this.series, atMs);
      const samples = typeof result === 'number' ? [{ labels: {}, value: result }] : result;
      const named = samples.map(({ labels, value }) => ({ labels: { ...labels, __name__: record }, value }));
      this.series.addScrape(named, atMs, { __name__: record });
    }
    const activeSince = new Map<string, number>();
    const active = this.rules.alerts.flatMap(({ alert, expression, forMs }) => {
      const result = evaluate(expression, this.series, atMs);
      if (typeof result === 'number') throw new Error(`${alert} has a number, which is always true`);
      return result.map(({ labels }): ActiveAlert => {
        const key = `${alert} ${formatLabels(labels)}`;
        const since = this.#activeSince.get(key) ?? atMs;
        activeSince.set(key, since);
        return { alert, labels, state: atMs - since >= forMs ? 'firing' : 'pending' };
      });
    });
    this.#activeSince = activeSince;
    return active;
  }

  /** The names of the alerts that fire now. */
  listFiring(atMs: number): string[] {
    const firing = this.evaluateAt(atMs).filter(({ state }) => state === 'firing');
    return [...new Set(firing.map(({ alert }) => alert))].sort();
  }
}

/** The labels of a series, its name included as `__name__`. */
export type Labels = Readonly<Record<string, string>>;

/** A value of a series at a moment. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** A value with the labels of its series. */
export interface MetricSample {
  readonly labels: Labels;
  readonly value: number;
}

/** The value of an expression: a number, or a number for each series. */
export type EvaluationResult = number | readonly MetricSample[];

export interface LabelMatcher {
  readonly label: string;
  readonly op: '=' | '!=' | '=~';
  readonly text: string;
}

interface Series {
  readonly labels: Labels;
  readonly points: (Point & { readonly isStale: boolean })[];
}

/** Prometheus looks this far back for the current value of a series. */
const LOOKBACK_MS = 5 * 60_000;

/** Scraped samples in memory, as Prometheus stores them: a series that is missing from a scrape is stale at once. */
export class TimeSeries {
  readonly #series = new Map<string, Series>();

  /** Stores one scrape of a target. Series of earlier scrapes that it lacks are stale from now on. */
  addScrape(samples: readonly MetricSample[], atMs: number, target: Labels): void {
    const seen = new Set<string>();
    for (const { labels, value } of samples) {
      const all = { ...labels, ...target };
      const key = formatLabels(all);
      seen.add(key);
      this.#append(key, all, { atMs, value, isStale: false });
    }
    for (const [key, { labels, points }] of this.#series) {
      const isOfTarget = Object.entries(target).every(([name, value]) => labels[name] === value);
      if (!isOfTarget || seen.has(key) || points.at(-1)?.isStale !== false) continue;
      points.push({ atMs, value: NaN, isStale: true });
    }
  }

  /** A target that is scraped no longer: its series are stale. */
  endTarget(target: Labels, atMs: number): void {
    this.addScrape([], atMs, target);
  }

  /** Every series that matches, with its points in the interval that ends at `atMs`. Stale points are left out. */
  selectRange(matchers: readonly LabelMatcher[], atMs: number, rangeMs: number): { labels: Labels; points: Point[] }[] {
    return this.#match(matchers).flatMap(({ labels, points }) => {
      const inside = points.filter((point) => point.atMs > atMs - rangeMs && point.atMs <= atMs && !point.isStale);
      return inside.length === 0 ? [] : [{ labels, points: inside }];
    });
  }

  /** The current value of every series that matches. */
  selectInstant(matchers: readonly LabelMatcher[], atMs: number): MetricSample[] {
    return this.#match(matchers).flatMap(({ labels, points }) => {
      const current = points.findLast((point) => point.atMs <= atMs);
      if (current === undefined || current.isStale || current.atMs <= atMs - LOOKBACK_MS) return [];
      return [{ labels, value: current.value }];
    });
  }

  #append(key: string, labels: Labels, point: Series['points'][number]): void {
    const series = this.#series.get(key) ?? { labels, points: [] };
    this.#series.set(key, series);
    series.points.push(point);
  }

  #match(matchers: readonly LabelMatcher[]): Series[] {
    return [...this.#series.values()].filter(({ labels }) => matchers.every((matcher) => isMatch(labels, matcher)));
  }
}

/** Labels in a fixed order, as the identity of a series. */
export function formatLabels(labels: Labels): string {
  return Object.keys(labels)
    .sort()
    .map((name) => `${name}=${JSON.stringify(labels[name])}`)
    .join(',');
}

/** The labels of a computed value, which is no longer the metric. */
export function dropMetricName(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== '__name__'));
}

function isMatch(labels: Labels, { label, op, text }: LabelMatcher): boolean {
  const value = labels[label] ?? '';
  if (op === '=') return value === text;
  if (op === '!=') return value !== text;
  return new RegExp(`^(?:${text})$`).test(value);
}

import { assert } from '@pos/core/refusals';

/** The labels of one observation. */
export type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

/** What a metric is. Prometheus conventions: base units, counters end with `_total`. */
export interface MetricDefinition<Label extends string = string> {
  readonly name: string;
  /** One sentence: what is measured, and in which unit. */
  readonly help: string;
  readonly labels: readonly Label[];
  /** More series than this are counted together under the label value `other`. */
  readonly seriesMax?: number;
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A sample in the text of a scrape: its name, labels and value. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^(pos|process|nodejs)_[a-z][a-z0-9_]*$/;
const LABEL = /^[a-z][a-z0-9_]*$/;
const SERIES_MAX = 500;
const OVERFLOW_VALUE = 'other';
const KEY_SEPARATOR = '\u0000';

/** The series of a metric. A label whose values grow without end never grows the memory: the rest is `other`. */
abstract class Metric<Label extends string, Value> {
  abstract readonly type: MetricType;
  readonly definition: MetricDefinition<Label>;
  protected readonly series = new Map<string, { readonly labels: LabelValues<Label>; readonly value: Value }>();
  readonly #seriesMax: number;

  constructor(definition: MetricDefinition<Label>) {
    assert(NAME.test(definition.name), `${definition.name} is no name of a metric`);
    for (const label of definition.labels) assert(LABEL.test(label), `${label} is no name of a label`);
    this.definition = definition;
    this.#seriesMax = definition.seriesMax ?? SERIES_MAX;
  }

  /** Scrapes the series from now on, with zero: the first increase of a series that was not there is not seen. */
  declareSeries(labels: LabelValues<Label>): void {
    this.valueOf(labels);
  }

  protected abstract createValue(): Value;
  abstract listSamples(): MetricSample[];

  /** The value of the series with these labels. */
  protected valueOf(labels: LabelValues<Label>): Value {
    const { labels: names } = this.definition;
    let key = '';
    for (const name of names) key += labels[name] + KEY_SEPARATOR;
    const known = this.series.get(key);
    if (known !== undefined) return known.value;
    if (this.series.size >= this.#seriesMax) return this.#getOverflow();
    return this.#addSeries(key, Object.fromEntries(names.map((name) => [name, labels[name]])) as LabelValues<Label>);
  }

  #getOverflow(): Value {
    const { labels: names } = this.definition;
    const key = names.map(() => OVERFLOW_VALUE + KEY_SEPARATOR).join('');
    const labels = Object.fromEntries(names.map((name) => [name, OVERFLOW_VALUE])) as LabelValues<Label>;
    return this.series.get(key)?.value ?? this.#addSeries(key, labels);
  }

  #addSeries(key: string, labels: LabelValues<Label>): Value {
    const value = this.createValue();
    this.series.set(key, { labels, value });
    return value;
  }
}

/** A number that only grows while the process runs. */
export class Counter<Label extends string = never> extends Metric<Label, { total: number }> {
  readonly type: MetricType = 'counter';

  constructor(definition: MetricDefinition<Label>) {
    super(definition);
    assert(definition.name.endsWith('_total'), `the counter ${definition.name} does not end with _total`);
    if (definition.labels.length === 0) this.declareSeries({} as LabelValues<Label>);
  }

  increase(labels: LabelValues<Label>, by = 1): void {
    this.valueOf(labels).total += by;
  }

  /** Sets a total that another part counts, such as the CPU time of the process. */
  setTotal(labels: LabelValues<Label>, total: number): void {
    this.valueOf(labels).total = total;
  }

  listSamples(): MetricSample[] {
    const { name } = this.definition;
    return [...this.series.values()].map(({ labels, value }) => ({ name, labels, value: value.total }));
  }

  protected createValue(): { total: number } {
    return { total: 0 };
  }
}

/** A number that goes up and down. */
export class Gauge<Label extends string = never> extends Metric<Label, { current: number }> {
  readonly type: MetricType = 'gauge';

  set(labels: LabelValues<Label>, current: number): void {
    this.valueOf(labels).current = current;
  }

  /** Deletes all series: what is not set again is not scraped. */
  clear(): void {
    this.series.clear();
  }

  listSamples(): MetricSample[] {
    const { name } = this.definition;
    return [...this.series.values()].map(({ labels, value }) => ({ name, labels, value: value.current }));
  }

  protected createValue(): { current: number } {
    return { current: 0 };
  }
}

/** Upper bounds in seconds for durations, from a lookup in memory to a call that runs into its deadline. */
const DURATION_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Distribution {
  /** One for each bucket, and the last for what is above all of them. */
  readonly counts: number[];
  sum: number;
}

/** How often values fell into each bucket. */
export class Histogram<Label extends string = never> extends Metric<Label, Distribution> {
  readonly type: MetricType = 'histogram';
  readonly buckets: readonly number[];

  constructor({
    buckets = DURATION_BUCKETS,
    ...definition
  }: MetricDefinition<Label> & { readonly buckets?: readonly number[] }) {
    super(definition);
    assert(definition.name.endsWith('_seconds'), `the histogram ${definition.name} is not in seconds`);
    this.buckets = buckets;
    if (definition.labels.length === 0) this.declareSeries({} as LabelValues<Label>);
  }

  observe(labels: LabelValues<Label>, value: number): void {
    const distribution = this.valueOf(labels);
    let index = 0;
    while (index < this.buckets.length && value > (this.buckets[index] ?? Infinity)) index += 1;
    distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
    distribution.sum += value;
  }

  listSamples(): MetricSample[] {
    const { name } = this.definition;
    return [...this.series.values()].flatMap(({ labels, value: { counts, sum } }) => {
      let count = 0;
      const buckets = [...this.buckets, Infinity].map((bound, index) => {
        count += counts[index] ?? 0;
        return { name: `${name}_bucket`, labels: { ...labels, le: formatNumber(bound) }, value: count };
      });
      return [...buckets, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: count }];
    });
  }

  protected createValue(): Distribution {
    return { counts: new Array<number>(this.buckets.length + 1).fill(0), sum: 0 };
  }
}

/** A number as Prometheus writes it. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

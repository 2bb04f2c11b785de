import { assert } from '@pos/core/refusals';
import {
  Counter,
  formatNumber,
  Gauge,
  Histogram,
  type MetricDefinition,
  type MetricSample,
  type MetricType,
} from './metric.js';

type AnyMetric = Counter<string> | Gauge<string> | Histogram<string>;

/** Sets gauges right before they are scraped. */
export type MetricCollector = () => void | Promise<void>;

/** The type of the text that `renderMetrics` returns. */
export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** All metrics of the process, as a trace and its log are the process's. */
const metrics = new Map<string, AnyMetric>();
const collectors = new Set<MetricCollector>();

/** Defines a counter of the process, once, where its file is loaded. */
export function defineCounter<Label extends string = never>(definition: MetricDefinition<Label>): Counter<Label> {
  return register(new Counter(definition));
}

export function defineGauge<Label extends string = never>(definition: MetricDefinition<Label>): Gauge<Label> {
  return register(new Gauge(definition));
}

/** Defines a histogram of durations in seconds. */
export function defineHistogram<Label extends string = never>(
  definition: MetricDefinition<Label> & { readonly buckets?: readonly number[] },
): Histogram<Label> {
  return register(new Histogram(definition));
}

/** Runs the collector before each scrape, until the returned function is called. */
export function addCollector(collector: MetricCollector): () => void {
  collectors.add(collector);
  return () => {
    collectors.delete(collector);
  };
}

/** A metric with its current samples. */
interface DefinedMetric {
  readonly definition: MetricDefinition;
  readonly type: MetricType;
  readonly samples: readonly MetricSample[];
}

/** Every metric that the loaded files define, by name. */
export function listMetrics(): DefinedMetric[] {
  return [...metrics.values()]
    .map((metric) => ({ definition: metric.definition, type: metric.type, samples: metric.listSamples() }))
    .sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
}

/** The scrape that runs. */
let rendering: Promise<string> | null = null;

/**
 * The text of a scrape. A collector that fails costs its own metrics and no others. Scrapes at the same time share one
 * run: collectors read the database, and one that clears its gauges must not do so while another scrape reads them.
 * `onFailure` receives the failures of the run that its call starts.
 */
export function renderMetrics(onFailure: (error: unknown) => void = () => undefined): Promise<string> {
  rendering ??= collectAndRender(onFailure).finally(() => {
    rendering = null;
  });
  return rendering;
}

async function collectAndRender(onFailure: (error: unknown) => void): Promise<string> {
  const running = [...collectors].map(async (collect) => collect());
  for (const result of await Promise.allSettled(running)) if (result.status === 'rejected') onFailure(result.reason);
  const lines: string[] = [];
  for (const { definition, type, samples } of listMetrics()) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${definition.name} ${escapeHelp(definition.help)}`, `# TYPE ${definition.name} ${type}`);
    for (const sample of samples) lines.push(formatSample(sample));
  }
  return `${lines.join('\n')}\n`;
}

function register<M extends { readonly definition: MetricDefinition }>(metric: M): M {
  const { name } = metric.definition;
  assert(!metrics.has(name), `the metric ${name} is defined twice`);
  metrics.set(name, metric as unknown as AnyMetric);
  return metric;
}

function formatSample({ name, labels, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${formatNumber(value)}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

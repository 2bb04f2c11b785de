import type { MetricSample } from './time-series.js';

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };
const SPECIAL_NUMBERS: Readonly<Record<string, number>> = { '+Inf': Infinity, '-Inf': -Infinity, NaN };

/** Reads the text of a scrape. Throws for a line that Prometheus would refuse, and for a series that is there twice. */
export function parseScrape(text: string): MetricSample[] {
  if (!text.endsWith('\n')) throw new Error('the text of a scrape does not end with a newline');
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const samples: MetricSample[] = [];
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) {
      if (types.has(name)) throw new Error(`${name} has two types`);
      types.set(name, type);
    } else if (line.startsWith('# HELP ')) continue;
    else if (line !== '') {
      const series = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(series)) throw new Error(`${series} is there twice`);
      seen.add(series);
      samples.push(parseSample(line));
    }
  }
  for (const { labels } of samples) {
    const name = labels['__name__'] ?? '';
    if (!types.has(name) && types.get(name.replace(/_(bucket|sum|count)$/, '')) !== 'histogram')
      throw new Error(`${name} has no type`);
  }
  return samples;
}

/** Reads a line of a scrape: a series and its value. */
export function parseSample(line: string): MetricSample {
  const match = SAMPLE.exec(line);
  const [, name, pairs = '', text = ''] = match ?? [];
  const value = SPECIAL_NUMBERS[text] ?? Number(text);
  if (name === undefined || (Number.isNaN(value) && text !== 'NaN')) throw new Error(`this is no sample: ${line}`);
  return { labels: { __name__: name, ...parseLabels(pairs, line) }, value };
}

function parseLabels(pairs: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let read = 0;
  for (const match of pairs.matchAll(LABEL)) {
    const [all, name = '', text = ''] = match;
    labels[name] = text.replaceAll(/\\[\\"n]/g, (escape) => ESCAPES[escape] ?? escape);
    read += all.length;
  }
  if (read !== pairs.length) throw new Error(`these are no labels: ${line}`);
  return labels;
}

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { listMetrics, type MetricDefinition, type MetricType } from '@pos/service-kit/metrics';
import { REPOSITORY } from '../repository/repository.js';

/** The built files that define metrics, and the processes that have them. */
const SOURCES = [
  { title: 'Every app', files: ['packages/service-kit/dist/nest/monitoring-module.js'] },
  {
    title: 'Every app with requests',
    files: ['packages/service-kit/dist/metrics/request-metrics.js'],
  },
  { title: 'Every app with a database', files: ['packages/nest-modules/dist/database-telemetry.js'] },
  {
    title: 'api, card-vault, pay-at-table-gateway, webhook-worker: the activity log',
    files: ['packages/nest-modules/dist/activity-telemetry.js'],
  },
  {
    title: 'api, card-vault, pay-at-table-gateway, webhook-worker: calls to acquirers',
    files: ['packages/nest-modules/dist/acquirer-telemetry.js'],
  },
  {
    title: 'webhook-worker: its own work',
    files: ['apps/webhook-worker/dist/monitoring/work-metrics.js'],
  },
  {
    title: 'webhook-worker: all accounts',
    files: ['apps/webhook-worker/dist/monitoring/service-state-module.js'],
  },
  {
    title: 'pay-at-table-gateway',
    files: [
      'apps/pay-at-table-gateway/dist/connections/connection-metrics.js',
      'apps/pay-at-table-gateway/dist/epos-routing/epos-call-metrics.js',
      'apps/pay-at-table-gateway/dist/table-payments/record-metrics.js',
    ],
  },
] as const;

const HEAD = `# Metrics

For operators who write queries, rules and dashboards. At its end you know every metric, its type and its labels.

Every app with \`HEALTH_PORT\` serves its metrics at \`/metrics\` ([monitor the service](../operate/monitor.md)). Histograms also have \`_bucket\`, \`_sum\` and \`_count\`. No label contains an id. A metric with more series than its limit counts the rest under the label value \`other\`. This page is generated from the definitions in the code; \`pnpm golden --filter=@pos/tools\` rewrites it.
`;

/** A metric as it is defined. */
interface DefinedMetric {
  readonly definition: MetricDefinition;
  readonly type: MetricType;
}

/** Every metric of every app, grouped by the processes that have them. */
export async function loadMetrics(): Promise<
  readonly { readonly title: string; readonly metrics: readonly DefinedMetric[] }[]
> {
  const known = new Set<string>();
  const groups: { title: string; metrics: DefinedMetric[] }[] = [];
  for (const { title, files } of SOURCES) {
    for (const file of files) await import(pathToFileURL(path.join(REPOSITORY, file)).href);
    const added = listMetrics().filter(({ definition }) => !known.has(definition.name));
    for (const { definition } of added) known.add(definition.name);
    groups.push({ title, metrics: added });
  }
  return groups;
}

/** The page of all metrics, docs/reference/metrics.md. */
export async function renderMetricsPage(): Promise<string> {
  const sections = (await loadMetrics()).map(({ title, metrics }) => {
    const rows = metrics.map(({ definition: { name, labels, help }, type }) => {
      const names = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${names === '' ? 'none' : names} | ${help.replaceAll('|', '\\|')} |`;
    });
    return `## ${title}\n\n| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}

import { type AppSettings, CHART_APPS } from './app-settings.js';
import { buildValuesSchema, type ValueSchema } from './values-schema.js';

const HEAD = `# Helm values of the chart

For operators who install the service in Kubernetes with the chart \`deploy/helm/pos\`. At its end you know every value, its type and its default.

The chart refuses a value that is not listed here. This page and \`deploy/helm/pos/values.schema.json\` are made from the settings of the apps; \`pnpm golden --filter=@pos/tools\` rewrites both. [Deploy to production](deploy-to-production.md#kubernetes) shows how to install the chart, and [Configuration](../reference/configuration.md) explains the settings.
`;

/** The page of all values, docs/operate/helm-values.md. */
export function renderHelmValuesPage(apps: ReadonlyMap<string, AppSettings>): string {
  const { properties = {} } = buildValuesSchema(apps) as ValueSchema;
  const { apps: appMap, ...common } = properties;
  const first = appMap?.properties?.[CHART_APPS[0]]?.properties ?? {};
  const secrets = [...apps].map(
    ([app, { secrets: names }]) => `| \`${app}\` | ${names.map(code).join(', ') || 'none'} |`,
  );
  return [
    HEAD,
    `## Common values\n\n${renderTable(common)}\n`,
    `## Apps\n\nThe map \`apps\` has ${CHART_APPS.map(code).join(', ')}. Each has these values, all optional. \`epos-tester\` is off by default.\n\n${renderTable(first)}\n`,
    `## Secrets\n\nThe keys that the Secret of an app may have. An app that needs one starts only with it.\n\n| app | keys |\n|---|---|\n${secrets.join('\n')}\n`,
  ].join('\n');
}

function renderTable(properties: Readonly<Record<string, ValueSchema>>): string {
  const rows = Object.entries(properties).flatMap(([name, schema]) => listRows(name, schema));
  return ['| Value | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function listRows(name: string, schema: ValueSchema): string[] {
  const row = `| \`${name}\` | ${formatType(schema)} | ${schema.description ?? ''}${formatDefault(schema)} |`;
  // A map of settings has its own page, and the values of a list belong together.
  if (schema.properties === undefined || isSettingsMap(schema)) return [row];
  return [row, ...Object.entries(schema.properties).flatMap(([member, each]) => listRows(`${name}.${member}`, each))];
}

function formatType(schema: ValueSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.type === 'array') return `list of ${schema.items?.type === 'object' ? 'objects' : 'texts'}`;
  if (schema.type === 'object') return isSettingsMap(schema) ? 'map of texts' : 'group';
  return schema.type === 'string' ? 'text' : String(schema.type);
}

function isSettingsMap({ properties, additionalProperties }: ValueSchema): boolean {
  if (typeof additionalProperties === 'object' || properties === undefined) return true;
  return Object.keys(properties).every((name) => name === name.toUpperCase());
}

function formatDefault({ default: value }: ValueSchema): string {
  return value === undefined ? '' : ` Default: ${code(String(value))}.`;
}

function code(text: string): string {
  return `\`${text}\``;
}

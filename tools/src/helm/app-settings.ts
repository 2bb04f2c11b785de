import { listSecretSettings } from '@pos/service-kit/config';
import { loadSettingsSchemas } from '../docs/configuration.js';

/** What an app of the chart reads: texts, and secrets that come from files. */
export interface AppSettings {
  readonly settings: readonly string[];
  readonly secrets: readonly string[];
}

/** The apps of production. The sandbox is none of them, and the operator's command is a Job. */
export const CHART_APPS = [
  'api',
  'card-vault',
  'webhook-worker',
  'pay-at-table-gateway',
  'epos-tester',
  'checkout',
  'portal',
] as const;

/** Only for tests of the service itself, or refused in production. */
const NOT_FOR_PRODUCTION = ['NODE_ENV', 'SEED', 'FAULT_POINT'];
/** The chart sets it for each process. */
const SET_PER_PROCESS = ['ADVERTISED_ADDRESS'];

/** The settings that an operator may give each app of the chart, in the order of their names. */
export async function loadChartSettings(): Promise<ReadonlyMap<string, AppSettings>> {
  const schemas = await loadSettingsSchemas();
  return new Map(
    CHART_APPS.map((app) => {
      const schema = schemas.get(app);
      if (schema === undefined) throw new Error(`no schema of settings is known for ${app}`);
      const secrets = listSecretSettings(schema).sort();
      const hidden = [...secrets, ...NOT_FOR_PRODUCTION, ...SET_PER_PROCESS];
      const settings = Object.keys(schema.shape).filter((name) => !hidden.includes(name));
      return [app, { settings: settings.sort(), secrets }];
    }),
  );
}

/** The chart's file with the settings of each app: a common setting goes to the apps that have it. */
export function renderSettingsFile(apps: ReadonlyMap<string, AppSettings>): string {
  const lists = [...apps].map(([app, { settings }]) => `${app}:\n${settings.map((name) => `  - ${name}`).join('\n')}`);
  return `# The settings of each app, made from their schemas by \`pnpm golden --filter=@pos/tools\`.\n${lists.join('\n')}\n`;
}

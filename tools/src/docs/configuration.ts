import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatConfigTable } from '@pos/service-kit/config';
import { z } from 'zod';
import { DEV_SETTINGS, PASSED_SETTINGS } from '../dev/dev-settings.js';
import { DEFAULT_PORTS } from '../dev/ports.js';
import { REPOSITORY } from '../repository/repository.js';

/** Every app with the built file of its settings, and the name of its export. */
const SCHEMAS = [
  { app: 'api', file: 'apps/api/dist/config/config.js' },
  { app: 'card-vault', file: 'apps/card-vault/dist/config/config.js' },
  { app: 'webhook-worker', file: 'apps/webhook-worker/dist/config/config.js' },
  { app: 'pay-at-table-gateway', file: 'apps/pay-at-table-gateway/dist/config/config.js' },
  { app: 'epos-tester', file: 'apps/epos-tester/dist/config/config.js' },
  { app: 'checkout', file: 'apps/checkout/dist/config.js' },
  { app: 'portal', file: 'apps/portal/dist/config/config.js' },
  { app: 'admin', file: 'apps/admin/dist/config/config.js' },
  { app: 'sandbox', file: 'apps/sandbox/dist/config/sandbox-config.js' },
  { app: 'reference-acquirer-adapter', file: 'apps/reference-acquirer-adapter/dist/config.js' },
  { app: 'processor-simulator', file: 'apps/processor-simulator/dist/config.js' },
] as const;

const HEAD = `# Configuration: all settings

For operators who configure an app. At its end you know every setting, its default and its meaning.

Every app reads its settings once, from the environment, and does not start with a wrong setting. The defaults are those of production. This page is generated from the schemas in the code; \`pnpm golden --filter=@pos/tools\` rewrites it.
`;

/** The settings of every app, as its built file exports them. */
export async function loadSettingsSchemas(): Promise<ReadonlyMap<string, z.ZodObject>> {
  const schemas = new Map<string, z.ZodObject>();
  for (const { app, file } of SCHEMAS) {
    const module: unknown = await import(pathToFileURL(path.join(REPOSITORY, file)).href);
    schemas.set(app, findSchema(module, file));
  }
  return schemas;
}

/** The page of all settings, docs/reference/configuration.md. */
export async function renderConfigurationPage(): Promise<string> {
  const schemas = await loadSettingsSchemas();
  const sections = [...schemas].map(([app, schema]) => `## ${app}\n\n${formatConfigTable(schema)}\n`);
  return [HEAD, ...sections, renderDevelopersSection()].join('\n');
}

function renderDevelopersSection(): string {
  const ports = Object.values(DEFAULT_PORTS).map(({ port, setting }) => `| \`${setting}\` | \`${port}\` |`);
  return `## npm start, npm run demo, pnpm turbo dev

${formatConfigTable(DEV_SETTINGS)}

Passed to every app that has the setting: ${PASSED_SETTINGS.map((name) => `\`${name}\``).join(', ')}.

| Port | Default |
|---|---|
${ports.join('\n')}
`;
}

function findSchema(module: unknown, file: string): z.ZodObject {
  const exported = Object.values(module as Record<string, unknown>);
  const schema = exported.find((value) => value instanceof z.ZodObject);
  if (schema === undefined) throw new Error(`${file} exports no schema of settings`);
  return schema;
}

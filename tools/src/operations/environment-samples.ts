import { listSecretSettings } from '@pos/service-kit/config';
import { z } from 'zod';
import { CHART_APPS } from '../helm/app-settings.js';
import { loadSettingsSchemas } from '../docs/configuration.js';

/** Set by the unit, or only for tests of the service itself. */
const LEFT_OUT = ['NODE_ENV', 'SEED', 'FAULT_POINT'];

/** The health port of each app of one machine: processes of one machine need different ones. */
const HEALTH_PORTS: Readonly<Record<(typeof CHART_APPS)[number], number>> = {
  api: 9000,
  'card-vault': 9001,
  'webhook-worker': 9002,
  'pay-at-table-gateway': 9003,
  'epos-tester': 9004,
  checkout: 9006,
  portal: 9007,
};

/** What an operator replaces, and what most installations set. All processes are on one machine, behind a proxy. */
const SAMPLES: Readonly<Record<string, string>> = {
  ACQUIRER_ADDRESS_PRODUCTION: 'acquirer.example.com:443',
  API_BASE_URL: 'https://api.example.com',
  API_URL: 'http://127.0.0.1:3000',
  CARD_VAULT_ADDRESS: '127.0.0.1:50053',
  CARD_VAULT_URL: 'https://vault.example.com',
  CHALLENGE_ORIGINS: 'https://3ds.example.com',
  CHECKOUT_BASE_URL: 'https://pay.example.com',
  DEVICE_DATA_URL: 'https://3ds.example.com/device-data',
  GATEWAY_INTERNAL_ADDRESSES: '127.0.0.1:50054',
  INTERNAL_HOST: '127.0.0.1',
  INTERNAL_TLS_CA: '/etc/pos/tls/internal-ca.pem',
  MAIL_FROM: 'receipts@example.com',
};

const LINE_LENGTH_MAX = 118;

/** The sample environment file of each app, as systemd reads it, by the name of the app. */
export async function renderEnvironmentSamples(): Promise<ReadonlyMap<string, string>> {
  const schemas = await loadSettingsSchemas();
  return new Map(CHART_APPS.map((app) => [app, renderSample(app, schemas.get(app) ?? z.object({}))]));
}

function renderSample(app: (typeof CHART_APPS)[number], schema: z.ZodObject): string {
  const secrets = listSecretSettings(schema);
  const samples: Readonly<Record<string, string>> = {
    ...SAMPLES,
    HEALTH_PORT: String(HEALTH_PORTS[app]),
    INTERNAL_TLS_CERT: `/etc/pos/tls/${app}-cert.pem`,
    INTERNAL_TLS_KEY: `/etc/pos/tls/${app}-key.pem`,
  };
  const settings = Object.entries<z.core.$ZodType>(schema.shape).filter(([name]) => !LEFT_OUT.includes(name));
  const lines = settings.map(([name, setting]) => {
    const fallback = z.safeParse(setting, undefined);
    const isSecret = secrets.includes(name);
    const sample = isSecret ? `/etc/pos/secrets/${app}/${name.toLowerCase()}` : samples[name];
    const isRequired = !fallback.success || (sample !== undefined && !isSecret);
    const value = sample ?? (fallback.success ? formatValue(fallback.data) : '');
    const meaning = z.globalRegistry.get(setting)?.description ?? '';
    const assignment = `${isSecret ? `${name}_FILE` : name}=${value}`;
    return `${wrapComment(meaning)}\n${isRequired ? assignment : `#${assignment}`}\n`;
  });
  return `# Settings of ${app}, for /etc/pos/${app}.env. Replace the values of the lines without #; the others show defaults.
# A name with _FILE is the path of a file with the value. Made from the schema of the app; docs/reference/configuration.md
# has the same settings as a table.

${lines.join('\n')}`;
}

/** The default as the setting would be written. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value);
}

function wrapComment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length > LINE_LENGTH_MAX) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join('\n');
}

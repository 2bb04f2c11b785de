import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  ConfigError,
  hostPortSetting,
  millisecondsSetting,
  defaultOutsideProduction,
  secretSetting,
  toSecret,
} from './config.js';
import type { Secret } from './secret.js';
import { tlsFileSetting, type TlsSettingNames } from './tls-settings.js';

/** The name of the acquirers that `ACQUIRER_ADDRESS` and `ACQUIRER_ADDRESS_PRODUCTION` are the addresses of. */
const DEFAULT_NAME = 'default';
const ENVIRONMENTS = ['sandbox', 'production'] as const;
const ACQUIRERS_MAX = 100;
const CREDENTIAL_LENGTH_MIN = 16;

/** An acquirer of this process, and how it is reached. */
export interface AcquirerConnection {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly name: string;
  readonly address: string;
  /** Where the address and the paths of the TLS files were read, for messages. */
  readonly addressSetting: string;
  readonly tlsNames: Required<TlsSettingNames>;
  /** The paths by those names. */
  readonly tlsPaths: Readonly<Record<string, string | undefined>>;
  /** Sent with every call as the metadata `authorization`. */
  readonly credential: Secret | null;
}

const filePath = z.string().min(1);
const AcquirerEntry = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'is not 1 to 32 of a-z, 0-9 and -, a letter first' }),
    environment: z.enum(ENVIRONMENTS),
    address: hostPortSetting(),
    tls: z.strictObject({ ca: filePath.optional(), cert: filePath.optional(), key: filePath.optional() }).optional(),
    credentialFile: filePath.optional(),
  })
  .refine(({ name }) => name !== DEFAULT_NAME, {
    error: `"${DEFAULT_NAME}" is the acquirer of ACQUIRER_ADDRESS`,
    path: ['name'],
  });
const AcquirersFile = z.strictObject({ acquirers: z.array(AcquirerEntry).min(1).max(ACQUIRERS_MAX) });

/**
 * The acquirers of both environments, which every app names alike. `purpose` completes the description of the first;
 * `developmentDefault` is the address outside production where an app has one.
 */
export function acquirerSettings({
  purpose,
  developmentDefault,
}: {
  readonly purpose: string;
  readonly developmentDefault?: string;
}) {
  const address = hostPortSetting().optional();
  const sandbox = developmentDefault === undefined ? address : defaultOutsideProduction(address, developmentDefault);
  return {
    ACQUIRER_ADDRESS: sandbox.describe(
      `The gRPC address (\`host:port\`) of the acquirer of sandboxes, ${purpose}. When not set, sandbox accounts need one of \`ACQUIRERS_FILE\` to take payments. At least one acquirer must be set.`,
    ),
    ACQUIRER_TLS_CA: tlsFileSetting().describe(
      'PEM file of the certificate authority of the acquirer. With it or with `ACQUIRER_TLS_CERT` the connection is TLS; plain text is for the loopback.',
    ),
    ACQUIRER_TLS_CERT: tlsFileSetting().describe('PEM file of the client certificate that the acquirer wants.'),
    ACQUIRER_TLS_KEY: tlsFileSetting().describe('PEM file of its key.'),
    ACQUIRER_CREDENTIAL: secretSetting(CREDENTIAL_LENGTH_MIN)
      .optional()
      .describe('Sent to the acquirer with every call as the metadata `authorization`.'),
    ACQUIRER_ADDRESS_PRODUCTION: hostPortSetting()
      .optional()
      .describe(
        'The gRPC address (`host:port`) of the acquirer of production. When not set, production accounts need one of `ACQUIRERS_FILE` to take payments.',
      ),
    ACQUIRER_TLS_CA_PRODUCTION: tlsFileSetting().describe('As `ACQUIRER_TLS_CA`, for production.'),
    ACQUIRER_TLS_CERT_PRODUCTION: tlsFileSetting().describe('As `ACQUIRER_TLS_CERT`, for production.'),
    ACQUIRER_TLS_KEY_PRODUCTION: tlsFileSetting().describe('As `ACQUIRER_TLS_KEY`, for production.'),
    ACQUIRER_CREDENTIAL_PRODUCTION: secretSetting(CREDENTIAL_LENGTH_MIN)
      .optional()
      .describe('As `ACQUIRER_CREDENTIAL`, for production.'),
    ACQUIRERS_FILE: filePath
      .optional()
      .describe(
        'JSON file of further acquirers, which accounts choose by name ([acquirers](../operate/acquirers.md#several-acquirers)); the same for every app.',
      ),
    ACQUIRER_CAPABILITIES_INTERVAL_MS: millisecondsSetting(300_000).describe(
      'The time between two questions to each acquirer what it can do.',
    ),
  };
}

/** The settings of the acquirers as an app has read them. */
export type AcquirerSettings = z.output<z.ZodObject<ReturnType<typeof acquirerSettings>>>;

/** The acquirers by the settings of an app. Throws a `ConfigError` that names every bad setting. */
export function readAcquirerConnections(config: Partial<AcquirerSettings>): AcquirerConnection[] {
  const defaults = ENVIRONMENTS.flatMap((environment) => readDefault(config, environment));
  const named = config.ACQUIRERS_FILE === undefined ? [] : readNamedAcquirers(config.ACQUIRERS_FILE);
  if (defaults.length + named.length === 0) {
    throw new ConfigError(['ACQUIRER_ADDRESS: is not set, and ACQUIRER_ADDRESS_PRODUCTION is not set, either']);
  }
  return [...defaults, ...named];
}

function readDefault(
  config: Partial<AcquirerSettings>,
  environment: AcquirerConnection['environment'],
): AcquirerConnection[] {
  const suffix = environment === 'production' ? '_PRODUCTION' : '';
  const addressSetting = `ACQUIRER_ADDRESS${suffix}` as const;
  const address = config[addressSetting];
  if (address === undefined) return [];
  const tlsNames = {
    ca: `ACQUIRER_TLS_CA${suffix}`,
    cert: `ACQUIRER_TLS_CERT${suffix}`,
    key: `ACQUIRER_TLS_KEY${suffix}`,
  } as const;
  const { ca, cert, key } = tlsNames;
  const tlsPaths = { [ca]: config[ca], [cert]: config[cert], [key]: config[key] };
  const credential = config[`ACQUIRER_CREDENTIAL${suffix}`] ?? null;
  return [{ environment, name: DEFAULT_NAME, address, addressSetting, tlsNames, tlsPaths, credential }];
}

/** The acquirers of `ACQUIRERS_FILE`. Throws a `ConfigError` that names every bad member. */
export function readNamedAcquirers(file: string): AcquirerConnection[] {
  const parsed = AcquirersFile.safeParse(parseJsonFile(file));
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) =>
        path.length === 0
          ? 'ACQUIRERS_FILE: names no file with a JSON object'
          : `ACQUIRERS_FILE: ${formatPath(path)}: ${message}`,
      ),
    );
  }
  const problems: string[] = [];
  const seen = new Set<string>();
  const connections = parsed.data.acquirers.map((entry, index): AcquirerConnection => {
    const { name, environment, address, tls = {}, credentialFile } = entry;
    const at = (member: string): string => `ACQUIRERS_FILE: acquirers[${index}].${member}`;
    if (seen.has(`${environment} ${name}`)) problems.push(`${at('name')}: is the second "${name}" of ${environment}`);
    seen.add(`${environment} ${name}`);
    const credential = credentialFile === undefined ? null : readTextFile(credentialFile);
    if (credentialFile !== undefined && (credential?.length ?? 0) < CREDENTIAL_LENGTH_MIN) {
      problems.push(
        `${at('credentialFile')}: names a file that cannot be read or has fewer than ${CREDENTIAL_LENGTH_MIN} characters`,
      );
    }
    const tlsNames = { ca: at('tls.ca'), cert: at('tls.cert'), key: at('tls.key') };
    return {
      ...{ environment, name, address, addressSetting: at('address'), tlsNames },
      tlsPaths: { [tlsNames.ca]: tls.ca, [tlsNames.cert]: tls.cert, [tlsNames.key]: tls.key },
      credential: credential === null ? null : toSecret(credential),
    };
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return connections;
}

function parseJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function readTextFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

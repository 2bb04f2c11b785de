import { type AppSettings, CHART_APPS } from './app-settings.js';

/** A JSON Schema, as far as the chart's values need it. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly anyOf?: readonly object[];
  readonly oneOf?: readonly object[];
  readonly not?: object;
}

const NAME = '^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$';
const HOSTNAME = '^(\\*\\.)?[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$';

const secretName = (description: string): ValueSchema => ({ type: 'string', pattern: `^$|${NAME}`, description });
const certificate = (description: string): ValueSchema => ({
  type: 'string',
  pattern: '^$|^[a-z0-9{][-a-z0-9.{}]{0,61}[a-z0-9}]$',
  description,
});
const texts = (description: string): ValueSchema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});
/** Parts of Kubernetes' own objects: the API server checks them. */
const objects = (description: string): ValueSchema => ({ type: 'array', items: { type: 'object' }, description });
const count = (minimum: number, description: string): ValueSchema => ({ type: 'integer', minimum, description });

/** The schema of the chart's values. A value that it does not name is refused. */
export function buildValuesSchema(apps: ReadonlyMap<string, AppSettings>): object {
  const all = [...new Set([...apps.values()].flatMap(({ settings }) => settings))].sort();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart pos',
    ...group('', {
      image: group('The images: `repository/app:tag`.', {
        repository: { type: 'string', minLength: 1, description: 'The registry and path before the name of the app.' },
        tag: {
          type: 'string',
          pattern: '^$|^[\\w][\\w.-]{0,127}$',
          description: 'The release; empty for that of the chart.',
        },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'], description: 'As in Kubernetes.' },
      }),
      imagePullSecrets: objects('Secrets for the registry of the images, as `name: ...`.'),
      existingSecret: secretName(
        'The Secret with one key for each secret setting, such as `ENCRYPTION_KEY`. The chart makes none.',
      ),
      settings: settingsMap(all, 'Settings of every app that has them, as texts.'),
      listenAddress: { enum: ['0.0.0.0', '::'], description: 'Where the apps listen: `::` in a cluster with IPv6.' },
      tls: group(
        'Secrets of type `kubernetes.io/tls`, with `{app}` in place of the name of the app. Empty: no certificate.',
        {
          http: certificate('Certificates of the HTTP ports. Without them `settings.TRUSTED_PROXIES` is needed.'),
          grpc: certificate("Certificate of the gateway's gRPC port."),
          grpcClients: {
            type: 'boolean',
            description: 'Whether clients of the gRPC port need a certificate of `ca.crt` in its Secret.',
          },
          internal: certificate(
            'Certificates for calls between the apps, with `ca.crt`. The DNS name of each is the name of its app.',
          ),
        },
      ),
      apps: group(
        'The apps. Each has the values of [its table](#apps).',
        Object.fromEntries(CHART_APPS.map((app) => [app, appValues(apps, app)])),
      ),
      ...clusterValues(),
    }),
    allOf: [
      { if: { properties: { tls: valueIs('http', '') } }, then: requireSetting('TRUSTED_PROXIES') },
      { properties: { tls: { properties: { internal: { minLength: 1 } } } } },
    ],
  };
}

/** What the chart makes beside the apps. */
function clusterValues(): Readonly<Record<string, ValueSchema>> {
  return {
    migration: group('The Job that migrates the database before the apps are replaced.', {
      enabled: { type: 'boolean', description: 'Off for a second release on the same database.' },
      mode: { enum: ['helm', 'argo-cd'], description: 'Whose hook the Job is.' },
      existingSecret: secretName("The Secret with `DATABASE_OWNER_URL`, the login of the database's owner."),
      secrets: {
        type: 'array',
        uniqueItems: true,
        items: { enum: ['SERVICE_APP_PASSWORD', 'SERVICE_VAULT_PASSWORD'] },
        description: 'Further keys of that Secret: the passwords that the logins of the apps get.',
      },
      activeDeadlineSeconds: count(60, 'After this time the Job has failed.'),
      backoffLimit: count(0, 'How often a failed migration is repeated.'),
      mounts: mounts(),
    }),
    networkPolicy: group('Which pods may reach the ports.', {
      enabled: { type: 'boolean', description: 'Whether the chart makes NetworkPolicies.' },
      clients: objects('Peers that may reach the public ports; empty for all.'),
      monitoring: objects('Peers that may reach the health ports; empty for all.'),
      peerNamespaces: {
        type: 'array',
        items: { type: 'string', pattern: NAME },
        description:
          'Namespaces of other releases of this chart on the same database, whose apps may reach the internal ports.',
      },
      cardVaultEgress: objects(
        'Egress rules of card-vault (database, acquirer, collector). Empty: not limited. DNS is always allowed.',
      ),
    }),
    serviceMonitor: group("The Prometheus operator's object for `/metrics`.", {
      enabled: { type: 'boolean', description: 'Whether the chart makes it.' },
      interval: { type: 'string', pattern: '^[1-9][0-9]*(s|m)$', description: 'How often metrics are read.' },
      labels: texts('Labels by which your Prometheus selects it.'),
    }),
    routes: group('Routes of the Gateway API, for apps with `hostnames`.', {
      parentRefs: objects('The Gateways. Empty: no routes.'),
      backendAuthorities: secretName(
        'The ConfigMap with `ca.crt` of the authority of `tls.http`: the Gateway then verifies the apps.',
      ),
    }),
  };
}

function appValues(apps: ReadonlyMap<string, AppSettings>, app: string): ValueSchema {
  const { settings = [], secrets = [] } = apps.get(app) ?? {};
  return group(`The values of ${app}.`, {
    enabled: { type: 'boolean', default: true, description: 'Whether the app is part of this release.' },
    replicas: { ...count(1, 'How many processes run, without `autoscaling`.'), default: 2 },
    image: group('Another image than that of the release.', {
      tag: { type: 'string', pattern: '^[\\w][\\w.-]{0,127}$', description: 'Its tag.' },
      digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$', description: 'Its digest, which wins over the tag.' },
    }),
    existingSecret: secretName('The Secret of this app, instead of the common one.'),
    settings: settingsMap(settings, 'Settings of this app, as texts; they win over the common ones.'),
    ...(secrets.length === 0 ? {} : { secrets: secretKeys(secrets) }),
    mounts: mounts(),
    resources: { type: 'object', description: 'As in Kubernetes; by default 100m CPU, 192Mi to 512Mi memory.' },
    autoscaling: {
      ...group('A HorizontalPodAutoscaler.', {
        enabled: { type: 'boolean', description: 'Whether the chart makes one.' },
        minReplicas: count(1, 'Its lower limit; `replicas` when left out.'),
        maxReplicas: count(1, 'Its upper limit.'),
        cpuPercent: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 70,
          description: 'The use of the requested CPU that it aims at.',
        },
      }),
      required: ['enabled', 'maxReplicas'],
    },
    service: group('The Service of the public ports.', {
      type: { enum: ['ClusterIP', 'LoadBalancer', 'NodePort'], description: 'Its type.' },
      annotations: texts('Its annotations.'),
    }),
    hostnames: hostnames('Host names of its HTTPRoute.'),
    grpcHostnames: hostnames("Host names of the gateway's GRPCRoute."),
    podLabels: texts('Labels of its pods.'),
    podAnnotations: texts('Annotations of its pods.'),
    nodeSelector: texts('As in Kubernetes.'),
    tolerations: objects('As in Kubernetes.'),
    priorityClassName: secretName('As in Kubernetes.'),
  });
}

function secretKeys(names: readonly string[]): ValueSchema {
  const description = 'Keys of the Secret beside those that the app cannot start without, such as `PORTAL_KEY`.';
  return { type: 'array', uniqueItems: true, items: { enum: names }, description };
}

function mounts(): ValueSchema {
  return {
    type: 'array',
    items: {
      ...group('', {
        name: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$' },
        secret: { type: 'string', pattern: NAME },
        configMap: { type: 'string', pattern: NAME },
      }),
      required: ['name'],
      oneOf: [{ required: ['secret'] }, { required: ['configMap'] }],
    },
    description: 'Secrets and ConfigMaps as folders `/run/pos/mounts/<name>`, for settings that name files.',
  };
}

function hostnames(description: string): ValueSchema {
  return { type: 'array', uniqueItems: true, items: { type: 'string', pattern: HOSTNAME }, description };
}

function settingsMap(names: readonly string[], description: string): ValueSchema {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', additionalProperties: false, properties, description };
}

function valueIs(name: string, value: string | boolean): object {
  return { properties: { [name]: { const: value } } };
}

function requireSetting(name: string): object {
  return { properties: { settings: { required: [name] } }, required: ['settings'] };
}

function group(description: string, properties: Readonly<Record<string, ValueSchema>>): ValueSchema {
  return { type: 'object', additionalProperties: false, ...(description === '' ? {} : { description }), properties };
}

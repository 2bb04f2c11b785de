import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@pos/service-kit/config';
import { loadSettingsSchemas } from '../docs/configuration.js';
import { REPOSITORY } from '../repository/repository.js';
import { CHART_APPS, loadChartSettings, renderSettingsFile } from './app-settings.js';
import { CHART, findHelmObstacle, parseObjects, renderChangedChart, renderChart, runHelm } from './chart.js';
import { renderHelmValuesPage } from './helm-values-page.js';
import { findModelFindings, type KubernetesObject } from './models.js';
import { findLinkFindings } from './object-links.js';
import { listExampleSecrets, writeCertificates } from './testing.js';
import { buildValuesSchema } from './values-schema.js';

const VALUE_SETS = ['minimal', 'production', 'production-vault', 'argo-cd'];
const obstacle = findHelmObstacle(process.env);

test.each([
  ['deploy/helm/pos/files/settings.yaml', async () => renderSettingsFile(await loadChartSettings())],
  [
    'deploy/helm/pos/values.schema.json',
    async () => `${JSON.stringify(buildValuesSchema(await loadChartSettings()), null, 2)}\n`,
  ],
  ['docs/operate/helm-values.md', async () => renderHelmValuesPage(await loadChartSettings())],
])('%s is made from the settings of the apps', async (name, render) => {
  expectGolden(name, await render());
});

if (obstacle !== null) {
  test(`NOT RUN: Helm chart: ${obstacle}`, () => expect(obstacle).not.toBe(''));
} else {
  describe.each(VALUE_SETS)('with the values %s', (values) => {
    let text: string;
    let objects: KubernetesObject[];

    beforeAll(() => {
      const rendering = renderChart(values);
      expect(rendering).toMatchObject({ isRendered: true });
      text = rendering.text;
      objects = parseObjects(text);
    });

    test('the chart renders what was reviewed', () => {
      expectGolden(`tools/src/helm/renderings/${values}.yaml`, text);
    });

    test('helm lint has no warning', () => {
      const file = path.join(CHART, 'ci', `${values}-values.yaml`);
      expect(runHelm(['lint', '--strict', CHART, '--values', file])).toMatchObject({ isRendered: true });
    });

    test('every object is one of Kubernetes, without unknown members', () => {
      expect(findModelFindings(objects)).toEqual([]);
    });

    test('every app accepts its settings in production', async () => {
      const schemas = await loadSettingsSchemas();
      for (const { app, env } of listContainers(objects).filter(({ app: name }) => name !== 'migrate')) {
        const schema = schemas.get(app);
        if (schema === undefined) throw new Error(`there is no app ${app}`);
        const unknown = Object.keys(env).filter((name) => !isKnownSetting(schema.shape, name));
        expect([app, unknown]).toEqual([app, []]);
        expect(() => readConfig(schema, withFiles(env))).not.toThrow();
      }
    });

    test('what an object names is there, every port is the one that its app listens on, and every secret is read', async () => {
      const schemas = await loadSettingsSchemas();
      const findings = findLinkFindings(objects, (app, setting, env) => {
        const schema = schemas.get(app);
        if (schema === undefined) throw new Error(`there is no app ${app}`);
        const { POD_IP: _address, ...settings } = env;
        return (readConfig(schema, withFiles(settings)) as Readonly<Record<string, number>>)[setting];
      });
      expect(findings).toEqual([]);
    });

    test('every pod is restricted, drains before it ends, and is replaced one by one', () => {
      for (const { spec, kind } of objects.filter(({ kind: each }) => each === 'Deployment' || each === 'Job')) {
        const { template, strategy } = spec as PodOwner;
        expect(template.spec).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        });
        if (kind === 'Job') continue;
        expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
        expect(template.spec).toMatchObject({ terminationGracePeriodSeconds: 45 });
      }
    });
  });

  test('card-vault is in a release of its own, and the other release names it', () => {
    const apps = (values: string): string[] =>
      listContainers(parseObjects(renderChart(values).text)).map(({ app }) => app);
    expect(apps('production')).not.toContain('card-vault');
    expect(apps('production-vault')).toEqual(['card-vault']);
  });

  test('an app gets no secret of another app', () => {
    const objects = parseObjects(renderChart('minimal').text);
    const holders = listContainers(objects).filter(
      ({ env }) => 'VAULT_KEYS_FILE' in env || 'DATABASE_OWNER_URL_FILE' in env,
    );
    expect(holders.map(({ app, env }) => [app, 'VAULT_KEYS_FILE' in env])).toEqual(
      expect.arrayContaining([
        ['card-vault', true],
        ['migrate', false],
      ]),
    );
    expect(holders).toHaveLength(2);
  });

  test.each([
    ['minimal', { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' }],
    [
      'argo-cd',
      { 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation' },
    ],
  ])('with the values %s the migration runs before the apps are replaced', (values, annotations) => {
    const jobs = parseObjects(renderChart(values).text).filter(({ kind }) => kind === 'Job');
    expect(jobs.map(({ metadata }) => metadata.annotations)).toEqual([annotations]);
  });

  test.each([
    ['minimal', { httpGet: { path: '/health/ready', port: 'health' } }],
    ['argo-cd', { grpc: { port: 50051 } }],
  ])('with the values %s the gateway is ready by a probe that its certificates allow', (values, probe) => {
    const gateway = listContainers(parseObjects(renderChart(values).text)).find(
      ({ app }) => app === 'pay-at-table-gateway',
    );
    expect(gateway?.readinessProbe).toMatchObject(probe);
  });

  test.each<[string, object, RegExp]>([
    ['an unknown value', { replicaCount: 3 }, /additional properties 'replicaCount'/],
    ['an unknown app', { apps: { portals: {} } }, /additional properties 'portals'/],
    ['the sandbox', { apps: { sandbox: {} } }, /additional properties 'sandbox'/],
    ['an unknown value of an app', { apps: { api: { replica: 3 } } }, /additional properties 'replica'/],
    ['a setting that no app has', { settings: { LOG_LEVELS: 'info' } }, /additional properties 'LOG_LEVELS'/],
    [
      'a setting of another app',
      { apps: { checkout: { settings: { VAULT_ADDRESS: 'x' } } } },
      /additional properties 'VAULT_ADDRESS'/,
    ],
    ['a secret as a setting', { settings: { KEY_PEPPER: 'in the values' } }, /additional properties 'KEY_PEPPER'/],
    ['a seed', { settings: { SEED: 'known' } }, /additional properties 'SEED'/],
    [
      'a setting that is no text',
      { apps: { api: { settings: { DATABASE_CONNECTIONS: 16 } } } },
      /got number, want string/,
    ],
    ['a secret that the app has not', { apps: { api: { secrets: ['VAULT_KEYS'] } } }, /'\/apps\/api\/secrets\/0'/],
    ['a secret twice', { apps: { api: { secrets: ['PORTAL_KEY', 'PORTAL_KEY'] } } }, /equal/],
    ['no processes', { apps: { api: { replicas: 0 } } }, /minimum: got 0, want 1/],
    ['half a process', { apps: { api: { replicas: 1.5 } } }, /want integer/],
    [
      'autoscaling without an upper limit',
      { apps: { api: { autoscaling: { enabled: true } } } },
      /missing property 'maxReplicas'/,
    ],
    ['a digest that is none', { apps: { api: { image: { digest: 'latest' } } } }, /does not match pattern/],
    ['a tag with a space', { image: { tag: '0.1 .0' } }, /does not match pattern/],
    ['an unknown pull policy', { image: { pullPolicy: 'Sometimes' } }, /pullPolicy/],
    ['a Secret with capital letters', { existingSecret: 'Pos' }, /does not match pattern/],
    ['a mount without a source', { apps: { api: { mounts: [{ name: 'x' }] } } }, /oneOf/],
    ['a mount with two sources', { apps: { api: { mounts: [{ name: 'x', secret: 'a', configMap: 'b' }] } } }, /oneOf/],
    ['an unknown mode of the migration', { migration: { mode: 'flux' } }, /\/migration\/mode/],
    ['an unknown secret of the migration', { migration: { secrets: ['KEY_PEPPER'] } }, /\/migration\/secrets\/0/],
    ['a host name with a scheme', { apps: { api: { hostnames: ['https://api.example'] } } }, /does not match pattern/],
    ['an address that is not listened on', { listenAddress: '127.0.0.1' }, /listenAddress/],
    ['an interval without a unit', { serviceMonitor: { interval: '15' } }, /does not match pattern/],
    ['no certificates and no proxies', { tls: { http: '' } }, /missing property 'TRUSTED_PROXIES'/],
    ['no certificates of the apps', { tls: { internal: '' } }, /\/tls\/internal/],
    ['no Secret', { existingSecret: '' }, /existingSecret, or apps\..* must name the Secret/],
    [
      'no Secret of the migration',
      { migration: { existingSecret: '' } },
      /migration\.existingSecret must name the Secret/,
    ],
  ])('%s is refused', (_what, changes, message) => {
    const { isRendered, text } = renderChangedChart('minimal', changes);
    expect(isRendered).toBe(false);
    expect(text).toMatch(message);
  });
}

test('the chart has every app of production, and its release', () => {
  const facts = readFileSync(path.join(CHART, 'files/apps.yaml'), 'utf8');
  expect([...facts.matchAll(/^([a-z-]+):$/gm)].map(([, app]) => app)).toEqual([...CHART_APPS]);
  const { version } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  const chart = readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8');
  expect(/^appVersion: (.*)$/m.exec(chart)?.[1]).toBe(version);
});

test('the check of objects finds unknown members and wrong values, of custom kinds, too', () => {
  const metadata = { name: 'pos', labels: {} };
  const selector = { matchLabels: { app: 'pos' } };
  const pod = { containers: [{ name: 'api', image: 'api', lifecycle: { preStop: { slep: { seconds: 5 } } } }] };
  const template = { metadata: { labels: { app: 'pos' } }, spec: pod };
  const findings = findModelFindings([
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector, template } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: '80' }] } },
    { apiVersion: 'apps/v1', kind: 'Deployments', metadata },
    { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor', metadata, spec: { selector, endpoint: [] } },
  ]);
  expect(findings.join('\n')).toMatch(/Deployment pos: .*"slep"' does not exist/);
  expect(findings.join('\n')).toMatch(/Service pos: .*port.* must be integer/);
  expect(findings.join('\n')).toMatch(/Deployments pos: there is no such kind/);
  expect(findings.join('\n')).toMatch(/ServiceMonitor pos: spec Unrecognized key: "endpoint"/);
});

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly readinessProbe?: object;
}

interface PodOwner {
  readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
  readonly template: { readonly spec: { readonly containers: readonly Container[] } };
}

/** The containers of Deployments and Jobs with their settings. */
function listContainers(objects: readonly KubernetesObject[]) {
  const owners = objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ spec }) => spec as PodOwner);
  return owners.flatMap(({ template }) =>
    template.spec.containers.map(({ name, env = [], ...rest }) => {
      const settings = env
        .filter((each) => each.name !== 'POD_IP')
        .map((each): [string, string] => [each.name, each.value ?? '']);
      return { app: name, env: Object.fromEntries(settings), ...rest };
    }),
  );
}

function isKnownSetting(shape: object, name: string): boolean {
  return name in shape || (name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in shape);
}

/** The settings with values in place of the pod's files, and its address. */
function withFiles(env: Readonly<Record<string, string>>): Record<string, string> {
  const secrets = listExampleSecrets();
  const certificates = writeCertificates();
  return Object.fromEntries(
    Object.entries(env).map(([name, value]): [string, string] => {
      if (value.startsWith('/run/pos/secrets/'))
        return [name.replace(/_FILE$/, ''), secrets[path.basename(value)] ?? ''];
      if (value.startsWith('/run/pos/')) return [name, certificates];
      return [name, value.replace('$(POD_IP)', '10.0.0.7')];
    }),
  );
}

function expectGolden(name: string, text: string): void {
  const file = path.join(REPOSITORY, name);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
}

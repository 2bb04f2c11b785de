import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { parseObjects } from './chart.js';
import { findLinkFindings } from './object-links.js';

const RENDERINGS = path.join(REPOSITORY, 'tools/src/helm/renderings');
/** The defaults of the apps. */
const PORTS: Readonly<Record<string, number>> = {
  ...{ 'api HTTP_PORT': 3000, 'card-vault HTTP_PORT': 3001, 'card-vault GRPC_PORT': 50_053 },
  ...{ 'pay-at-table-gateway HTTP_PORT': 3003, 'pay-at-table-gateway GRPC_PORT': 50_051 },
  ...{
    'pay-at-table-gateway INTERNAL_GRPC_PORT': 50_054,
    'epos-tester HTTP_PORT': 3004,
    'checkout HTTP_PORT': 3006,
    'portal HTTP_PORT': 3007,
  },
};

function findIn(values: string, [from, to]: readonly [string, string] = ['', '']): string[] {
  const text = readFileSync(path.join(RENDERINGS, `${values}.yaml`), 'utf8');
  if (!text.includes(from)) throw new Error(`the rendering has no ${from}`);
  return findLinkFindings(parseObjects(text.replace(from, to)), (app, setting, env) =>
    setting === 'HEALTH_PORT' ? Number(env['HEALTH_PORT']) : PORTS[`${app} ${setting}`],
  );
}

test.each(['minimal', 'production', 'production-vault', 'argo-cd'])('the rendering %s has no findings', (values) => {
  expect(findIn(values)).toEqual([]);
});

describe.each<[string, string, readonly [string, string], RegExp]>([
  [
    'a port that the app does not listen on',
    'minimal',
    ['{ name: internal, containerPort: 50053 }', '{ name: internal, containerPort: 50054 }'],
    /card-vault: the port internal is 50054, and GRPC_PORT 50053/,
  ],
  ['a port without a setting', 'minimal', ['{ name: http, containerPort', '{ name: web, containerPort'], /port web/],
  [
    'a Service that leads to no port',
    'minimal',
    ['targetPort: health', 'targetPort: metrics'],
    /Service pos-api-internal: its pods have no port metrics/,
  ],
  [
    'a policy for a port that no pod has',
    'minimal',
    ['- ports: [{ protocol: TCP, port: health }]', '- ports: [{ protocol: TCP, port: healthy }]'],
    /NetworkPolicy pos-api: its pods have no port healthy/,
  ],
  [
    'a probe of another path',
    'minimal',
    ['path: /health/ready', 'path: /ready'],
    /the startupProbe asks health\/ready/,
  ],
  [
    'a gRPC probe of a service that no app has',
    'argo-cd',
    ['grpc: { port: 50051 }', 'grpc: { port: 50051, service: pos }'],
    /the readinessProbe asks .*"service":"pos".* over gRPC/,
  ],
  [
    'a key that no setting reads',
    'minimal',
    ['- { key: KEY_PEPPER, path: KEY_PEPPER }', '- { key: KEY_PEPPER, path: PEPPER }'],
    /no setting reads \/run\/pos\/secrets\/PEPPER[\s\S]*the secret has no \/run\/pos\/secrets\/KEY_PEPPER/,
  ],
  [
    'a setting with a file that is in no volume',
    'minimal',
    ['"/run/pos/http/tls.crt"', '"/run/pos/https/tls.crt"'],
    /HTTP_TLS_CERT names \/run\/pos\/https\/tls\.crt, which is in no volume/,
  ],
  [
    'a volume that is not mounted',
    'minimal',
    ['- { name: tmp, mountPath: /tmp }', '- { name: temp, mountPath: /tmp }'],
    /the mount temp has no volume[\s\S]*the volume tmp is not mounted/,
  ],
  [
    'an address of a Service that the release has not',
    'minimal',
    ['pos-card-vault-internal:50053', 'pos-card-vault:50053'],
    /api: CARD_VAULT_ADDRESS names pos-card-vault:50053/,
  ],
  [
    'autoscaling of an unknown Deployment',
    'production',
    ['kind: Deployment, name: pos-api }', 'kind: Deployment, name: api }'],
    /HorizontalPodAutoscaler pos-api names Deployment api/,
  ],
  [
    'a route to a port that the Service has not',
    'production',
    ['{ name: pos-checkout, port: 3006 }', '{ name: pos-checkout, port: 443 }'],
    /HTTPRoute pos-checkout: no Service pos-checkout has port 443/,
  ],
  ['a monitor of a port without Service', 'production', ['- port: health', '- port: metrics'], /ServiceMonitor pos/],
])('the check finds', (what, values, change, finding) => {
  test(what, () => {
    expect(findIn(values, change).join('\n')).toMatch(finding);
  });
});

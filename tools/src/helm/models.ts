import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { REPOSITORY } from '../repository/repository.js';

/** An object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: unknown;
}

const MODELS = path.join(REPOSITORY, 'tools/node_modules/kubernetes-models');
const COMPILER_OPTIONS = [
  '--noEmit',
  '--skipLibCheck',
  '--strict',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
];

const metadata = z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()) });
const parentRefs = z
  .array(z.strictObject({ name: z.string(), namespace: z.string().optional(), sectionName: z.string().optional() }))
  .min(1);
const route = z.strictObject({
  parentRefs,
  hostnames: z.array(z.string()).min(1),
  rules: z.array(z.strictObject({ backendRefs: z.array(z.strictObject({ name: z.string(), port: z.int() })) })),
});
const reference = z.strictObject({ group: z.literal(''), kind: z.string(), name: z.string() });

/** Objects whose kinds are installed later, with the members that the chart uses. */
const CUSTOM_KINDS: Readonly<Record<string, z.ZodType>> = {
  'gateway.networking.k8s.io/v1/HTTPRoute': route,
  'gateway.networking.k8s.io/v1/GRPCRoute': route,
  'gateway.networking.k8s.io/v1/BackendTLSPolicy': z.strictObject({
    targetRefs: z.array(reference).length(1),
    validation: z.strictObject({ hostname: z.string(), caCertificateRefs: z.array(reference).length(1) }),
  }),
  'monitoring.coreos.com/v1/ServiceMonitor': z.strictObject({
    selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
    jobLabel: z.string(),
    endpoints: z.array(z.strictObject({ port: z.string(), path: z.string(), interval: z.string() })).length(1),
  }),
};

/** What is wrong with the objects: values by the models' own validation, unknown members by their types. */
export function findModelFindings(objects: readonly KubernetesObject[]): string[] {
  const own = objects.filter((object) => CUSTOM_KINDS[fullKind(object)] === undefined);
  return [...objects.flatMap(findValueFindings), ...findUnknownMembers(own)];
}

function findValueFindings(object: KubernetesObject): string[] {
  const at = `${object.kind} ${object.metadata.name}`;
  const custom = CUSTOM_KINDS[fullKind(object)];
  if (custom !== undefined) {
    const parsed = z
      .strictObject({ apiVersion: z.string(), kind: z.string(), metadata, spec: custom })
      .safeParse(object);
    return (parsed.error?.issues ?? []).map(({ path: member, message }) => `${at}: ${member.join('.')} ${message}`);
  }
  const file = path.join(MODELS, `${fullKind(object)}.js`);
  if (!existsSync(file)) return [`${at}: there is no such kind`];
  const models = createRequire(file)(file) as Readonly<Record<string, Model>>;
  try {
    const Kind = models[object.kind];
    if (Kind === undefined) return [`${at}: there is no such kind`];
    new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${at}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

type Model = new (object: KubernetesObject) => { readonly validate: () => void };

/** The compiler refuses a member that the type of an object literal does not have, at any depth. */
function findUnknownMembers(objects: readonly KubernetesObject[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'models-'));
  try {
    const lines = objects.map((object, index) => {
      const type = `import(${JSON.stringify(path.join(MODELS, fullKind(object)))}).I${object.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(object)};`;
    });
    const file = path.join(folder, 'objects.ts');
    writeFileSync(file, lines.join('\n'));
    const compiler = path.join(REPOSITORY, 'node_modules/.bin/tsc');
    const { stdout } = spawnSync(compiler, [...COMPILER_OPTIONS, file], { cwd: folder, encoding: 'utf8' });
    return [...stdout.matchAll(/objects\.ts\((\d+),\d+\): error \w+: (.*)/g)].map(([, line = '1', says = '']) => {
      const object = objects[Number(line) - 1];
      return `${object?.kind ?? ''} ${object?.metadata.name ?? ''}: ${says}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fullKind({ apiVersion, kind }: KubernetesObject): string {
  return `${apiVersion}/${kind}`;
}

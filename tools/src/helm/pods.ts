import type { KubernetesObject } from './models.js';

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly grpc?: { readonly port: number; readonly service?: string };
}

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly items?: readonly { readonly path: string }[] };
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly [Container]; readonly volumes: readonly Volume[] };
}

/** The pod of a Deployment or a Job, with the members that others name. */
export interface Pod {
  readonly app: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The settings of its container. */
  readonly env: Readonly<Record<string, string>>;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly mounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly volumes: readonly Volume[];
  readonly probes: readonly (Probe & { readonly kind: string })[];
}

/** The pods of a rendering. Each has one container, which has the name of its app, or `migrate`. */
export function listPods(objects: readonly KubernetesObject[]): Pod[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ spec }) => {
      const { metadata, spec: pod } = (spec as { readonly template: PodTemplate }).template;
      const [container] = pod.containers;
      const { name, env = [], ports = [], volumeMounts = [] } = container;
      const probes = (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).flatMap((kind) =>
        container[kind] === undefined ? [] : [{ kind, ...container[kind] }],
      );
      return {
        app: name,
        labels: metadata.labels,
        env: Object.fromEntries(env.map((each): [string, string] => [each.name, each.value ?? ''])),
        ports,
        mounts: volumeMounts,
        volumes: pod.volumes,
        probes,
      };
    });
}

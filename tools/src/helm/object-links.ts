import type { KubernetesObject } from './models.js';
import { listPods, type Pod } from './pods.js';

/** The settings that hold the port of each name, by their app where an app has its own. */
const PORT_SETTINGS: Readonly<Record<string, (app: string) => string>> = {
  http: () => 'HTTP_PORT',
  grpc: () => 'GRPC_PORT',
  internal: (app) => (app === 'card-vault' ? 'GRPC_PORT' : 'INTERNAL_GRPC_PORT'),
  health: () => 'HEALTH_PORT',
};
/** Of the Service of grpc.health.v1: the whole server, which every gRPC port of ours answers for. */
const WHOLE_SERVER = undefined;

type Labels = Readonly<Record<string, string>>;

interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: string;
}

/** What names something that the objects do not have, or that the app does not use, one sentence each. */
export function findLinkFindings(
  objects: readonly KubernetesObject[],
  readPort: (app: string, setting: string, env: Labels) => number | undefined,
): string[] {
  const pods = listPods(objects);
  return [
    ...pods.flatMap((pod) => [...findPortFindings(pod, readPort), ...findProbeFindings(pod), ...findFileFindings(pod)]),
    ...pods.flatMap((pod) => findAddressFindings(pod, objects)),
    ...objects.flatMap((object) => findObjectFindings(object, objects, pods)),
  ];
}

/** A port of a pod is the one that the app listens on, with its settings there. */
function findPortFindings(
  { app, ports, env }: Pod,
  readPort: (app: string, setting: string, env: Labels) => number | undefined,
): string[] {
  return ports.flatMap(({ name, containerPort }) => {
    const setting = PORT_SETTINGS[name]?.(app);
    if (setting === undefined) return [`${app}: no setting is known for the port ${name}`];
    const listens = readPort(app, setting, env);
    return listens === containerPort ? [] : [`${app}: the port ${name} is ${containerPort}, and ${setting} ${listens}`];
  });
}

/** A probe asks a port of the pod, and gRPC's the whole server. */
function findProbeFindings({ app, ports, probes }: Pod): string[] {
  return probes.flatMap(({ kind, httpGet, grpc }) => {
    if (httpGet !== undefined) {
      const isKnown = ports.some(({ name }) => name === httpGet.port) && /^\/health\/(live|ready)$/.test(httpGet.path);
      return isKnown ? [] : [`${app}: the ${kind} asks ${httpGet.port}${httpGet.path}`];
    }
    if (grpc === undefined) return [`${app}: the ${kind} asks nothing`];
    const isKnown = ports.some(({ name, containerPort }) => name === 'grpc' && containerPort === grpc.port);
    return isKnown && grpc.service === WHOLE_SERVER
      ? []
      : [`${app}: the ${kind} asks ${JSON.stringify(grpc)} over gRPC`];
  });
}

/** Every volume is mounted, every mount has a volume, every file of a setting is in one, and every key is read. */
function findFileFindings({ app, env, mounts, volumes }: Pod): string[] {
  const findings = mounts
    .filter(({ name }) => !volumes.some((volume) => volume.name === name))
    .map(({ name }) => `${app}: the mount ${name} has no volume`);
  for (const { name, secret } of volumes) {
    const mount = mounts.find((each) => each.name === name);
    if (mount === undefined) {
      findings.push(`${app}: the volume ${name} is not mounted`);
      continue;
    }
    const read = Object.values(env).filter((value) => value.startsWith(`${mount.mountPath}/`));
    if (secret === undefined) continue;
    if (read.length === 0) findings.push(`${app}: no setting reads the secret in ${mount.mountPath}`);
    const keys = secret.items?.map(({ path }) => `${mount.mountPath}/${path}`);
    const unread = keys?.filter((file) => !read.includes(file)) ?? [];
    const missing = keys === undefined ? [] : read.filter((file) => !keys.includes(file));
    findings.push(...unread.map((file) => `${app}: no setting reads ${file}`));
    findings.push(...missing.map((file) => `${app}: the secret has no ${file}`));
  }
  const files = Object.entries(env).filter(([, value]) => value.startsWith('/run/'));
  return [
    ...findings,
    ...files
      .filter(([, file]) => !mounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)))
      .map(([name, file]) => `${app}: ${name} names ${file}, which is in no volume`),
  ];
}

/** An address that begins like the Services of this release is one of them. */
function findAddressFindings({ app, env }: Pod, objects: readonly KubernetesObject[]): string[] {
  const services = objects.filter(({ kind }) => kind === 'Service');
  return Object.entries(env).flatMap(([setting, value]) =>
    [...value.matchAll(/(?<![\w.-])(pos-[\w-]+):(\d+)/g)]
      .filter(([, name, port]) => {
        const service = services.find(({ metadata }) => metadata.name === name);
        return !(service?.spec as { ports: ServicePort[] } | undefined)?.ports.some(
          (each) => each.port === Number(port),
        );
      })
      .map(([address]) => `${app}: ${setting} names ${address}, and there is no such Service`),
  );
}

interface LinkSpec {
  readonly selector?: Labels & { readonly matchLabels?: Labels };
  readonly ports?: readonly ServicePort[];
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[];
  readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  readonly rules?: readonly { readonly backendRefs: readonly { readonly name: string; readonly port: number }[] }[];
  readonly targetRefs?: readonly { readonly kind: string; readonly name: string }[];
  readonly endpoints?: readonly { readonly port: string }[];
}

/** What an object selects or names exists. */
function findObjectFindings(
  { kind, metadata, spec = {} }: KubernetesObject,
  objects: readonly KubernetesObject[],
  pods: readonly Pod[],
): string[] {
  const at = `${kind} ${metadata.name}`;
  const { selector, ports, podSelector, ingress, scaleTargetRef, rules, targetRefs, endpoints } = spec as LinkSpec;
  const isThere = (named: { readonly kind: string; readonly name: string }): boolean =>
    objects.some((object) => object.kind === named.kind && object.metadata.name === named.name);
  const selectPods = (labels: Labels = {}): readonly Pod[] => pods.filter((pod) => hasLabels(pod.labels, labels));
  const findPorts = (chosen: readonly Pod[], names: readonly string[]): string[] => {
    if (chosen.length === 0) return [`${at} selects no pod`];
    return names
      .filter((name) => !chosen.every((pod) => pod.ports.some((port) => port.name === name)))
      .map((name) => `${at}: its pods have no port ${name}`);
  };
  switch (kind) {
    case 'Service':
      return findPorts(selectPods(selector), ports?.map(({ targetPort }) => targetPort) ?? []);
    case 'NetworkPolicy':
      return findPorts(
        selectPods(podSelector?.matchLabels),
        ingress?.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? [],
      );
    case 'PodDisruptionBudget':
    case 'Deployment':
      return findPorts(selectPods(selector?.matchLabels), []);
    case 'ServiceMonitor': {
      const services = objects.filter(
        (each) => each.kind === 'Service' && hasLabels(labelsOf(each), selector?.matchLabels),
      );
      const names = services.flatMap((each) => (each.spec as LinkSpec).ports?.map(({ name }) => name) ?? []);
      const unknown = endpoints?.filter(({ port }) => !names.includes(port)) ?? [];
      return unknown.map(({ port }) => `${at}: no Service that it selects has a port ${port}`);
    }
    default: {
      const named = [...(scaleTargetRef === undefined ? [] : [scaleTargetRef]), ...(targetRefs ?? [])];
      const backends = rules?.flatMap(({ backendRefs }) => backendRefs) ?? [];
      const isServed = ({ name, port }: { readonly name: string; readonly port: number }): boolean =>
        objects.some(
          (each) =>
            each.kind === 'Service' &&
            each.metadata.name === name &&
            (each.spec as LinkSpec).ports?.some((one) => one.port === port) === true,
        );
      return [
        ...named
          .filter((each) => !isThere(each))
          .map((each) => `${at} names ${each.kind} ${each.name}, which is not there`),
        ...backends
          .filter((each) => !isServed(each))
          .map(({ name, port }) => `${at}: no Service ${name} has port ${port}`),
      ];
    }
  }
}

function labelsOf({ metadata }: KubernetesObject): Labels {
  return (metadata as { readonly labels?: Labels }).labels ?? {};
}

function hasLabels(labels: Labels, wanted: Labels = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { findHelm, HELM_VERSION } from '../../helm/places.js';
import { REPOSITORY } from '../repository/repository.js';
import type { KubernetesObject } from './models.js';

export const CHART = path.join(REPOSITORY, 'deploy/helm/pos');

/** A rendering of the chart, or the reason why helm refused the values. */
export interface Rendering {
  readonly isRendered: boolean;
  readonly text: string;
}

/** The reason why this machine cannot render charts; null when it can. */
export function findHelmObstacle(env: Readonly<Record<string, string | undefined>>): string | null {
  if (findHelm(env) !== null) return null;
  return env['NO_HELM'] ?? `there is no helm ${HELM_VERSION}; \`npm test\` fetches it`;
}

let foundHelm: string | null = null;

/** Runs helm without a cluster and without files of the user. */
export function runHelm(words: readonly string[]): Rendering {
  // Once for all runs: to find it, its version is read, which takes as long as a rendering.
  const helm = (foundHelm ??= findHelm(process.env));
  if (helm === null) throw new Error('there is no helm');
  const home = mkdtempSync(path.join(tmpdir(), 'helm-'));
  try {
    const env = { HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
    const { status, stdout, stderr } = spawnSync(helm, [...words], { encoding: 'utf8', env });
    return { isRendered: status === 0, text: status === 0 ? stdout : stderr };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const renderings = new Map<string, Rendering>();

/** Renders the chart with a file of values of its folder `ci`. Each file is rendered once by a process. */
export function renderChart(values: string): Rendering {
  const rendering = renderings.get(values) ?? renderChangedChart(values, {});
  renderings.set(values, rendering);
  return rendering;
}

/** Renders the chart with a file of values of its folder `ci`, changed by further values. */
export function renderChangedChart(values: string, changes: object): Rendering {
  const folder = mkdtempSync(path.join(tmpdir(), 'values-'));
  try {
    const file = path.join(folder, 'changes.yaml');
    writeFileSync(file, stringify(changes));
    const named = ['--values', path.join(CHART, 'ci', `${values}-values.yaml`), '--values', file];
    return runHelm(['template', 'pos', CHART, '--namespace', 'pos', '--kube-version', '1.35.0', ...named]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The objects of a rendering. Throws for a document that is not valid YAML, a repeated member included. */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object = document.toJS() as KubernetesObject | null;
    return object === null ? [] : [object];
  });
}

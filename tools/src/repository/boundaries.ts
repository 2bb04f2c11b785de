import { cruise, type ICruiseOptions, type IForbiddenRuleType, type IResolveOptions } from 'dependency-cruiser';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** One import that the rules refuse. */
export interface BoundaryViolation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** Every import below `root` that the boundary rules of the repository at `rulesRoot` refuse, in order of files. */
export async function findBoundaryViolations(root: string, rulesRoot: string): Promise<BoundaryViolation[]> {
  const { forbidden, options } = readRules(rulesRoot);
  const folders = ['packages', 'apps', 'tools'].filter((folder) => existsSync(path.join(root, folder)));
  const settings: ICruiseOptions = { ...options, baseDir: root, ruleSet: { forbidden }, validate: true };
  const resolving = { alias: listSourceFolders(root), ...RESOLVE };
  const { output } = await cruise(folders, settings, resolving);
  if (typeof output === 'string') throw new Error(`the cruise answered with text: ${output}`);
  return output.summary.violations
    .map((violation) => ({ rule: violation.rule.name, from: violation.from, to: violation.to }))
    .sort((a, b) => `${a.from} ${a.rule}`.localeCompare(`${b.from} ${b.rule}`));
}

const RESOLVE = {
  extensions: ['.ts', '.tsx', '.js', '.json'],
  conditionNames: ['import', 'node', 'default', 'types'],
  exportsFields: ['exports'],
} as const satisfies Partial<IResolveOptions>;

/** `@pos/core/money` resolves to packages/core/src/money/money.ts: the rules apply to sources, and need no build. */
function listSourceFolders(root: string): Record<string, string> {
  const folders = ['packages', 'apps'].flatMap((group) => {
    const folder = path.join(root, group);
    return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  });
  const named = [...folders, path.join(root, 'tools')].filter((folder) =>
    existsSync(path.join(folder, 'package.json')),
  );
  return Object.fromEntries(named.map((folder) => [getPackageName(folder), path.join(folder, 'src')]));
}

function getPackageName(folder: string): string {
  const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { name: string };
  return name;
}

interface BoundaryRules {
  readonly forbidden: IForbiddenRuleType[];
  readonly options: ICruiseOptions;
}

function readRules(root: string): BoundaryRules {
  return createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as BoundaryRules;
}

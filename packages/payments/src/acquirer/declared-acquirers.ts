import type { AcquirerCapabilities } from '@pos/core/acquirer';
import type { Environment, Scope } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { Database, SystemReader } from '@pos/store/database';
import { listDeclaredAcquirers } from '@pos/store/repositories';

/** What the acquirers of an environment have declared to any process of this database, by their names. */
export async function readDeclarations(
  reader: Pick<SystemReader, 'query'>,
  environment: Environment,
): Promise<ReadonlyMap<string, AcquirerCapabilities>> {
  const declared = await listDeclaredAcquirers(reader);
  const ofEnvironment = declared.filter((each) => each.environment === environment);
  return new Map(ofEnvironment.map(({ name, capabilities }) => [name, capabilities]));
}

/** Says that no process has ever had the acquirer in its settings, and names those that one had. */
export function formatUnknownAcquirer(
  name: string,
  environment: Environment,
  declarations: ReadonlyMap<string, AcquirerCapabilities>,
): string {
  const names = [...declarations.keys()].toSorted().join(', ');
  return `names ${name}, which has never answered a process of ${environment}: ${names === '' ? 'none has' : `only ${names}`}`;
}

/**
 * What the acquirer has declared. Refuses `validation_failed` for one that has never answered a process: a wrong name would
 * make a difference of every line.
 */
export async function requireDeclaredAcquirer(
  database: Database,
  { environment }: Scope,
  acquirer: string,
): Promise<AcquirerCapabilities> {
  const declarations = await database.readSystem((reader) => readDeclarations(reader, environment));
  const found = declarations.get(acquirer);
  if (found !== undefined) return found;
  const problem = formatUnknownAcquirer(acquirer, environment, declarations);
  throw createViolation('validation_failed', 'acquirer', problem);
}

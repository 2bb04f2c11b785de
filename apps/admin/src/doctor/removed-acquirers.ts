import { type AcquirerSettings, ConfigError, readAcquirerConnections } from '@pos/service-kit/config';
import type { Database } from '@pos/store/database';
import { type AcquirerInUse, listAcquirersInUse } from '@pos/store/monitoring';
import { type DoctorFinding, problem } from './finding.js';
import { formatAcquirer } from './acquirer-checks.js';

/**
 * A problem for each acquirer that stored rows name and the settings do not: its calls stay open, its books are not
 * compared, and its accounts take no payments. Where no app serves an environment, its accounts take none anyway: only
 * calls and books are reported. Nothing where no acquirer is set for this command.
 */
export async function checkRemovedAcquirers(
  database: Database,
  settings: Partial<AcquirerSettings>,
): Promise<DoctorFinding[]> {
  const named = readAcquirerNames(settings);
  if (named.length === 0) return [];
  const used = await database.readSystem(listAcquirersInUse);
  return used
    .map((each) => ({ ...each, isServed: named.some(({ environment }) => environment === each.environment) }))
    .filter(({ isServed, openCalls, unreadDays }) => isServed || openCalls + unreadDays > 0)
    .filter(({ environment, name }) => !named.some((each) => each.environment === environment && each.name === name))
    .map(describeRemoved);
}

/** The acquirers of the settings; none where these are wrong, which the check of the acquirers reports. */
export function readAcquirerNames(settings: Partial<AcquirerSettings>): Pick<AcquirerInUse, 'environment' | 'name'>[] {
  try {
    return readAcquirerConnections(settings);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

function describeRemoved({ environment, name, openCalls, unreadDays, accounts }: AcquirerInUse): DoctorFinding {
  const needs = [
    ...(openCalls > 0 ? [`${openCalls} open calls`] : []),
    ...(unreadDays > 0 ? [`${unreadDays} days of books that were not read`] : []),
    ...(accounts > 0 ? [`${accounts} accounts that have chosen it`] : []),
  ].join(', ');
  return problem(
    formatAcquirer({ environment, name }),
    `it is not in the settings, and the database has ${needs}`,
    'add it again until its calls have ended and its books are compared, and give its accounts another one',
  );
}

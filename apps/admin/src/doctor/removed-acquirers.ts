import { ConfigError } from '@pos/service-kit/config/config';
import { type AcquirerSettings, readAcquirerConnections } from '@pos/service-kit/config/acquirer-settings';
import type { Database } from '@pos/store/database/database';
import { type AcquirerInUse, listAcquirersInUse } from '@pos/store/monitoring/acquirers-in-use';
import { type Finding, problem } from './finding.js';
import { formatAcquirer } from './acquirer-checks.js';

/**
 * A problem for each acquirer that stored rows name and the settings do not: its calls stay open, its books are not
 * compared, and its accounts take no payments. An environment without any acquirer is left out, because no app serves it.
 */
export async function checkRemovedAcquirers(
  database: Database,
  settings: Partial<AcquirerSettings>,
): Promise<Finding[]> {
  const named = readNames(settings);
  const used = await database.readSystem(listAcquirersInUse);
  return used
    .filter(({ environment }) => named.some((each) => each.environment === environment))
    .filter(({ environment, name }) => !named.some((each) => each.environment === environment && each.name === name))
    .map(describeRemoved);
}

/** Nothing where the settings are wrong: the check of the acquirers reports them. */
function readNames(settings: Partial<AcquirerSettings>): Pick<AcquirerInUse, 'environment' | 'name'>[] {
  try {
    return readAcquirerConnections(settings);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

function describeRemoved({ environment, name, openCalls, unreadDays, accounts }: AcquirerInUse): Finding {
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

import type { AuditAction } from '@pos/core/administration';
import type { Database, SystemReader } from '@pos/store/database';
import { searchAuditEntries } from '@pos/store/repositories';

const ENTRIES_MAX = 200;
/** What makes a user somebody whom the actor controls. */
const MAKING_ACTIONS: readonly AuditAction[] = [
  'CreatePortalUser',
  'EnablePortalUser',
  'ResetPortalPassword',
  'ResetSecondFactor',
  'GrantPortalRole',
];

/** A request for a second person. */
interface WaitingRequest {
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

/**
 * Whether the requester has made the user, or somebody who has: within the time that a request may wait, before it and
 * since.
 */
export function isMadeByRequester(
  database: Database,
  { requestedBy, requestedAt, expiresAt }: WaitingRequest,
  userId: string,
): Promise<boolean> {
  const waitMs = expiresAt.getTime() - requestedAt.getTime();
  const from = new Date(requestedAt.getTime() - waitMs);
  return database.readSystem(async (reader) => {
    const seen = new Set<string>([userId]);
    for (const made of seen) {
      for (const maker of await listMakers(reader, made, from)) seen.add(maker);
      if (seen.has(requestedBy)) return true;
    }
    return false;
  });
}

/** Each action by itself: other entries about the user, of which anybody can make many, hide none. */
async function listMakers(reader: SystemReader, subject: string, from: Date): Promise<string[]> {
  const makers = [];
  for (const action of MAKING_ACTIONS) {
    const search = { accountId: null, actors: null, action, subject, from, to: null, after: null, limit: ENTRIES_MAX };
    makers.push(...(await searchAuditEntries(reader, search)).map(({ actor }) => actor));
  }
  return makers;
}

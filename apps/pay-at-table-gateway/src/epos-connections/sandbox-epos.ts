import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { getAccount } from '@pos/store/repositories';
import type { Database } from '@pos/store/database';

/** The header, or metadata entry, that the EPOS of the sandbox sends. */
export const SANDBOX_EPOS_HEADER = 'sandbox-epos';

/** For an open connection the setting is read at this interval. */
const SETTING_MAX_AGE_MS = 1_000;

/**
 * Admits the EPOS of the sandbox only for accounts that have one (ADR 0057), because it would replace the EPOS of a
 * partner. Any other EPOS is admitted without a check. Returns the check for an open connection. Both refuse with
 * `permission_missing`.
 */
export async function admitSandboxEpos(
  database: Pick<Database, 'read'>,
  { scope, headerValue }: { readonly scope: Scope; readonly headerValue: string | null },
): Promise<() => Promise<void>> {
  if (headerValue !== 'true') return () => Promise.resolve();
  const requireEnabled = async (): Promise<void> => {
    const { settings } = await database.read(scope, getAccount);
    if (scope.environment === 'sandbox' && settings.hasSandboxEpos) return;
    throw new Refusal(
      'permission_missing',
      'this account has no EPOS of the sandbox: PUT /sandbox/epos switches it on',
    );
  };
  await requireEnabled();
  let readAtMs = performance.now();
  return async () => {
    if (performance.now() - readAtMs < SETTING_MAX_AGE_MS) return;
    readAtMs = performance.now();
    await requireEnabled();
  };
}

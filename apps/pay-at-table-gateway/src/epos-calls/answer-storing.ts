import type { Log } from '@pos/service-kit/telemetry';
import { isUnstorableText } from '@pos/postgres/statements';

/**
 * Stores an answer. If the database cannot store its note, stores the answer without it: the result must not be lost for
 * its note. Transports already deliver storable texts only.
 */
export async function storeAnswer<Input extends object, Stored>(
  input: Input,
  store: (input: Input) => Promise<Stored>,
  log: Pick<Log, 'warn'>,
): Promise<Stored> {
  try {
    return await store(input);
  } catch (error) {
    if (!isUnstorableText(error) || !('note' in input)) throw error;
    log.warn('epos.note_dropped', { error });
    const { note: _note, ...rest } = input;
    return store(rest as Input);
  }
}

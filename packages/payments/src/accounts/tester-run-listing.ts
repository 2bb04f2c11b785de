import { isUuid } from '@pos/core/ids';
import type { Reader } from '@pos/store/database';
import { searchTesterRuns, type TesterRunSummary } from '@pos/store/repositories';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';

/** A page of runs of the EPOS tester, newest first. */
export interface TesterRunPage extends PageCursors {
  readonly runs: readonly TesterRunSummary[];
}

/** Lists the runs of the EPOS tester. */
export async function listTesterRuns(reader: Reader, { limit, ...query }: PageQuery): Promise<TesterRunPage> {
  const page = await searchTesterRuns(reader, { limit, ...readPosition(reader.scope, isUuid, query) });
  return { runs: page.elements, ...buildPageCursors(reader.scope, page) };
}

import * as original from '../../../relations/scoped-query.js';

/** Where the modules of this variant call the queries of TypeORM, as files with lines and columns. */
export const recordedCalls = new Set<string>();

export const { ROW_LOCK } = original;
export const selectRows = recordCalls(original.selectRows);
export const selectRow = recordCalls(original.selectRow);
export const lockRow = recordCalls(original.lockRow);
export const countScopedRows = recordCalls(original.countScopedRows);
export const listSelections = recordCalls(original.listSelections);
export const joinInScope = recordCalls(original.joinInScope);
export const insertScopedRow = recordCalls(original.insertScopedRow);
export const insertScopedRows = recordCalls(original.insertScopedRows);
export const upsertScopedRow = recordCalls(original.upsertScopedRow);
export const updateScopedRows = recordCalls(original.updateScopedRows);
export const deleteScopedRows = recordCalls(original.deleteScopedRows);
export const selectPage = recordCalls(original.selectPage);

function recordCalls<Query extends (...args: never[]) => unknown>(query: Query): Query {
  const recorded = (...args: never[]) => {
    const [, , caller = ''] = new Error('a call').stack?.split('\n') ?? [];
    recordedCalls.add(caller);
    return query(...args);
  };
  return recorded as Query;
}

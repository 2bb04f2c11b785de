import { addCollector, defineCounter, defineGauge, defineHistogram } from '@pos/service-kit/metrics';
import { currentTrace, endSpan, formatTraceparent, isTracing, startChild } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { setDatabaseTelemetry, type DatabaseTelemetry } from '@pos/postgres/telemetry';

const ROUND_TRIP_SECONDS = defineHistogram({
  name: 'pos_database_round_trip_duration_seconds',
  help: 'Time between the write of statements to the database and their last answer.',
  labels: ['outcome'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10],
});
const FAILURES = defineCounter({
  name: 'pos_database_failures_total',
  help: 'Units of work that a database server could not do, by its SQLSTATE: `53100` is a full disk. Their callers get 503.',
  labels: ['sql_state'],
});
const DISK_FULL = '53100';
const POOL = defineGauge({
  name: 'pos_database_pool_connections',
  help: 'Connections of the pool of this process by state: `in_use` or `idle`.',
  labels: ['state'],
});
const POOL_MAX = defineGauge({
  name: 'pos_database_pool_connections_max',
  help: 'How many connections the pool of this process may open.',
  labels: [],
});
const POOL_WAITING = defineGauge({
  name: 'pos_database_pool_waiting',
  help: 'How much work of this process waits for a connection.',
  labels: [],
});

/** Observes the database of this process until the returned function is called. */
export function observeDatabase(database: Database, poolMax: number): () => void {
  setDatabaseTelemetry(TELEMETRY);
  // The first full disk is an increase from zero, which an alert can see.
  FAILURES.increase({ sql_state: DISK_FULL }, 0);
  return addCollector(() => {
    const { inUse, idle, waiting } = database.getPoolUse();
    POOL.set({ state: 'in_use' }, inUse);
    POOL.set({ state: 'idle' }, idle);
    POOL_MAX.set({}, poolMax);
    POOL_WAITING.set({}, waiting);
  });
}

const NAMED_STATEMENTS_MAX = 20;

const TELEMETRY: DatabaseTelemetry = {
  startRoundTrip: () => {
    const trace = startChild();
    return ({ listStatements, startedAtMs, hasFailed }) => {
      const seconds = (performance.now() - startedAtMs) / 1_000;
      ROUND_TRIP_SECONDS.observe({ outcome: hasFailed ? 'failed' : 'ok' }, seconds);
      if (trace === null) return;
      const statements = listStatements();
      const named = statements.slice(0, NAMED_STATEMENTS_MAX).join(' ');
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.batch.size': statements.length,
        'db.query.summary': named,
      };
      const name = `db ${statements.at(-1) ?? ''}`;
      endSpan({ name, kind: 'client' }, { trace, startedAtMs }, { attributes, hasFailed });
    };
  },
  countServerFailure: (sqlState) => {
    FAILURES.increase({ sql_state: sqlState });
  },
  readTraceparent: () => {
    const trace = isTracing() ? currentTrace() : null;
    return trace?.isSampled === true ? formatTraceparent(trace) : null;
  },
  readTraceId: () => currentTrace()?.traceId ?? null,
};

import { randomUUID } from 'node:crypto';
import {
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceError,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { TablesServiceClient, TablesServiceService } from '@pos/grpc-contracts/tables';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { openPlainPool, type PlainConnection } from '../load/plain-pool.js';
import { defineStatement } from '@pos/postgres/statements';

/**
 * The floor of lock + record + unlock: a bare gRPC relay to the same EPOS that commits the same rows. It has no keys,
 * checks, leases or recovery. Without a database it stores nothing, so that only the wire and the EPOS are measured.
 * Settings: DATABASE_URL (or none), PORT, EPOS_ADDRESS, ACCOUNT_ID.
 */
const databaseUrl = process.env['DATABASE_URL'] ?? '';
const pool = databaseUrl === '' ? null : openPlainPool(databaseUrl, 16);
const epos = new TablesServiceClient(process.env['EPOS_ADDRESS'] ?? '', credentials.createInsecure());
const scope = [process.env['ACCOUNT_ID'] ?? '', 'sandbox'] as const;
const DEADLINE_MS = 20_000;
const LEASE_MS = 600_000;

const TAKE = defineStatement(
  'take',
  `insert into session_leases (account_id, environment, lease_id, session_id, owner, requestor, state, epos_locked,
     open_payments, acquired_at, expires_at, version)
   values ($1, $2, $3, $4, 'bench', '{}', 'Held', false, 0, $5, $6, 1)`,
);
const DUE = defineStatement(
  'due',
  `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
   values ($1, $2, 'session-lease', $3, $4, 0, 0, 0, false)`,
);
const LOCKED = defineStatement(
  'locked',
  `update session_leases set epos_locked = true, version = version + 1
   where account_id = $1 and environment = $2 and lease_id = $3`,
);
const RECORD = defineStatement(
  'record',
  `insert into table_payments (account_id, environment, id, origin, lease_id, session_id, state, base_amount,
     gratuity_amount, cashback_amount, currency, message, record_calls, is_unanswered, lock_rounds, tries, since, version,
     created_at, updated_at)
   values ($1, $2, $3, 'device', $4, $5, 'Recording', $6, 0, 0, 'GBP', $7, 1, false, 0, 0, $8, 1, $8, $8)`,
);
const RECORDED = defineStatement(
  'recorded',
  `update table_payments set state = 'Recorded', version = version + 1
   where account_id = $1 and environment = $2 and id = $3`,
);
const RELEASE = defineStatement(
  'release',
  `update session_leases set state = 'Released', epos_locked = false, released_at = $4, version = version + 1
   where account_id = $1 and environment = $2 and lease_id = $3`,
);
const UNDUE = defineStatement(
  'undue',
  `delete from timers where account_id = $1 and environment = $2 and kind = 'session-lease' and subject = $3`,
);

const leases = new Map<string, string>();

async function commitRow(work: (connection: PlainConnection) => Promise<void>): Promise<void> {
  await pool?.withConnection(async (connection) => {
    await connection.query('begin');
    await work(connection);
    await connection.query('commit');
  });
}

type FloorRequest<Q, A> = (
  request: Q,
  metadata: Metadata,
  options: { deadline: number },
  done: (error: ServiceError | null, answer: A) => void,
) => unknown;

function callFloor<Q, A>(method: FloorRequest<Q, A>, request: Q): Promise<A> {
  return new Promise((resolve, reject) => {
    method(request, new Metadata(), { deadline: Date.now() + DEADLINE_MS }, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

function serveFloor<Q, A>(answer: (request: Q) => Promise<A>) {
  return (call: ServerUnaryCall<Q, A>, done: sendUnaryData<A>): void => {
    answer(call.request).then(
      (value) => done(null, value),
      (error: unknown) => done({ code: status.INTERNAL, details: String(error) }),
    );
  };
}

const lockSession = serveFloor(async (request: Parameters<TablesServiceClient['lockSession']>[0]) => {
  const leaseId = randomUUID();
  const now = new Date();
  const until = new Date(now.getTime() + LEASE_MS);
  await commitRow(async (connection) => {
    await connection.query(TAKE, [...scope, leaseId, request.sessionId, now, until]);
    await connection.query(DUE, [...scope, leaseId, until]);
  });
  const answer = await callFloor((...parts) => epos.lockSession(...parts), request);
  await commitRow(async (connection) => {
    await connection.query(LOCKED, [...scope, leaseId]);
  });
  leases.set(request.sessionId, leaseId);
  return answer;
});

const recordPayment = serveFloor(async (request: Parameters<TablesServiceClient['recordPayment']>[0]) => {
  const { payment } = request;
  if (payment === undefined) throw new Error('no payment');
  const message = Buffer.from(JSON.stringify({ id: payment.id }));
  const leaseId = leases.get(payment.sessionId) ?? null;
  await commitRow(async (connection) => {
    const amount = Number(payment.baseAmount);
    const values = [...scope, payment.id, leaseId, payment.sessionId, amount, message, new Date()];
    await connection.query(RECORD, values);
  });
  const answer = await callFloor((...parts) => epos.recordPayment(...parts), request);
  await commitRow(async (connection) => {
    await connection.query(RECORDED, [...scope, payment.id]);
  });
  return answer;
});

const unlockSession = serveFloor(async (request: Parameters<TablesServiceClient['unlockSession']>[0]) => {
  const answer = await callFloor((...parts) => epos.unlockSession(...parts), request);
  const leaseId = leases.get(request.sessionId);
  leases.delete(request.sessionId);
  await commitRow(async (connection) => {
    await connection.query(RELEASE, [...scope, leaseId, new Date()]);
    await connection.query(UNDUE, [...scope, leaseId]);
  });
  return answer;
});

const server = new Server();
server.addService(TablesServiceService, { lockSession, recordPayment, unlockSession });
await bindGrpcServer(server, `127.0.0.1:${process.env['PORT'] ?? ''}`, ServerCredentials.createInsecure());

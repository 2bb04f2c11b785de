import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
import { openPlainPool } from '../load/plain-pool.js';
import { defineStatement } from '@pos/postgres/statements';

/**
 * The floor of create + fetch: bare Fastify that writes the rows of an intent with named statements in one transaction
 * and reads them back. It has no keys, validation or contract: the least that a service with storage can do. Settings:
 * DATABASE_URL, PORT, ACCOUNT_ID.
 */
const pool = openPlainPool(process.env['DATABASE_URL'] ?? '', 16);
const accountId = process.env['ACCOUNT_ID'] ?? '';
const scope = [accountId, 'sandbox'] as const;

const INTENT = defineStatement(
  'intent',
  `insert into payment_intents (account_id, environment, id, version, status, capture_mode, currency, amount,
    authorized, pending_capture, captured, pending_refund, refunded, reference, card_holder_not_present, payment_methods,
    payment_source, expire_at, secret_hash, secret_ciphertext, secret_expire_at, metadata, details, chain_head,
    chain_length, created_at, updated_at)
  values ($1, $2, $3, 1, 'Created', 'Auto', 'GBP', $4, 0, 0, 0, 0, 0, $5, false, '{Card}', 'api', $6, $7, $8, $9, $10,
    $11, '', 0, $12, $12)`,
);
const TIMER = defineStatement(
  'timer',
  `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
  values ($1, $2, 'intent-expiry', $3, $4, 0, 0, 0, false)`,
);
const EVENT = defineStatement(
  'event',
  `insert into events (account_id, environment, id, kind, subject_id, number, body, created_at, recorded_at)
  values ($1, $2, $3, 'payment_intent.created', $4, 1, $5, $6, $6)`,
);
const READ = defineStatement(
  'read',
  'select * from payment_intents where account_id = $1 and environment = $2 and id = $3',
);
const HISTORY = defineStatement(
  'history',
  `select * from payment_events where account_id = $1 and environment = $2 and intent_id = $3
  order by number`,
);
const SESSIONS = defineStatement(
  'sessions',
  `select * from terminal_sessions where account_id = $1 and environment = $2 and intent_id = $3
  order by created_at`,
);

const DETAILS = JSON.stringify({ config: {}, itemLines: [], taxLines: [] });
const HOUR_MS = 60 * 60 * 1000;

const server = fastify();
server.post<{ Body: { amount: { value: number }; reference: string } }>('/payment-intents', async ({ body }) => {
  const id = `pi_sandbox_${randomBytes(16).toString('base64url')}`;
  const now = new Date();
  const later = new Date(now.getTime() + HOUR_MS);
  const secret = randomBytes(118);
  const eventId = `evt_${randomBytes(16).toString('base64url')}`;
  const eventBody = Buffer.from(JSON.stringify({ id: eventId, event: 'payment_intent.created', data: { id } }));
  await pool.withConnection(async (connection) => {
    await connection.query('begin');
    const { amount, reference } = body;
    const sealed = [secret.subarray(0, 32), secret, later];
    await connection.query(INTENT, [...scope, id, amount.value, reference, later, ...sealed, '{}', DETAILS, now]);
    await connection.query(TIMER, [...scope, id, later]);
    await connection.query(EVENT, [...scope, eventId, id, eventBody, now]);
    await connection.query('commit');
  });
  return { id, amount: body.amount, reference: body.reference };
});
server.get<{ Params: { id: string } }>('/payment-intents/:id', ({ params }) =>
  pool.withConnection(async (connection) => {
    const values = [...scope, params.id];
    const [intent] = await connection.query(READ, values);
    await connection.query(HISTORY, values);
    await connection.query(SESSIONS, values);
    return intent;
  }),
);
server.get('/health/ready', () => ({ status: 'ok' }));
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });

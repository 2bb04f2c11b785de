import { createHash } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import {
  findOrderSession,
  insertOrderSessions,
  type LabelledOrderSession,
  findSessionsOfOrders,
} from '@pos/store/tables';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Maps orders to sessions. The session id of an order with a UUID is that UUID; any other order gets a stored one. */
export class OrderSessionDirectory {
  constructor(private readonly database: Database) {}

  /** The sessions of these orders, by order id; the sessions of new orders are inserted. */
  async getOrCreateSessions(
    scope: Scope,
    orderIds: readonly string[],
  ): Promise<ReadonlyMap<string, LabelledOrderSession>> {
    const uniqueOrderIds = [...new Set(orderIds)];
    const sessions = await this.database.read(scope, (reader) => findSessionsOfOrders(reader, uniqueOrderIds));
    const newOrderIds = uniqueOrderIds.filter((orderId) => sessions.every((each) => each.orderId !== orderId));
    if (newOrderIds.length > 0) {
      const newSessions = newOrderIds.map((orderId) => ({ sessionId: deriveSessionId(scope, orderId), orderId }));
      const createdSessions = await this.database.transact(scope, async (tx) => {
        await insertOrderSessions(tx, newSessions);
        return findSessionsOfOrders(tx, newOrderIds);
      });
      sessions.push(...createdSessions);
    }
    return new Map(sessions.map((each) => [each.orderId, each]));
  }

  /** The order of a session. An unknown UUID may be the id of an order. */
  async findOrderId(scope: Scope, sessionId: string): Promise<string | null> {
    const sessions = await this.database.read(scope, (reader) => findOrderSession(reader, sessionId));
    return sessions?.orderId ?? (UUID.test(sessionId) ? sessionId : null);
  }
}

/** Every gateway derives the same session id for an order, so two may insert it at once. */
function deriveSessionId({ accountId, environment }: Scope, orderId: string): string {
  if (UUID.test(orderId)) return orderId;
  const bytes = createHash('sha256').update(`order ${accountId} ${environment} ${orderId}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

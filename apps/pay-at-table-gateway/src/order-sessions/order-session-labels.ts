import type { Scope } from '@pos/core/identity';
import { assignLabelNumbers, formatSessionLabel, type SessionLabel } from '@pos/core/tables';
import type { Session } from '@pos/grpc-contracts/tables';
import type { Database } from '@pos/store/database';
import { isUniqueViolation } from '@pos/postgres/statements';
import {
  deleteUnseenLabels,
  type LabelledOrderSession,
  listNumberedSessions,
  putSessionLabels,
} from '@pos/store/tables';

/** A session with its name at the EPOS, and the label that it has. */
export interface ListedSession {
  readonly session: Session;
  readonly label: LabelledOrderSession['label'];
}

/** Two gateways may number the sessions of one list at once. */
const CONFLICT_RETRIES_MAX = 5;

/** Numbers sessions with equal names. A number is stored, so a session has the same label in every later list. */
export class OrderSessionLabels {
  constructor(private readonly database: Database) {}

  /** Returns the sessions of one list, each with a label of its own as its name. */
  async labelSessions(scope: Scope, listed: readonly ListedSession[]): Promise<Session[]> {
    const labels = listed.map(({ session: { id: sessionId, name }, label }) => ({
      ...{ sessionId, name, number: label?.name === name ? label.number : null },
    }));
    const isOutdated = listed.some(({ session, label }) => label?.name === session.name && label.isOutdated);
    const isComplete = !isOutdated && assignLabelNumbers(labels, []).size === 0;
    const completeLabels = isComplete ? labels : await this.#numberSessions(scope, labels);
    return listed.map(({ session }, index) => {
      const label = completeLabels[index];
      return label === undefined ? session : { ...session, name: formatSessionLabel(label) };
    });
  }

  async #numberSessions(scope: Scope, labels: readonly SessionLabel[]): Promise<readonly SessionLabel[]> {
    for (let conflicts = 0; ; conflicts += 1) {
      try {
        return await this.database.transact(scope, async (tx) => {
          await deleteUnseenLabels(tx, labels);
          const known = await listNumberedSessions(tx, [...new Set(labels.map(({ name }) => name))]);
          const numberedLabels = completeLabels(labels, known);
          await putSessionLabels(
            tx,
            numberedLabels.flatMap(({ number, ...label }) => (number === null ? [] : [{ ...label, number }])),
          );
          return numberedLabels;
        });
      } catch (error) {
        if (!isUniqueViolation(error) || conflicts >= CONFLICT_RETRIES_MAX) throw error;
      }
    }
  }
}

/** The labels with the numbers that are stored by now, and with new ones where they are needed. */
function completeLabels(labels: readonly SessionLabel[], known: readonly SessionLabel[]): SessionLabel[] {
  const stored = labels.map((label) => {
    const found = known.find(({ sessionId, name }) => sessionId === label.sessionId && name === label.name);
    return { ...label, number: found?.number ?? label.number };
  });
  const listedIds = new Set(labels.map(({ sessionId }) => sessionId));
  const numbers = assignLabelNumbers(
    stored,
    known.filter(({ sessionId }) => !listedIds.has(sessionId)),
  );
  return stored.map((label) => ({ ...label, number: numbers.get(label.sessionId) ?? label.number }));
}

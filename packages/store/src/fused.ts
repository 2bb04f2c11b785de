import { assert } from '@pos/core/assert';
import { type Statement, statement } from './statement.js';
import type { Question } from './wire.js';

/** A change that waits to be made, and who hears of the rows that it gives. */
export interface Waiting {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly heard: ((rows: readonly unknown[]) => void) | undefined;
}

/** Several changes as one statement, and how its answer is told to who made them. */
export interface Fused {
  readonly question: Question;
  tell(rows: readonly unknown[]): void;
}

const CHANGE = /^\s*(insert|update|delete)\b/i;

/**
 * Makes one statement of several changes, so that they are one transaction without BEGIN and COMMIT. None of them sees
 * what another does, so no two may change the same row. Null: one of them is no plain change. Who hears of rows gets them
 * as JSON has them, times as text.
 */
export function fuse(changes: readonly Waiting[]): Fused | null {
  const [only] = changes;
  if (only === undefined || changes.some((each) => partOf(each.statement) === null)) return null;
  if (changes.length === 1) {
    return { question: only, tell: (rows) => only.heard?.(rows) };
  }
  requireOneChangePerTimer(changes);
  return {
    question: { statement: textOf(changes), values: valuesOf(changes) },
    tell: (rows) => {
      const [row] = rows as Readonly<Record<string, readonly unknown[]>>[];
      changes.forEach(({ heard }, at) => heard?.(row?.[`part_${at}`] ?? []));
    },
  };
}

/** The first two values of every statement of a scope are the scope. */
const SCOPE_VALUES = 2;
/** Those behind them name the timer in every change of one: its kind and its subject. */
const TIMER_CHANGE = /^\s*(?:insert into|update|delete from) timers\b/i;

/** Of two changes of one row in one statement the database makes one, and does not say which. */
function requireOneChangePerTimer(changes: readonly Waiting[]): void {
  const changed = new Set<string>();
  for (const { statement: asked, values } of changes) {
    if (!TIMER_CHANGE.test(partOf(asked)?.change ?? '')) continue;
    const name = values.slice(SCOPE_VALUES, SCOPE_VALUES + 2).join(' ');
    assert(!changed.has(name), `the timer ${name} is changed twice in one statement`);
    changed.add(name);
  }
}

function valuesOf(changes: readonly Waiting[]): unknown[] {
  return changes.flatMap(({ values }, at) => (at === 0 ? values : values.slice(SCOPE_VALUES)));
}

/** The texts are as many as there are kinds of work. */
const texts = new Map<string, Statement>();

function textOf(changes: readonly Waiting[]): Statement {
  const shape = changes.map((each) => `${each.statement.name}${each.heard === undefined ? '' : '!'}`).join(' ');
  let known = texts.get(shape);
  if (known === undefined) {
    known = statement('together', written(changes));
    texts.set(shape, known);
  }
  return known;
}

function written(changes: readonly Waiting[]): string {
  const parts: string[] = [];
  const answers: string[] = [];
  let given = SCOPE_VALUES;
  changes.forEach(({ statement: asked, values, heard }, at) => {
    const { change, check } = partOf(asked) ?? { change: '', check: null };
    const offset = given - SCOPE_VALUES;
    const moved = change.replaceAll(/\$(\d+)/g, (_, place: string) =>
      Number(place) <= SCOPE_VALUES ? `$${place}` : `$${Number(place) + offset}`,
    );
    given += values.length - SCOPE_VALUES;
    parts.push(`part_${at} as (${moved})`);
    if (check !== null) answers.push(`(select ${check} from part_${at}) as part_${at}`);
    else if (heard !== undefined) {
      answers.push(`(select coalesce(jsonb_agg(to_jsonb(part_${at})), '[]') from part_${at}) as part_${at}`);
    }
  });
  return `with ${parts.join(', ')} select ${answers.length === 0 ? '1 as done' : answers.join(', ')}`;
}

function partOf({ part, text }: Statement): { readonly change: string; readonly check: string | null } | null {
  return part ?? (CHANGE.test(text) ? { change: text, check: null } : null);
}

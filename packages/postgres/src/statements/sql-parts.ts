import { assert } from '@pos/core/refusals';

/** SQL in pieces: its text, and the numbers of the parameters between them. */
export interface SqlParts {
  readonly pieces: readonly (string | number)[];
}

/** What a template of `sql` may contain: the number of a parameter, SQL as text, or other parts. */
type SqlValue = number | string | SqlParts;

/** A relation of which one statement changes no row twice: these parameters of a change name its row. */
export interface KeyedRelation {
  readonly name: string;
  readonly rowParameters: readonly number[];
}

/** A change of one relation. */
export interface ChangeParts extends SqlParts {
  readonly verb: 'insert into' | 'update' | 'delete from';
  readonly relation: string;
  /** Empty if a row may not be named by parameters. */
  readonly rowParameters: readonly number[];
}

type ChangeTemplate = (texts: TemplateStringsArray, ...values: readonly SqlValue[]) => ChangeParts;

function composeSql(texts: TemplateStringsArray, ...values: readonly SqlValue[]): SqlParts {
  return { pieces: texts.flatMap((text, index) => [text, ...listPieces(values[index] ?? '')]) };
}

function listPieces(value: SqlValue): readonly (string | number)[] {
  return typeof value === 'object' ? value.pieces : [value];
}

/** The template continues behind the name of the relation, after a space or on a new line. */
function composeChange(verb: ChangeParts['verb'], target: string | KeyedRelation): ChangeTemplate {
  const { name: relation, rowParameters } = typeof target === 'string' ? { name: target, rowParameters: [] } : target;
  return (texts, ...values) => {
    const { pieces } = composeSql(texts, ...values);
    const space = texts[0]?.startsWith('\n') === true ? '' : ' ';
    return { verb, relation, rowParameters, pieces: [`${verb} ${relation}${space}`, ...pieces] };
  };
}

/**
 * Composes SQL that knows its parameters: in a template, a number is a parameter, and a text is SQL. So it can be
 * rendered with other numbers, beside the SQL of other statements.
 */
export const sql = Object.assign(composeSql, {
  insertInto: (target: string | KeyedRelation) => composeChange('insert into', target),
  update: (target: string | KeyedRelation) => composeChange('update', target),
  deleteFrom: (target: string | KeyedRelation) => composeChange('delete from', target),
  join: (values: readonly SqlValue[], separator = ', '): SqlParts => ({
    pieces: values.flatMap((value, index) => [...(index === 0 ? [] : [separator]), ...listPieces(value)]),
  }),
});

const WRITTEN_PARAMETER = /\$\d/;

/** The text of SQL; `numberOf` gives the number under which a parameter is sent. */
export function renderSql({ pieces }: SqlParts, numberOf: (parameter: number) => number = (each) => each): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'number') return `$${numberOf(piece)}`;
      assert(!WRITTEN_PARAMETER.test(piece), `a parameter is written as text: ${piece}`);
      return piece;
    })
    .join('');
}

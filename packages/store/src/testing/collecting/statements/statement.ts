import * as original from '@pos/postgres/statements';

/** The text of every statement that the modules of this variant have defined, by its name. */
export const collectedTexts = new Map<string, string>();

export function defineStatement(label: string, text: string): original.Statement {
  return collect(original.defineStatement(label, text));
}

export function defineCombinableRead(label: string, text: string): original.Statement {
  return collect(original.defineCombinableRead(label, text));
}

export function defineSingleRowChange(label: string, relation: string, change: string): original.Statement {
  return collect(original.defineSingleRowChange(label, relation, change));
}

function collect(statement: original.Statement): original.Statement {
  collectedTexts.set(statement.name, statement.text);
  return statement;
}

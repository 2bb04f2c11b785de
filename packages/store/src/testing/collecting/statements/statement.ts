import * as original from '@pos/postgres/statements';

/** Every statement that the modules of this variant have defined, by its name. */
export const collected = new Map<string, original.Statement>();

export const defineStatement = collect(original.defineStatement);
export const defineChange = collect(original.defineChange);
export const defineCombinableRead = collect(original.defineCombinableRead);
export const defineSingleRowChange = collect(original.defineSingleRowChange);

function collect<Args extends readonly unknown[]>(define: (...args: Args) => original.Statement): typeof define {
  return (...args) => {
    const statement = define(...args);
    collected.set(statement.name, statement);
    return statement;
  };
}

import * as original from '@pos/postgres/statements';

/** Every statement that the modules of this variant have defined, by its name. */
export const collected = new Map<string, original.Statement & Partial<original.QueueableStatement>>();

export const defineStatement: typeof original.defineStatement = collect(original.defineStatement);
export const defineChange: typeof original.defineChange = collect(original.defineChange);
export const defineSeparateChange: typeof original.defineSeparateChange = collect(original.defineSeparateChange);
export const defineCombinableRead: typeof original.defineCombinableRead = collect(original.defineCombinableRead);
export const defineSingleRowChange: typeof original.defineSingleRowChange = collect(original.defineSingleRowChange);

function collect<Args extends readonly unknown[], Kind extends original.Statement>(
  define: (...args: Args) => Kind,
): typeof define {
  return (...args) => {
    const statement = define(...args);
    collected.set(statement.name, statement);
    return statement;
  };
}

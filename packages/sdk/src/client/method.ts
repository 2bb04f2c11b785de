import type { OperationFacts } from '../contract/operation-facts.js';
import type { OperationTypes } from '../gen/operation-types.js';
import { type CallOptions, sendCall, type SenderSettings } from '../http/sender.js';

/** The method of an operation: path members, then body or query, then options. */
export type Method<Id extends keyof OperationTypes> = (
  ...args: [...OperationTypes[Id]['args'], options?: CallOptions | undefined]
) => Promise<OperationTypes[Id]['returns']>;

/** Makes the method of an operation. */
export type MethodMaker<Known extends keyof OperationTypes> = <Id extends Known>(id: Id) => Method<Id>;

/** Makes the methods of the operations of this table. */
export function createMethodMaker<Known extends keyof OperationTypes>(
  settings: SenderSettings,
  operations: Readonly<Record<Known, OperationFacts>>,
): MethodMaker<Known> {
  return <Id extends Known>(id: Id) => {
    const facts = operations[id];
    const count = facts.path.split('{').length - 1;
    const optionsAt = facts.input === null ? count : count + 1;
    const method = async (...args: readonly unknown[]): Promise<unknown> =>
      sendCall(settings, {
        ...{ name: id, facts, members: args.slice(0, count) as readonly string[] },
        input: facts.input === null ? undefined : args[count],
        options: args[optionsAt] ?? {},
      });
    return method as unknown as Method<Id>;
  };
}

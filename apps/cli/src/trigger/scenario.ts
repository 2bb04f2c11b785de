import type { PosClient } from '@pos/sdk';
import type { CardVault } from '../connection/card-vault.js';
import { WrongUse } from '../failures/wrong-use.js';

/** A value that `--with` may set. */
export interface ScenarioValue {
  readonly brief: string;
  readonly standard: string;
}

/** What a scenario plays with. */
export interface ScenarioPlay {
  readonly client: PosClient;
  readonly vault: () => CardVault;
  readonly values: ScenarioValues;
  readonly stop: AbortSignal;
  /** Reports a thing that the scenario has made or changed, with its id and state. */
  readonly note: (thing: string, id: string, state: string) => void;
}

/** A real flow of payments, and how it must end. */
export interface Scenario {
  readonly brief: string;
  /** The values that it reads, beside `reference`. */
  readonly reads: readonly (keyof typeof VALUES)[];
  /** The last state that `play` returns. */
  readonly ends: string;
  readonly play: (play: ScenarioPlay) => Promise<string>;
}

/** Every value of every scenario. */
export const VALUES = {
  amount: { brief: 'minor units: 1250 is 12.50', standard: '1250' },
  currency: { brief: 'ISO 4217', standard: 'GBP' },
  reference: { brief: 'your reference', standard: 'pos trigger' },
  tid: { brief: 'the card machine', standard: '90000001' },
  card: { brief: 'a test card', standard: '4456530000091014' },
  part: { brief: 'the part that is captured or refunded, in minor units', standard: '250' },
  accept: { brief: 'whether the signature is accepted', standard: 'true' },
} as const satisfies Readonly<Record<string, ScenarioValue>>;

export interface ScenarioValues {
  readonly amount: { readonly value: number; readonly currencyCode: string };
  readonly reference: string;
  readonly tid: string;
  readonly card: string;
  readonly part: number;
  readonly accept: boolean;
}

/** Reads the values of a scenario; one that it does not read is refused. */
export function readValues(scenario: Scenario, given: Readonly<Record<string, string>>): ScenarioValues {
  const known: readonly string[] = [...scenario.reads, 'reference'];
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined) throw new WrongUse(`--with ${stranger}: this scenario reads ${known.join(', ')}`);
  const read = (name: keyof typeof VALUES): string => given[name] ?? VALUES[name].standard;
  const currencyCode = read('currency');
  if (!/^[A-Z]{3}$/.test(currencyCode)) throw new WrongUse(`--with currency=${currencyCode}: must be like GBP`);
  const card = read('card').replaceAll(' ', '');
  if (!/^\d{13,19}$/.test(card)) throw new WrongUse('--with card: must be the number of a test card');
  const accept = read('accept');
  if (!/^(true|false)$/.test(accept)) throw new WrongUse(`--with accept=${accept}: must be true or false`);
  return {
    amount: { value: readMinorUnits('amount', read('amount')), currencyCode },
    part: readMinorUnits('part', read('part')),
    ...{ reference: read('reference'), tid: read('tid'), card, accept: accept === 'true' },
  };
}

/** A decimal point would be read as a hundredth of what was meant. */
function readMinorUnits(name: string, text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    throw new WrongUse(`--with ${name}=${text}: must be whole minor units, such as 1250 for 12.50`);
  }
  return Number(text);
}

/** Reports each thing of a scenario as a row. */
export function createNote(
  report: (data: unknown, ...lines: readonly string[]) => void,
): (thing: string, id: string, state: string) => void {
  return (thing, id, state) => {
    report({ thing, id, state }, `${thing.padEnd(THING_WIDTH)} ${id.padEnd(ID_WIDTH)} ${state}`);
  };
}

const THING_WIDTH = 17;
const ID_WIDTH = 40;

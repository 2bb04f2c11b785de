import { Refusal } from '@pos/core/refusals';
import { parseMoment } from '@pos/rest-contracts/shapes';

/** The transports that a run may request; `auto` takes the account's setting. */
const TRANSPORT_REQUESTS = ['auto', 'grpc', 'grpc-stream', 'grpc-dialled', 'rest', 'ws', 'tables-ws'] as const;
export type TransportSelection = (typeof TRANSPORT_REQUESTS)[number];

/** The parameters of a run, parsed and with defaults. Null: the flow chooses the value. */
export interface RunParams {
  readonly transport: TransportSelection;
  readonly timeoutSeconds: number;
  readonly sessionId: string | null;
  readonly orderId: string | null;
  readonly areaId: string | null;
  readonly tableId: string | null;
  readonly partyId: string | null;
  readonly reservationId: string | null;
  readonly tableName: string | null;
  readonly waiterId: number | null;
  /** Minor units. */
  readonly amount: number | null;
  /** Minor units. */
  readonly gratuity: number;
  readonly people: number;
  readonly payableOnly: boolean;
  readonly fromTime: Date | null;
  readonly toTime: Date | null;
  readonly lockSeconds: number;
  readonly waitSeconds: number;
}

export type ParameterName = keyof RunParams;
type ParameterType = 'text' | 'integer' | 'boolean' | 'timestamp';

/** A parameter in the list of flows. */
export interface Parameter {
  readonly name: ParameterName;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly description: string;
  /** As text; empty where the flow chooses the value. */
  readonly default: string;
}

const AMOUNT_MAX = 999_999_999;
const PEOPLE_MAX = 20;
const STEP_SECONDS_MAX = 600;
const TEXT_LENGTH_MAX = 200;
const LOCK_SECONDS_MAX = 240;
const WAIT_SECONDS_MAX = 300;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WAITER = /^\d{1,9}$/;
const TEXT = new RegExp(`^.{1,${TEXT_LENGTH_MAX}}$`, 'u');
const DIGITS = /^\d{1,12}$/;
const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);

/** The description and the parser of each parameter. */
const READERS = {
  transport: createParamReader<TransportSelection>({
    type: 'text',
    description: `The transport to the EPOS: one of ${TRANSPORT_REQUESTS.join(', ')}. \`auto\` takes the transport that the account is set to.`,
    standard: 'auto',
    absent: 'auto',
    wanted: `one of ${TRANSPORT_REQUESTS.join(', ')}`,
    parse: (sent) => TRANSPORT_REQUESTS.find((request) => typeof sent === 'string' && request === sent.toLowerCase()),
  }),
  timeoutSeconds: createParamReader({
    ...readInteger({ absent: 30, min: 1, max: STEP_SECONDS_MAX }),
    description: 'The time limit of one step.',
  }),
  sessionId: createParamReader<string | null>({
    ...readText('a UUID', UUID, (sent) => sent.toLowerCase()),
    description: 'The session to be used; the first suitable one when left out.',
  }),
  tableName: createParamReader<string | null>({
    ...readText(`1 to ${TEXT_LENGTH_MAX} characters`, TEXT, (sent) => sent),
    description: 'The table to be used; the first suitable one when left out.',
  }),
  orderId: readEposParam('The order to be used; the first suitable one when left out.'),
  areaId: readEposParam('The area whose tables are read; every area when left out.'),
  tableId: readEposParam('The id of the table to be used; the first suitable one when left out.'),
  partyId: readEposParam('The party to be read; one is created when left out.'),
  reservationId: readEposParam('The reservation to be read; one is created when left out.'),
  waiterId: createParamReader<number | null>({
    ...readText('1 to 9 digits', WAITER, Number),
    description: 'The id of the waiter, in digits; no waiter when left out.',
  }),
  amount: createParamReader<number | null>({
    ...readInteger<number | null>({ absent: null, min: 1, max: AMOUNT_MAX }),
    description: 'Minor units to be paid; what is outstanding when left out.',
  }),
  gratuity: createParamReader({
    ...readInteger({ absent: 0, min: 0, max: AMOUNT_MAX }),
    description: 'Minor units of tip on top of what is paid.',
  }),
  people: createParamReader({
    ...readInteger({ absent: 2, min: 1, max: PEOPLE_MAX }),
    description: 'The number of people who share the bill.',
  }),
  payableOnly: createParamReader({
    type: 'boolean',
    description: 'Reads only the sessions that can be paid; every session when false.',
    standard: 'true',
    absent: true,
    wanted: 'true or false',
    parse: (sent) => FLAGS.get(String(sent).toLowerCase()),
  }),
  fromTime: readMoment('Reservations from this moment on; the beginning of today when left out.'),
  toTime: readMoment('Reservations up to this moment; the end of today when left out.'),
  lockSeconds: createParamReader({
    ...readInteger({ absent: 60, min: 1, max: LOCK_SECONDS_MAX }),
    description: 'The duration of the requested lock.',
  }),
  waitSeconds: createParamReader({
    ...readInteger({ absent: 70, min: 1, max: WAIT_SECONDS_MAX }),
    description: 'How long the flow waits for the lock to expire; more than lockSeconds.',
  }),
} as const satisfies { readonly [Name in ParameterName]: ParamReader<RunParams[Name]> };

/** The listed parameters of a flow: its own after those that every flow has. */
export function listParameters(...own: readonly ParameterName[]): Parameter[] {
  return (['transport', 'timeoutSeconds', ...own] as const).map((name) => {
    const { type, description, standard } = READERS[name];
    return { name, type, required: false, description, default: standard };
  });
}

/** At most this many invalid parameters are reported. */
const ERRORS_MAX = 100;

/**
 * Parses the parameters of a flow: names in any case, numbers and flags also as text, null as absent. Refuses with a
 * list of all invalid parameters; an unknown one is invalid, so that a misspelling is detected.
 */
export function readParams(parameters: readonly Parameter[], sent: Readonly<Record<string, unknown>>): RunParams {
  const names = parameters.map(({ name }) => name);
  const errors: Record<string, string[]> = {};
  const given = new Map<ParameterName, unknown>();
  for (const [key, value] of Object.entries(sent)) {
    if (Object.keys(errors).length >= ERRORS_MAX) break;
    const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
    if (name === undefined) errors[`params.${key.slice(0, TEXT_LENGTH_MAX)}`] = ['Is not a parameter of this flow.'];
    else if (given.has(name)) errors[`params.${name}`] = ['Is sent twice.'];
    else if (value !== null) given.set(name, value);
  }
  const read = <Name extends ParameterName>(name: Name, { absent, parse, wanted }: ParamReader<RunParams[Name]>) => {
    const value = given.has(name) ? parse(given.get(name)) : absent;
    if (value === undefined) errors[`params.${name}`] = [`Must be ${wanted}.`];
    return value ?? absent;
  };
  const params: RunParams = {
    transport: read('transport', READERS.transport),
    timeoutSeconds: read('timeoutSeconds', READERS.timeoutSeconds),
    sessionId: read('sessionId', READERS.sessionId),
    orderId: read('orderId', READERS.orderId),
    areaId: read('areaId', READERS.areaId),
    tableId: read('tableId', READERS.tableId),
    partyId: read('partyId', READERS.partyId),
    reservationId: read('reservationId', READERS.reservationId),
    tableName: read('tableName', READERS.tableName),
    waiterId: read('waiterId', READERS.waiterId),
    amount: read('amount', READERS.amount),
    gratuity: read('gratuity', READERS.gratuity),
    people: read('people', READERS.people),
    payableOnly: read('payableOnly', READERS.payableOnly),
    fromTime: read('fromTime', READERS.fromTime),
    toTime: read('toTime', READERS.toTime),
    lockSeconds: read('lockSeconds', READERS.lockSeconds),
    waitSeconds: read('waitSeconds', READERS.waitSeconds),
  };
  for (const [member, message] of findContradictions(params, names)) errors[`params.${member}`] ??= [message];
  if (Object.keys(errors).length > 0) {
    throw new Refusal('validation_failed', 'the parameters do not fit the flow', { members: errors });
  }
  return params;
}

/** Parameters that contradict each other, each under the one to change. */
function findContradictions(params: RunParams, names: readonly ParameterName[]): (readonly [ParameterName, string])[] {
  const { fromTime, toTime, lockSeconds, waitSeconds } = params;
  const isTooShort = names.includes('waitSeconds') && waitSeconds <= lockSeconds;
  const isBackwards = fromTime !== null && toTime !== null && toTime <= fromTime;
  return [
    ...(isTooShort ? [['waitSeconds', 'Must be more than lockSeconds.'] as const] : []),
    ...(isBackwards ? [['toTime', 'Must be after fromTime.'] as const] : []),
  ];
}

interface ParamReader<T> {
  readonly type: ParameterType;
  readonly description: string;
  /** The default as text; empty where the flow chooses the value. */
  readonly standard: string;
  readonly absent: T;
  /** Completes "Must be ...". */
  readonly wanted: string;
  /** Undefined: not a valid value. */
  readonly parse: (sent: unknown) => T | undefined;
}

function createParamReader<T>(row: ParamReader<T>): ParamReader<T> {
  return row;
}

function readInteger<T extends number | null>({ absent, min, max }: { absent: T; min: number; max: number }) {
  return {
    type: 'integer',
    standard: absent === null ? '' : String(absent),
    absent,
    wanted: `a whole number from ${min} to ${max}`,
    parse: (sent: unknown) => {
      const isText = typeof sent === 'string' && DIGITS.test(sent);
      const value = isText ? Number(sent) : sent;
      return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
    },
  } as const;
}

function readText<T>(wanted: string, form: RegExp, read: (sent: string) => T) {
  return {
    type: 'text',
    standard: '',
    absent: null,
    wanted,
    // A waiter number or a table may be sent as a number.
    parse: (sent: unknown) => {
      const text = typeof sent === 'number' ? String(sent) : sent;
      return typeof text === 'string' && form.test(text) ? read(text) : undefined;
    },
  } as const;
}

/** An id of the EPOS: its form has no meaning. */
function readEposParam(description: string): ParamReader<string | null> {
  return { ...readText<string | null>(`1 to ${TEXT_LENGTH_MAX} characters`, TEXT, (sent) => sent), description };
}

function readMoment(description: string): ParamReader<Date | null> {
  return {
    type: 'timestamp',
    standard: '',
    absent: null,
    wanted: 'an ISO 8601 timestamp with an offset or Z',
    description,
    parse: (sent) => (typeof sent === 'string' ? (parseMoment(sent) ?? undefined) : undefined),
  };
}

export const REQUEST_OUTCOMES = ['Succeeded', 'Refused', 'Failed'] as const;
type Outcome = (typeof REQUEST_OUTCOMES)[number];

/** Which requests are listed: the part of the address after `?`, so that a list can be sent to a colleague. */
export interface RequestFilter {
  readonly outcome?: Outcome;
  readonly status?: number;
  readonly operation?: string;
  readonly keyId?: string;
  readonly before?: string;
  readonly after?: string;
}

const TEXT_LENGTH_MAX = 100;
const CURSOR_LENGTH_MAX = 400;
const TRACE_ID = /\b[0-9a-f]{32}\b/;

export const RequestFilter = {
  /** What cannot be read is left out: an address is typed by people. */
  parse(search: Readonly<Record<string, unknown>>): RequestFilter {
    const outcome = REQUEST_OUTCOMES.find((each) => each === search['outcome']);
    const status = readStatus(search['status']);
    const [operation, keyId] = [readText(search['operation']), readText(search['keyId'])];
    const before = readText(search['before'], CURSOR_LENGTH_MAX);
    const after = readText(search['after'], CURSOR_LENGTH_MAX);
    return {
      ...(outcome !== undefined && { outcome }),
      ...(status !== undefined && { status }),
      ...(operation !== undefined && { operation }),
      ...(keyId !== undefined && { keyId }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && before === undefined && { after }),
    };
  },

  /** The same requests from the newest on. */
  withoutCursor({ before: _before, after: _after, ...kept }: RequestFilter): RequestFilter {
    return kept;
  },
};

/** The trace in a text: alone, or in a header `trace-id` or `traceparent`; undefined without one. */
export function findTraceId(text: string): string | undefined {
  return TRACE_ID.exec(text.toLowerCase())?.[0];
}

function readStatus(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

function readText(value: unknown, lengthMax = TEXT_LENGTH_MAX): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= lengthMax ? text : undefined;
}

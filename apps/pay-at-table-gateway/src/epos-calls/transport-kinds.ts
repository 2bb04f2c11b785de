/** The transports of the pay-at-table contract; `orders`: over calls of the EPOS Data API. */
export type TablesTransportKind = 'socket' | 'stream' | 'dialled' | 'orders';

/** The transports of the EPOS Data API. */
export type DataTransportKind = 'dataSocket' | 'rest';

export function isDataTransport(
  transport: TablesTransportKind | DataTransportKind | 'auto',
): transport is DataTransportKind {
  return transport === 'dataSocket' || transport === 'rest';
}

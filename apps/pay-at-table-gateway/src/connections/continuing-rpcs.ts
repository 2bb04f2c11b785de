const rpcsOf = (service: string, names: readonly string[]): string[] => names.map((name) => `${service}/${name}`);

/**
 * What a partner that is retired may still call, so that a payment which was begun before ends and is recorded. A new
 * TakePayment is refused by the journey: its repeats are answered.
 */
export const CONTINUING_RPCS: ReadonlySet<string> = new Set([
  ...rpcsOf('service.gateway.v1.JourneyService', [
    ...['GetDeviceSettings', 'TakePayment', 'MoveJourney', 'CancelPayment', 'DecideSignature', 'GetJourney'],
    ...['WatchJourney', 'PrintReceipt', 'SendReceipt', 'FinishJourney'],
  ]),
  ...rpcsOf('service.tables.v1.TablesService', ['UnlockSession', 'RecordPayment']),
  ...rpcsOf('service.card_machine.v1.CardMachineService', ['Connect']),
]);

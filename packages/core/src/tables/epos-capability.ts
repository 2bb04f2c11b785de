/** What an EPOS may support in the EPOS Data API; we never call what it has not registered. */
export const EPOS_CAPABILITIES = [
  'ListAreas',
  'SearchTables',
  'CreateOrder',
  'GetOrderById',
  'CancelOrderById',
  'SearchOrders',
  'CreateOrderLock',
  'ExtendOrderLock',
  'DeleteOrderLock',
  'GetOrderBillById',
  'RecordOrderPaymentById',
  'CreateParty',
  'GetPartyById',
  'UpdateParty',
  'DeletePartyById',
  'SearchParties',
  'CreateReservation',
  'GetReservationById',
  'UpdateReservation',
  'DeleteReservationById',
  'SearchReservations',
  'HandleEvent:payment_intent.created',
  'HandleEvent:payment_intent.status_updated',
] as const;
export type EposCapability = (typeof EPOS_CAPABILITIES)[number];

/** Other names that partners register under. */
export const CAPABILITY_SYNONYMS = {
  GetOrderBill: 'GetOrderBillById',
  RecordOrderPayment: 'RecordOrderPaymentById',
  UpdatePartyById: 'UpdateParty',
  UpdateReservationById: 'UpdateReservation',
} as const satisfies Readonly<Record<string, EposCapability>>;

/** The capability of a registered name or its synonym; null for an unknown name. Names are case-sensitive. */
export function findCapability(name: string): EposCapability | null {
  const synonyms: ReadonlyMap<string, EposCapability> = new Map(Object.entries(CAPABILITY_SYNONYMS));
  return EPOS_CAPABILITIES.find((each) => each === name) ?? synonyms.get(name) ?? null;
}

/** The spellings of the only version. */
export const CAPABILITY_VERSIONS = ['v1', '1.0.0'] as const;

export type CapabilityVersion = (typeof CAPABILITY_VERSIONS)[number];

/** A capability as an EPOS has registered it: name and version as they were sent. */
export interface RegisteredCapability {
  readonly name: string;
  readonly version: CapabilityVersion;
  readonly updatedAt: Date;
}

/** The capabilities that these registrations mean, under any of their names. */
export function listCapabilities(registered: readonly Pick<RegisteredCapability, 'name'>[]): EposCapability[] {
  return registered.flatMap(({ name }) => findCapability(name) ?? []);
}

/** What each journey requires. */
export const JOURNEY_NEEDS = {
  PayAtTable: ['SearchOrders', 'GetOrderById', 'RecordOrderPaymentById'],
  PayByQr: ['SearchOrders', 'GetOrderById', 'RecordOrderPaymentById'],
  OrderAndPay: ['CreateOrder', 'GetOrderById', 'SearchOrders'],
  Bookings: ['CreateReservation', 'UpdateReservation', 'DeleteReservationById', 'CreateParty', 'UpdateParty'],
} as const satisfies Readonly<Record<string, readonly EposCapability[]>>;
export type EposJourney = keyof typeof JOURNEY_NEEDS;

/** Whether an EPOS with these capabilities supports the journey. */
export function supportsJourney(capabilities: ReadonlySet<EposCapability>, journey: EposJourney): boolean {
  return JOURNEY_NEEDS[journey].every((needed) => capabilities.has(needed));
}

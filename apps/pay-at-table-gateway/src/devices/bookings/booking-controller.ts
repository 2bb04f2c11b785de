import {
  BookingServiceService,
  type CreatePartyRequest,
  type CreatePartyResponse,
  type CreateReservationRequest,
  type CreateReservationResponse,
  type DeletePartyRequest,
  type DeletePartyResponse,
  type DeleteReservationRequest,
  type DeleteReservationResponse,
  type GetPartyRequest,
  type GetPartyResponse,
  type GetReservationRequest,
  type GetReservationResponse,
  type ListAreasRequest,
  type ListAreasResponse,
  type ListPartiesRequest,
  type ListPartiesResponse,
  type ListReservationsRequest,
  type ListReservationsResponse,
  type UpdatePartyRequest,
  type UpdatePartyResponse,
  type UpdateReservationRequest,
  type UpdateReservationResponse,
} from '@pos/grpc-contracts/gateway';
import { type CallersBooking, DiningTables, Parties, Reservations } from '@pos/payments/bookings';
import { toCanonicalJson } from '@pos/service-kit/request-checks';
import { BindGrpc, type GrpcCall, type GrpcController } from '@pos/service-kit/grpc';
import {
  presentLinks,
  presentParty,
  presentReservation,
  readEposId,
  readOptionalId,
  readPage,
  readParty,
  readReservation,
  readServiceId,
  readStatus,
} from './booking-wire.js';

const READ = 'bookings.read' as const;
const WRITE = 'bookings.write' as const;
/** As the operations of the REST API. */
const PERMISSIONS = {
  ...{
    listReservations: READ,
    getReservation: READ,
    listParties: READ,
    getParty: READ,
    listAreas: 'epos.read' as const,
  },
  ...{ createReservation: WRITE, updateReservation: WRITE, deleteReservation: WRITE },
  ...{ createParty: WRITE, updateParty: WRITE, deleteParty: WRITE },
} as const;

/** BookingService: reservations and parties at the EPOS, for the devices of the staff. */
@BindGrpc(BookingServiceService, { permission: PERMISSIONS })
export class BookingController implements GrpcController<typeof BookingServiceService> {
  constructor(
    private readonly reservations: Reservations,
    private readonly parties: Parties,
    private readonly tables: DiningTables,
  ) {}

  async listReservations(request: ListReservationsRequest, { caller }: GrpcCall): Promise<ListReservationsResponse> {
    const { from, to } = request;
    const tableId = readOptionalId('table_id', request.tableId);
    const search = { tableId, from, to, page: readPage(request.page) };
    const page = await this.reservations.list(caller.scope, search);
    return { reservations: page.elements.map(presentReservation), links: presentLinks(page) };
  }

  async getReservation(request: GetReservationRequest, { caller }: GrpcCall): Promise<GetReservationResponse> {
    const id = readEposId('reservation_id', request.reservationId);
    return { reservation: presentReservation(await this.reservations.get(caller.scope, id)) };
  }

  async createReservation(request: CreateReservationRequest, { caller }: GrpcCall): Promise<CreateReservationResponse> {
    const serviceId = readServiceId('service_reservation_id', request.serviceReservationId);
    const details = readReservation(request.details);
    const created = await this.reservations.createWithId(caller.scope, nameBooking(serviceId, details), details);
    return { reservation: presentReservation(created) };
  }

  async updateReservation(request: UpdateReservationRequest, { caller }: GrpcCall): Promise<UpdateReservationResponse> {
    const id = readEposId('reservation_id', request.reservationId);
    const updated = await this.reservations.update(caller.scope, id, readReservation(request.details));
    return { reservation: presentReservation(updated) };
  }

  async deleteReservation(request: DeleteReservationRequest, { caller }: GrpcCall): Promise<DeleteReservationResponse> {
    await this.reservations.delete(caller.scope, readEposId('reservation_id', request.reservationId));
    return {};
  }

  async listParties(request: ListPartiesRequest, { caller }: GrpcCall): Promise<ListPartiesResponse> {
    const tableId = readOptionalId('table_id', request.tableId);
    const search = { tableId, isCompletedOnly: request.completedOnly, page: readPage(request.page) };
    const page = await this.parties.list(caller.scope, search);
    return { parties: page.elements.map(presentParty), links: presentLinks(page) };
  }

  async getParty(request: GetPartyRequest, { caller }: GrpcCall): Promise<GetPartyResponse> {
    const id = readEposId('party_id', request.partyId);
    return { party: presentParty(await this.parties.get(caller.scope, id)) };
  }

  async createParty(request: CreatePartyRequest, { caller }: GrpcCall): Promise<CreatePartyResponse> {
    const serviceId = readServiceId('service_party_id', request.servicePartyId);
    const reservationId = readOptionalId('reservation_id', request.reservationId);
    const party = { ...readParty(request.details), reservationId };
    const created = await this.parties.createWithId(caller.scope, nameBooking(serviceId, party), party);
    return { party: presentParty(created) };
  }

  async updateParty(request: UpdatePartyRequest, { caller }: GrpcCall): Promise<UpdatePartyResponse> {
    const id = readEposId('party_id', request.partyId);
    const details = readParty(request.details);
    const party = { ...details, status: readStatus(details), endTime: request.endTime };
    return { party: presentParty(await this.parties.update(caller.scope, id, party)) };
  }

  async deleteParty(request: DeletePartyRequest, { caller }: GrpcCall): Promise<DeletePartyResponse> {
    await this.parties.delete(caller.scope, readEposId('party_id', request.partyId));
    return {};
  }

  async listAreas(_: ListAreasRequest, { caller }: GrpcCall): Promise<ListAreasResponse> {
    const areas = await this.tables.listAreas(caller.scope);
    return { areas: areas.map(({ id, name, waiterIds = [] }) => ({ areaId: id, name, waiterIds: [...waiterIds] })) };
  }
}

/** The device's id with the content in canonical form: times as text, absent members left out. */
function nameBooking(serviceId: string, content: object): CallersBooking {
  return { serviceId, content: toCanonicalJson(JSON.parse(JSON.stringify(content))) };
}

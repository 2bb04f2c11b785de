import { Controller } from '@nestjs/common';
import type { DiningArea, DiningTable } from '@pos/core/bookings';
import { DiningTables } from '@pos/payments/bookings';
import * as rest from '@pos/rest-contracts/bookings';
import { present } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { presentPage, readPage } from './page-presenter.js';

/** The areas and tables of the restaurant. */
@Controller()
export class DiningTablesController {
  constructor(private readonly tables: DiningTables) {}

  @Serve(rest.listAreas)
  async listAreas({ caller }: OperationCall<typeof rest.listAreas>) {
    return (await this.tables.listAreas(caller.scope)).map(presentArea);
  }

  @Serve(rest.listTables)
  async listTables({ caller, query }: OperationCall<typeof rest.listTables>) {
    const { areaId, waiterId } = query;
    return presentPage(await this.tables.list(caller.scope, { areaId, waiterId, page: readPage(query) }), presentTable);
  }
}

function presentArea({ id, name, waiterIds }: DiningArea): rest.DiningArea {
  return { id, name, ...present({ waiterIds: waiterIds && [...waiterIds] }) };
}

function presentTable({ id, name, waiterIds, maxCovers, areaId }: DiningTable): rest.DiningTable {
  return { id, name, ...present({ maxCovers, areaId, waiterIds: waiterIds && [...waiterIds] }) };
}

import { useQuery } from '@tanstack/react-query';
import { tablesQuery } from './booking-queries.js';

/** Returns what names tables as staff know them; by their ids where the EPOS does not list its tables. */
export function useTableNames(): (tableIds: readonly string[]) => string {
  const { data } = useQuery(tablesQuery);
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return (tableIds) => tableIds.map((id) => names.get(id) ?? id).join(', ');
}

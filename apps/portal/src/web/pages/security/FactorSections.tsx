import { readSecondFactors } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { SECOND_FACTORS } from '../../client/queries.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { SecondFactors } from './SecondFactors.js';

/** The second factors of the user: on the page of their sign-in, and where one has to be set up before they continue. */
export function FactorSections(): ReactNode {
  const query = useQuery({
    queryKey: [SECOND_FACTORS],
    queryFn: ({ signal }) => callOperation(readSecondFactors, { signal }),
  });
  return (
    <QueryBoundary query={query} rows={5}>
      {(factors) => <SecondFactors factors={factors} />}
    </QueryBoundary>
  );
}

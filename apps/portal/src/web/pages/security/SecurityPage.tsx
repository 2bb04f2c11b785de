import { useMessages } from '@pos/web-ui/messages/language-context';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { readSecondFactors } from '../../client/factor-endpoints.js';
import { SECOND_FACTORS } from '../../client/queries.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { SECURITY_MESSAGES } from './security-messages.js';
import { SecondFactors } from './SecondFactors.js';

/** The second factors of the user. */
export function SecurityPage(): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')} />
      <FactorSections />
    </>
  );
}

/** Also where a user has to set one up before they continue. */
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

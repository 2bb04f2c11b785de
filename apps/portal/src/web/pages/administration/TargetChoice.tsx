import { useMessages } from '@pos/web-ui/messages';
import { listAdministeredAccounts } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import type { AccountAnswer } from './administration-answers.js';
import { ADMINISTRATION_MESSAGES } from './administration-messages.js';
import { Choice } from '../../components/Choice.js';
import type { Target } from './target.js';
import { ADMINISTRATION } from '../../client/queries.js';

/** All accounts, which several pages choose from. */
export function useAccounts() {
  return useQuery({
    queryKey: [ADMINISTRATION, 'accounts'],
    queryFn: ({ signal }) => callOperation(listAdministeredAccounts, { signal }),
  });
}

const NONE: readonly AccountAnswer[] = [];

interface TargetChoiceProps {
  readonly target: Partial<Target>;
  /** What the list says while no account is chosen. */
  readonly emptyLabel: string;
  readonly onChange: (target: Partial<Target>) => void;
}

/** Chooses an account and then its environment, which is production at first. */
export function TargetChoice({ target, emptyLabel, onChange }: TargetChoiceProps): ReactNode {
  const text = useMessages(ADMINISTRATION_MESSAGES);
  const { data: accounts = NONE } = useAccounts();
  const { account = '', environment = 'production' } = target;
  const options = accounts.map(({ id, tradingName }) => [id, tradingName] as const);
  return (
    <>
      <Choice
        label={text('account')}
        value={account}
        options={[['', emptyLabel], ...options]}
        onChange={(chosen) => onChange(chosen === '' ? {} : { account: chosen, environment })}
      />
      {account !== '' && (
        <Choice
          label={text('environment')}
          value={environment}
          options={[
            ['production', text('production')],
            ['sandbox', text('sandbox')],
          ]}
          onChange={(chosen) => onChange({ account, environment: chosen })}
        />
      )}
    </>
  );
}

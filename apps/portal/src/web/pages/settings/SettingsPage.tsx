import { useMessages } from '@pos/web-ui/messages';
import { readPortalAccountSettings } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccountSettingsAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { ACCOUNT_SETTINGS } from '../../client/queries.js';
import { useWorkingAccount } from '../../client/session-query.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { BrandingForm } from './BrandingForm.js';
import { OriginsForm } from './OriginsForm.js';
import { PaymentMethodsForm } from './PaymentMethodsForm.js';
import { ReceiptsForm } from './ReceiptsForm.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import classes from './settings.module.css';
import { type SwitchRow, SwitchesForm } from './SwitchesForm.js';

/** The settings that the administrators of an account decide. */
export function SettingsPage(): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const query = useQuery({
    queryKey: [ACCOUNT_SETTINGS],
    queryFn: ({ signal }) => callOperation(readPortalAccountSettings, { signal }),
  });
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')} />
      <QueryBoundary query={query} rows={8}>
        {(settings) => <Sections settings={settings} />}
      </QueryBoundary>
    </>
  );
}

type PayAtTable = AccountSettingsAnswer['payAtTable'];
type SandboxSettings = Pick<AccountSettingsAnswer, 'hasAmountTriggers' | 'hasSandboxEpos'>;

function Sections({ settings }: { settings: AccountSettingsAnswer }): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const { environment } = useWorkingAccount();
  const { canChangeShared, payAtTable, hasAmountTriggers, hasSandboxEpos } = settings;
  const tableRows: readonly SwitchRow<keyof PayAtTable>[] = [
    ['asksWaiterId', text('asksWaiterId'), text('asksWaiterIdHelp')],
    ['asksGratuity', text('asksGratuity'), text('asksGratuityHelp')],
    ['offersEmailReceipts', text('offersEmailReceipts'), text('offersEmailReceiptsHelp')],
    ['reportUnsuccessful', text('reportUnsuccessful'), text('reportUnsuccessfulHelp')],
  ];
  const sandboxRows: readonly SwitchRow<keyof SandboxSettings>[] = [
    ['hasAmountTriggers', text('hasAmountTriggers'), text('hasAmountTriggersHelp')],
    ['hasSandboxEpos', text('hasSandboxEpos'), text('hasSandboxEposHelp')],
  ];
  return (
    <div className={classes['page']}>
      {!canChangeShared && <p className={classes['notice']}>{text('sharedNotice')}</p>}
      <BrandingForm settings={settings} />
      <OriginsForm origins={settings.embeddingOrigins[environment] ?? []} />
      <div className={classes['pair']}>
        <PaymentMethodsForm methods={settings.supportedPaymentMethods} isReadOnly={!canChangeShared} />
        <ReceiptsForm settings={settings} isReadOnly={!canChangeShared} />
        <SwitchesForm
          title={text('payAtTable')}
          values={payAtTable}
          rows={tableRows}
          isReadOnly={!canChangeShared}
          toChange={(changed) => ({ payAtTable: changed })}
        />
        <SwitchesForm
          title={text('portalAccess')}
          values={{ requiresSecondFactor: settings.requiresSecondFactor }}
          rows={[['requiresSecondFactor', text('requiresSecondFactor'), text('requiresSecondFactorHelp')]]}
          isReadOnly={!canChangeShared}
          toChange={(changed) => changed}
        />
        {environment === 'sandbox' && (
          <SwitchesForm
            title={text('sandbox')}
            values={{ hasAmountTriggers, hasSandboxEpos }}
            rows={sandboxRows}
            isReadOnly={false}
            toChange={(changed) => changed}
          />
        )}
      </div>
    </div>
  );
}

import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import type { AccountSettingsAnswer } from '../../client/answers.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import { SettingsForm } from './SettingsForm.js';
import { useSettingChange } from './use-setting-change.js';

interface ReceiptsFormProps {
  readonly settings: AccountSettingsAnswer;
  readonly isReadOnly: boolean;
}

/** What receipts have at their head. */
export function ReceiptsForm({ settings, isReadOnly }: ReceiptsFormProps): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const action = useSettingChange();
  const [phoneNumber, setPhoneNumber] = useState(settings.phoneNumber ?? '');
  const [site, setSite] = useState(settings.site ?? '');
  const toValue = (entered: string): string | null => (entered === '' ? null : entered);
  return (
    <SettingsForm
      title={text('receipts')}
      action={action}
      isReadOnly={isReadOnly}
      members={['phoneNumber', 'site']}
      onSubmit={() => void action.run({ phoneNumber: toValue(phoneNumber), site: toValue(site) })}
    >
      <TextField
        label={text('site')}
        value={site}
        hint={text('siteHint')}
        error={action.findViolation('site')}
        onValueChange={setSite}
      />
      <TextField
        label={text('phoneNumber')}
        type="tel"
        value={phoneNumber}
        error={action.findViolation('phoneNumber')}
        onValueChange={setPhoneNumber}
      />
    </SettingsForm>
  );
}

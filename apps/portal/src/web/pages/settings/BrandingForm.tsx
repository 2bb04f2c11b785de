import { BRAND_FONTS } from '@pos/core/branding';
import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import type { AccountSettingsAnswer } from '../../client/answers.js';
import { useWorkingAccount } from '../../client/session-query.js';
import { Choice } from '../../components/Choice.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import { SettingsForm } from './SettingsForm.js';
import classes from './settings.module.css';
import { useSettingChange } from './use-setting-change.js';
import { BrandPreview } from './BrandPreview.js';
import { ColorField } from './ColorField.js';

type Look = AccountSettingsAnswer['branding'];
type Font = NonNullable<Look['font']> | '';
/** The look as it is entered; an empty text is no value. */
interface EnteredLook {
  readonly logoUrl: string;
  readonly faviconUrl: string;
  readonly accentColor: string;
  readonly font: Font;
}

const FONTS = ['', ...BRAND_FONTS] as const satisfies readonly Font[];
const MEMBERS = ['branding.logoUrl', 'branding.faviconUrl', 'branding.accentColor', 'branding.font'] as const;

/** How the payment page of the environment looks, with a preview of what is entered. */
export function BrandingForm({ settings }: { settings: AccountSettingsAnswer }): ReactNode {
  const { branding, tradingName } = settings;
  const text = useMessages(SETTING_MESSAGES);
  const { environment } = useWorkingAccount();
  const action = useSettingChange();
  // Only what was changed is sent: in a sandbox the other members stay those of production.
  const [changed, setChanged] = useState<Partial<EnteredLook>>({});
  const { logoUrl, faviconUrl, accentColor, font } = { ...toEntered(branding), ...changed };
  const enter = (entered: Partial<EnteredLook>): void => {
    action.touch();
    setChanged({ ...changed, ...entered });
  };
  const submit = async (): Promise<void> => {
    if (await action.run({ branding: toChange(changed) })) setChanged({});
  };
  return (
    <SettingsForm
      title={text('branding')}
      action={action}
      isReadOnly={false}
      members={MEMBERS}
      onSubmit={() => void submit()}
    >
      {environment === 'sandbox' && <p className={classes['note']}>{text('sandboxLook')}</p>}
      <div className={classes['branding']}>
        <div className={classes['fields']}>
          <ColorField
            color={accentColor}
            error={action.findViolation('branding.accentColor')}
            onChange={(color) => enter({ accentColor: color })}
          />
          <Choice
            label={text('font')}
            value={font}
            options={FONTS.map((each) => [each, text(each === '' ? 'font_none' : `font_${each}`)])}
            onChange={(chosen) => enter({ font: chosen })}
          />
          <TextField
            label={text('logoUrl')}
            inputMode="url"
            value={logoUrl}
            hint={text('logoUrlHint')}
            error={action.findViolation('branding.logoUrl')}
            onValueChange={(address) => enter({ logoUrl: address })}
          />
          <TextField
            label={text('faviconUrl')}
            inputMode="url"
            value={faviconUrl}
            hint={text('faviconUrlHint')}
            error={action.findViolation('branding.faviconUrl')}
            onValueChange={(address) => enter({ faviconUrl: address })}
          />
        </div>
        <BrandPreview
          look={{ tradingName, color: accentColor, font: font === '' ? null : font, hasLogo: logoUrl.trim() !== '' }}
        />
      </div>
    </SettingsForm>
  );
}

function toEntered({ logoUrl, faviconUrl, accentColor, font }: Look): EnteredLook {
  return {
    logoUrl: logoUrl ?? '',
    faviconUrl: faviconUrl ?? '',
    accentColor: accentColor ?? '',
    font: font ?? '',
  };
}

function toChange({ logoUrl, faviconUrl, accentColor, font }: Partial<EnteredLook>): Partial<Look> {
  return {
    ...(logoUrl !== undefined && { logoUrl: toValue(logoUrl) }),
    ...(faviconUrl !== undefined && { faviconUrl: toValue(faviconUrl) }),
    ...(accentColor !== undefined && { accentColor: toValue(accentColor) }),
    ...(font !== undefined && { font: font === '' ? null : font }),
  };
}

function toValue(entered: string): string | null {
  return entered.trim() === '' ? null : entered.trim();
}

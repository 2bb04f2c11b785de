import { BRAND_FONTS } from '@pos/core/accounts/account';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useState } from 'react';
import type { AccountSettingsAnswer } from '../../client/answers.js';
import { Choice } from '../../components/Choice.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import { SettingsForm } from './SettingsForm.js';
import classes from './settings.module.css';
import { useSettingChange } from './use-setting-change.js';
import { BrandPreview } from './BrandPreview.js';
import { ColorField } from './ColorField.js';

type Font = NonNullable<AccountSettingsAnswer['branding']['font']> | '';

const FONTS = ['', ...BRAND_FONTS] as const satisfies readonly Font[];
const MEMBERS = ['branding.logoUrl', 'branding.faviconUrl', 'branding.accentColor', 'branding.font'] as const;

/** How the payment page looks, with a preview of what is entered. */
export function BrandingForm({ settings }: { settings: AccountSettingsAnswer }): ReactNode {
  const { branding, tradingName, canChangeShared } = settings;
  const text = useMessages(SETTING_MESSAGES);
  const action = useSettingChange();
  const [logoUrl, setLogoUrl] = useState(branding.logoUrl ?? '');
  const [faviconUrl, setFaviconUrl] = useState(branding.faviconUrl ?? '');
  const [accentColor, setAccentColor] = useState(branding.accentColor ?? '');
  const [font, setFont] = useState<Font>(branding.font ?? '');
  const submit = (): void => {
    const look = {
      logoUrl: toValue(logoUrl),
      faviconUrl: toValue(faviconUrl),
      accentColor: toValue(accentColor),
      font: font === '' ? null : font,
    };
    void action.run({ branding: look });
  };
  return (
    <SettingsForm
      title={text('branding')}
      action={action}
      isReadOnly={!canChangeShared}
      members={MEMBERS}
      onSubmit={submit}
    >
      <div className={classes['branding']}>
        <div className={classes['fields']}>
          <ColorField
            color={accentColor}
            error={action.findViolation('branding.accentColor')}
            onChange={(color) => {
              action.touch();
              setAccentColor(color);
            }}
          />
          <Choice
            label={text('font')}
            value={font}
            options={FONTS.map((each) => [each, text(each === '' ? 'font_none' : `font_${each}`)])}
            onChange={setFont}
          />
          <TextField
            label={text('logoUrl')}
            inputMode="url"
            value={logoUrl}
            hint={text('logoUrlHint')}
            error={action.findViolation('branding.logoUrl')}
            onValueChange={setLogoUrl}
          />
          <TextField
            label={text('faviconUrl')}
            inputMode="url"
            value={faviconUrl}
            hint={text('faviconUrlHint')}
            error={action.findViolation('branding.faviconUrl')}
            onValueChange={setFaviconUrl}
          />
        </div>
        <BrandPreview
          look={{ tradingName, color: accentColor, font: font === '' ? null : font, hasLogo: logoUrl.trim() !== '' }}
        />
      </div>
    </SettingsForm>
  );
}

function toValue(entered: string): string | null {
  return entered.trim() === '' ? null : entered.trim();
}

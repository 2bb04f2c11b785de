import { SCHEME_NAMES } from '@pos/web-ui/format';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import type { AccountSettingsAnswer } from '../../client/answers.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import group from '../../components/choice-group.module.css';
import classes from './settings.module.css';
import { SettingsForm } from './SettingsForm.js';
import { useSettingChange } from './use-setting-change.js';

type Methods = AccountSettingsAnswer['supportedPaymentMethods'];
type CardScheme = Methods['cardSchemes'][number];
type Wallet = Methods['wallets'][number];

/** The names by which payers know them. */
const SCHEMES = Object.entries(SCHEME_NAMES) as [CardScheme, string][];
const WALLETS: readonly (readonly [Wallet, string])[] = [
  ['APPLE_PAY', 'Apple Pay'],
  ['GOOGLE_PAY', 'Google Pay'],
];
const MEMBERS = ['supportedPaymentMethods.cardSchemes', 'supportedPaymentMethods.wallets'] as const;

/** What the payment page accepts. */
export function PaymentMethodsForm({ methods, isReadOnly }: { methods: Methods; isReadOnly: boolean }): ReactNode {
  const text = useMessages(SETTING_MESSAGES);
  const action = useSettingChange();
  const [cardSchemes, setSchemes] = useState(methods.cardSchemes);
  const [wallets, setWallets] = useState(methods.wallets);
  return (
    <SettingsForm
      title={text('paymentMethods')}
      action={action}
      isReadOnly={isReadOnly}
      members={MEMBERS}
      onSubmit={() => void action.run({ supportedPaymentMethods: { cardSchemes, wallets } })}
    >
      <Choices
        legend={text('cardSchemes')}
        options={SCHEMES}
        chosen={cardSchemes}
        error={action.findViolation(MEMBERS[0])}
        onChange={setSchemes}
      />
      <Choices
        legend={text('wallets')}
        options={WALLETS}
        chosen={wallets}
        error={action.findViolation(MEMBERS[1])}
        onChange={setWallets}
      />
    </SettingsForm>
  );
}

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: readonly Value[];
  readonly error: ReactNode;
  readonly onChange: (chosen: Value[]) => void;
}

function Choices<Value extends string>({ legend, options, chosen, error, onChange }: ChoicesProps<Value>): ReactNode {
  return (
    <fieldset className={group['group']}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} className={classes['check']}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(
                options.flatMap(([each]) => ((each === value ? target.checked : chosen.includes(each)) ? [each] : [])),
              )
            }
          />
          {label}
        </label>
      ))}
      {error !== undefined && (
        <p role="alert" className={classes['error']}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

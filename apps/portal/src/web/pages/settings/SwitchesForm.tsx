import { type ReactNode, useState } from 'react';
import type { SettingChange } from '../../client/answers.js';
import { SettingsForm } from './SettingsForm.js';
import classes from './settings.module.css';
import { useSettingChange } from './use-setting-change.js';

export type SwitchRow<Name extends string> = readonly [name: Name, label: string, help: string];

interface SwitchesFormProps<Name extends string> {
  readonly title: string;
  readonly values: Readonly<Record<Name, boolean>>;
  readonly rows: readonly SwitchRow<Name>[];
  readonly isReadOnly: boolean;
  /** Only what was changed is sent: another administrator may have changed the rest. */
  readonly toChange: (changed: Partial<Record<Name, boolean>>) => SettingChange;
}

/** Settings that are on or off. */
export function SwitchesForm<Name extends string>(props: SwitchesFormProps<Name>): ReactNode {
  const { title, values, rows, isReadOnly, toChange } = props;
  const action = useSettingChange();
  const [changed, setChanged] = useState<Partial<Record<Name, boolean>>>({});
  const submit = async (): Promise<void> => {
    if (await action.run(toChange(changed))) setChanged({});
  };
  return (
    <SettingsForm title={title} action={action} isReadOnly={isReadOnly} members={[]} onSubmit={() => void submit()}>
      {rows.map(([name, label, help]) => (
        <label key={name} className={classes['check']}>
          <input
            type="checkbox"
            checked={changed[name] ?? values[name]}
            onChange={({ target }) => setChanged({ ...changed, [name]: target.checked })}
          />
          <span>
            {label} <span className={classes['help']}>{help}</span>
          </span>
        </label>
      ))}
    </SettingsForm>
  );
}

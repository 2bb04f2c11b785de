import type { ReactNode } from 'react';
import classes from './switch-list.module.css';

interface SwitchListProps<Name extends string> {
  readonly title: string;
  readonly switches: Readonly<Record<Name, boolean>>;
  readonly names: readonly Name[];
  readonly label: (name: Name) => string;
  readonly help: (name: Name) => string;
  readonly onChange: (to: Readonly<Record<Name, boolean>>) => void;
}

/** Switches that inject faults, in a panel. */
export function SwitchList<Name extends string>({ title, names, ...list }: SwitchListProps<Name>): ReactNode {
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{title}</h2>
      {names.map((name) => (
        <label key={name} className={classes['row']}>
          <input
            type="checkbox"
            role="switch"
            className={classes['switch']}
            checked={list.switches[name]}
            onChange={(event) => list.onChange({ ...list.switches, [name]: event.target.checked })}
          />
          <span>
            {list.label(name)} <span className={classes['note']}>{list.help(name)}</span>
          </span>
        </label>
      ))}
    </section>
  );
}

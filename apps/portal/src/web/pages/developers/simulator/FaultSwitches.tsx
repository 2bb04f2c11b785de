import type { ReactNode } from 'react';
import { Card } from '../../../components/Card.js';
import classes from './simulator.module.css';

interface FaultSwitchesProps<Name extends string> {
  readonly title: string;
  readonly isBusy: boolean;
  readonly switches: Readonly<Record<Name, boolean>>;
  readonly rows: readonly (readonly [name: Name, label: string, help: string])[];
  readonly onChange: (changed: Readonly<Record<Name, boolean>>) => void;
  readonly children: ReactNode;
}

/** The faults of one simulator, each with a switch. A change waits for the answer to the one before. */
export function FaultSwitches<Name extends string>(props: FaultSwitchesProps<Name>): ReactNode {
  const { title, isBusy, switches, rows, onChange, children } = props;
  return (
    <Card title={title}>
      {rows.map(([name, label, help]) => (
        <label key={name} className={classes['row']}>
          <input
            type="checkbox"
            role="switch"
            className={classes['switch']}
            checked={switches[name]}
            aria-busy={isBusy}
            onChange={({ target }) => {
              if (!isBusy) onChange({ ...switches, [name]: target.checked });
            }}
          />
          <span>
            {label} <span className={classes['help']}>{help}</span>
          </span>
        </label>
      ))}
      {children}
    </Card>
  );
}

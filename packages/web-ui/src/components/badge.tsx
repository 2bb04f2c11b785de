import type { ReactNode } from 'react';
import classes from '../../styles/badge.module.css';

/** What a state means for its reader: `positive` is done, `attention` needs a person, `progress` continues by itself. */
export type Tone = 'neutral' | 'positive' | 'negative' | 'attention' | 'progress';

/** A state in one or two words. The words carry the meaning; the colour only repeats it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return <span className={`${classes['badge']} ${classes[tone]}`}>{children}</span>;
}

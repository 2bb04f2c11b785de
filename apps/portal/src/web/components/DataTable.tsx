import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import classes from './data-table.module.css';

interface DataTableProps {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly { readonly name: string; readonly isNumber?: boolean }[];
  /** Whether the last column of each row has buttons. */
  readonly hasActions?: boolean;
  readonly children: ReactNode;
}

/** A dense table; on a narrow page it scrolls inside its frame. */
export function DataTable({ label, columns, hasActions = false, children }: DataTableProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <div className={classes['frame']} role="region" aria-label={label} tabIndex={0}>
      <table className={classes['table']}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false }) => (
              <th key={name} scope="col" className={isNumber ? classes['number'] : undefined}>
                {name}
              </th>
            ))}
            {hasActions && <th scope="col">{text('actions')}</th>}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A cell of a column of numbers: amounts stand under each other. */
export function NumberCell({ children }: { children: ReactNode }): ReactNode {
  return <td className={classes['number']}>{children}</td>;
}

import { Badge, Button, type Tone } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { DataTable } from '../../../components/DataTable.js';
import type { TerminalAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { ADMINISTERED_TERMINAL_MESSAGES } from './terminal-messages.js';
import type { TerminalChange } from './TerminalDialogs.js';

const TONES = {
  Available: 'positive',
  InUse: 'progress',
  Offline: 'neutral',
} as const satisfies Record<TerminalAnswer['status'], Tone>;

interface TerminalTableProps {
  readonly terminals: readonly TerminalAnswer[];
  readonly onChange: (change: TerminalChange) => void;
}

/** Terminals with their machines, and what an operator may do with each. */
export function TerminalTable({ terminals, onChange }: TerminalTableProps): ReactNode {
  const text = useMessages(ADMINISTERED_TERMINAL_MESSAGES);
  const language = useLanguage();
  const columns = (['name', 'tid', 'status', 'since', 'model', 'machine'] as const).map((name) => ({
    name: text(name),
  }));
  return (
    <DataTable label={text('terminals')} columns={columns} hasActions>
      {terminals.map((terminal) => {
        const { id, tid, name, model = '–', status, statusSince, machineSerialNumber } = terminal;
        return (
          <tr key={id}>
            <td>
              <span className={classes['owner']}>
                <span>{name}</span>
                <code className={classes['minor']}>{id}</code>
              </span>
            </td>
            <td>
              <code>{tid}</code>
            </td>
            <td>
              <Badge tone={TONES[status]}>{text(status)}</Badge>
            </td>
            <td>{formatMoment(statusSince, language)}</td>
            <td>{model}</td>
            <td>{machineSerialNumber ?? text('noMachine')}</td>
            <td>
              {(['replace', 'reset'] as const).map((kind) => (
                <Button
                  key={kind}
                  kind="quiet"
                  aria-label={text(`${kind}Of`, { name })}
                  onClick={() => onChange({ kind, terminal })}
                >
                  {text(kind)}
                </Button>
              ))}
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}

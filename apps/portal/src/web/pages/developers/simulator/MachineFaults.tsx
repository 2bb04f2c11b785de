import { Badge, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { switchSimulatedMachine } from '@pos/rest-contracts/portal';
import type { ReactNode } from 'react';
import type { SimulatorAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { SIMULATOR } from '../../../client/queries.js';
import { DataTable } from '../../../components/DataTable.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { SIMULATOR_MESSAGES } from './simulator-messages.js';
import classes from './simulator.module.css';

type Machine = SimulatorAnswer['machines'][number];

const FAULTS = ['none', 'unplugged', 'late', 'busy', 'losesReply'] as const satisfies readonly Machine['fault'][];

/** The simulated card machines, each with a fault that can be chosen. */
export function MachineFaults({ machines }: { machines: readonly Machine[] }): ReactNode {
  const text = useMessages(SIMULATOR_MESSAGES);
  const action = useAction(
    ({ tid, fault }: { tid: string; fault: Machine['fault'] }) =>
      callOperation(switchSimulatedMachine, { params: { tid }, body: { fault } }),
    { refreshes: [[SIMULATOR]] },
  );
  const columns = [text('machine'), text('fault'), text('connection')];
  return (
    <section>
      <h2 className={classes['title']}>{text('machines')}</h2>
      <ProblemNote problem={action.problem} />
      {machines.length === 0 ? (
        <EmptyState title={text('noMachinesTitle')}>{text('noMachinesText')}</EmptyState>
      ) : (
        <DataTable label={text('machines')} columns={columns.map((name) => ({ name }))}>
          {machines.map(({ tid, name, isConnected, fault }) => (
            <tr key={tid}>
              <td>
                {tid}
                <span className={classes['help']}>{name}</span>
              </td>
              <td>
                <select
                  className={classes['select']}
                  aria-label={text('faultOf', { tid })}
                  value={fault}
                  onChange={({ target }) => {
                    const chosen = FAULTS.find((each) => each === target.value);
                    if (chosen !== undefined) void action.run({ tid, fault: chosen });
                  }}
                >
                  {FAULTS.map((each) => (
                    <option key={each} value={each}>
                      {text(`machine_${each}`)}
                    </option>
                  ))}
                </select>
              </td>
              <td>
                <Badge tone={isConnected ? 'positive' : 'attention'}>{text(isConnected ? 'online' : 'offline')}</Badge>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

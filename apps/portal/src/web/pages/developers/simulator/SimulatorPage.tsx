import { EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { readSimulator, switchSimulatedAcquirer, switchSimulatedEpos } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SimulatorAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { SIMULATOR } from '../../../client/queries.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { useAction } from '../../../components/use-action.js';
import { FaultSwitches } from './FaultSwitches.js';
import { MachineFaults } from './MachineFaults.js';
import { SIMULATOR_MESSAGES } from './simulator-messages.js';
import classes from './simulator.module.css';

/** A machine that was unplugged connects again, and a lost reply ends its switch. */
const REFRESH_MS = 5_000;

/** Injects faults into the simulated acquirer, card machines and EPOS of a sandbox account. */
export function SimulatorPage(): ReactNode {
  const text = useMessages(SIMULATOR_MESSAGES);
  const query = useQuery({
    queryKey: [SIMULATOR],
    queryFn: ({ signal }) => callOperation(readSimulator, { signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')} />
      <QueryBoundary query={query} rows={6}>
        {(simulator) => <Simulators simulator={simulator} />}
      </QueryBoundary>
    </>
  );
}

function Simulators({ simulator: { state, acquirer, epos, machines } }: { simulator: SimulatorAnswer }): ReactNode {
  const text = useMessages(SIMULATOR_MESSAGES);
  if (state !== 'Available' || acquirer === undefined) {
    const isUnknown = state === 'AccountUnknown';
    return (
      <EmptyState title={text(isUnknown ? 'unknownTitle' : 'missingTitle')}>
        {text(isUnknown ? 'unknownText' : 'missingText')}
      </EmptyState>
    );
  }
  return (
    <div className={classes['page']}>
      <div className={classes['pair']}>
        <Acquirer switches={acquirer} />
        {epos !== undefined && <Epos switches={epos} />}
      </div>
      <MachineFaults machines={machines} />
    </div>
  );
}

type Acquirer = NonNullable<SimulatorAnswer['acquirer']>;
type Epos = NonNullable<SimulatorAnswer['epos']>;

function Acquirer({ switches }: { switches: Acquirer }): ReactNode {
  const text = useMessages(SIMULATOR_MESSAGES);
  const action = useAction((body: Acquirer) => callOperation(switchSimulatedAcquirer, { body }), {
    refreshes: [[SIMULATOR]],
  });
  return (
    <FaultSwitches
      title={text('acquirer')}
      isBusy={action.isBusy}
      switches={switches}
      rows={[
        ['declines', text('declines'), text('declinesHelp')],
        ['isSlow', text('slow'), text('acquirerSlowHelp')],
        ['isSilent', text('silent'), text('silentHelp')],
        ['losesReply', text('losesReply'), text('acquirerLosesReplyHelp')],
      ]}
      onChange={(changed) => void action.run(changed)}
    >
      <ProblemNote problem={action.problem} />
    </FaultSwitches>
  );
}

function Epos({ switches }: { switches: Epos }): ReactNode {
  const text = useMessages(SIMULATOR_MESSAGES);
  const action = useAction((body: Epos) => callOperation(switchSimulatedEpos, { body }), { refreshes: [[SIMULATOR]] });
  return (
    <FaultSwitches
      title={text('epos')}
      isBusy={action.isBusy}
      switches={switches}
      rows={[
        ['isDown', text('down'), text('downHelp')],
        ['isSlow', text('slow'), text('eposSlowHelp')],
        ['refuses', text('refuses'), text('refusesHelp')],
        ['losesReply', text('losesReply'), text('eposLosesReplyHelp')],
      ]}
      onChange={(changed) => void action.run(changed)}
    >
      <ProblemNote problem={action.problem} />
    </FaultSwitches>
  );
}

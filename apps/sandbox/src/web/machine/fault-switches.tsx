import type { ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type { MachineSwitches } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../messages/machine-messages.js';
import { SwitchList } from '../restaurant/switch-list.js';

const NAMES = ['isUnplugged', 'isSlow', 'isBusy', 'losesReply'] as const;

interface FaultSwitchesProps {
  readonly switches: MachineSwitches;
  readonly onChange: (to: MachineSwitches) => void;
}

/** The switches that make the machine fail. */
export function FaultSwitches({ switches, onChange }: FaultSwitchesProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  return (
    <SwitchList
      {...{ title: t('switches'), names: NAMES, switches, onChange }}
      label={(name) => t(name)}
      help={(name) => t(`${name}Help`)}
    />
  );
}

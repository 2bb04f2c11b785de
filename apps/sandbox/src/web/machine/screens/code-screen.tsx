import { useEffect, useState, type ReactNode } from 'react';
import { encode } from 'uqr';
import { useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import type { MachineClient } from '../state/machine-client.js';
import { Screen, ScreenButton } from './screen-parts.js';
import classes from './screen.module.css';
import code from './code-screen.module.css';

interface CodeScreenProps {
  readonly client: MachineClient;
  readonly sessionId: string;
  readonly onBack: () => void;
  readonly onError: (error: unknown) => void;
}

/** A code for the payers of a table, who pay on their own phones. */
export function CodeScreen({ client, sessionId, onBack, onError }: CodeScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const [address, setAddress] = useState<string | null>(null);
  useMachineKeys((key) => {
    if (key === 'cancel' || key === 'enter') onBack();
  });
  useEffect(() => {
    client.createTableLink(sessionId).then(({ path }) => setAddress(new URL(path, location.href).href), onError);
    // Each display of the screen has a code of its own.
  }, [client, sessionId]);
  return (
    <Screen title={t('codeTitle')} isCentred actions={<ScreenButton onPress={onBack}>{t('backStep')}</ScreenButton>}>
      {address === null ? (
        <p className={classes['note']}>{t('PleaseWait')}</p>
      ) : (
        <QrCode text={address} label={t('codeTitle')} />
      )}
      <p className={classes['note']}>{t('codeHelp')}</p>
      {address !== null && (
        <a className={code['link']} href={address} target="_blank" rel="noreferrer">
          {t('codeLink')}
        </a>
      )}
    </Screen>
  );
}

function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={code['code']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

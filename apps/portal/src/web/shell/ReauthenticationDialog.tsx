import { Button, ModalDialog, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import {
  OIDC_REAUTHENTICATION,
  OIDC_START_PATH,
  readSignInOptions,
  reauthenticate,
  createReauthenticationOptions,
  readSecondFactors,
} from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { offersPasskeysHere, signWithPasskey } from '../client/passkeys.js';
import { SECOND_FACTORS, SIGN_IN_OPTIONS } from '../client/queries.js';
import { FACTOR_MESSAGES } from './factor-messages.js';
import { FactorError } from './SecondFactorStep.js';
import { SHELL_MESSAGES } from './shell-messages.js';

export interface PasswordQuestion {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** The refusal of the service that needs the password. */
  readonly cause: unknown;
}

type Proof = SentBodyOf<typeof reauthenticate>;

const PROVIDER_CONFIRMATION = `${OIDC_START_PATH}?${OIDC_REAUTHENTICATION}`;

/**
 * Asks for the password again, or a second factor in its place: `resolve` when it is right, `reject` with the cause when
 * the user cancels.
 */
export function ReauthenticationDialog({
  question,
  onEnd,
}: {
  question: PasswordQuestion;
  onEnd: () => void;
}): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const ways = useWays();
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const cancel = (): void => {
    onEnd();
    question.reject(question.cause);
  };
  const confirm = async (createProof: () => Proof | Promise<Proof>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await callOperation(reauthenticate, { body: await createProof() });
      onEnd();
      question.resolve();
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error('unknown'));
      setBusy(false);
    }
  };
  return (
    <ModalDialog
      title={text(ways.password ? 'passwordAgainTitle' : 'confirmTitle')}
      isOpen
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>{text('cancel')}</Button>
          {(ways.password || ways.code) && (
            <Button kind="primary" type="submit" form="reauthentication" isBusy={isBusy}>
              {text('confirm')}
            </Button>
          )}
        </>
      }
    >
      {ways.password && <p>{text('passwordAgainText')}</p>}
      <OtherWays ways={ways} isBusy={isBusy} onPasskey={() => void confirm(signChallenge)} />
      <ProofForm ways={ways} error={error} onSubmit={(proof) => void confirm(() => proof)} />
    </ModalDialog>
  );
}

/** How the user can confirm. The password until the answers are there: it is the usual way. */
interface Ways {
  readonly password: boolean;
  readonly passkey: boolean;
  readonly code: boolean;
  readonly provider: boolean;
}

function useWays(): Ways {
  const { data: options } = useQuery({
    queryKey: [SIGN_IN_OPTIONS],
    queryFn: ({ signal }) => callOperation(readSignInOptions, { signal }),
  });
  const { data: factors } = useQuery({
    queryKey: [SECOND_FACTORS],
    queryFn: ({ signal }) => callOperation(readSecondFactors, { signal }),
  });
  const password = options?.acceptsPasswords !== false;
  return {
    password,
    passkey: offersPasskeysHere(factors) && factors !== undefined && factors.passkeys.length > 0,
    code: factors?.codesSince !== undefined,
    provider: !password && options.hasProvider,
  };
}

async function signChallenge(): Promise<Proof> {
  return { passkey: await signWithPasskey(await callOperation(createReauthenticationOptions, {})) };
}

interface OtherWaysProps {
  readonly ways: Ways;
  readonly isBusy: boolean;
  readonly onPasskey: () => void;
}

function OtherWays({ ways, isBusy, onPasskey }: OtherWaysProps): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  return (
    <>
      {ways.passkey && (
        <p>
          <Button isBusy={isBusy} onClick={onPasskey}>
            {text('usePasskey')}
          </Button>
        </p>
      )}
      {ways.provider && (
        <p>
          <a href={PROVIDER_CONFIRMATION}>{text('confirmByProvider')}</a>
        </p>
      )}
    </>
  );
}

interface ProofFormProps {
  readonly ways: Ways;
  readonly error: Error | null;
  readonly onSubmit: (proof: Proof) => void;
}

/** The password, or a one-time code in its place. */
function ProofForm({ ways, error, onSubmit }: ProofFormProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const factor = useMessages(FACTOR_MESSAGES);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const reason = error instanceof RequestProblem ? error.problem.reason : '';
  const isOfPassword = ways.password && code === '' && reason !== 'second_factor_refused';
  const message = text(reason === 'rate_limited' ? 'tooMany' : 'signInRefused');
  return (
    <form
      id="reauthentication"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(ways.code && code !== '' ? { code: code.replaceAll(/\s/g, '') } : { password });
      }}
    >
      {!isOfPassword && <FactorError error={error} />}
      {ways.password && (
        <TextField
          label={text('password')}
          type="password"
          autoComplete="current-password"
          value={password}
          error={error !== null && isOfPassword ? message : undefined}
          onValueChange={setPassword}
        />
      )}
      {ways.code && (
        <TextField
          label={factor('code')}
          hint={factor('codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onValueChange={setCode}
        />
      )}
    </form>
  );
}

import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import {
  readSignInOptions,
  signIn,
  readSignInStep,
  OIDC_START_PATH,
  SIGN_IN_PROBLEM,
  SIGN_IN_SECOND_FACTOR,
  type SignInProblem,
} from '@pos/rest-contracts/portal';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { offersPasskeysHere } from '../client/passkeys.js';
import { SESSION, SIGN_IN_OPTIONS } from '../client/queries.js';
import type { StepMethods } from './SecondFactorStep.js';
import classes from './sign-in.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';

// Most users without a second factor never see them.
const LoadedStep = lazy(async () => ({ default: (await import('./SecondFactorStep.js')).SecondFactorStep }));
const LoadedPasskey = lazy(async () => ({ default: (await import('./PasskeySignIn.js')).PasskeySignIn }));

/** The sign-in: the password or another first step, and then the second factor of users who have one. */
export function SignInPage(): ReactNode {
  const [methods, setMethods] = useState<StepMethods | null>(null);
  const [isRestarted, setRestarted] = useState(false);
  // The provider has led back here, and the cookie names the sign-in.
  const waiting = useQuery({
    queryKey: [SIGN_IN_OPTIONS, SIGN_IN_SECOND_FACTOR],
    queryFn: ({ signal }) => callOperation(readSignInStep, { signal }),
    enabled: readProblem() === SIGN_IN_SECOND_FACTOR && !isRestarted,
    retry: false,
  });
  const open = methods ?? (isRestarted ? undefined : waiting.data?.secondFactor);
  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <span className={classes['brand']} aria-hidden="true" />
        {open === undefined ? (
          <FirstStep onSecondFactor={setMethods} />
        ) : (
          <Suspense fallback={null}>
            <LoadedStep
              methods={open}
              onRestart={() => {
                setMethods(null);
                setRestarted(true);
              }}
            />
          </Suspense>
        )}
      </div>
    </main>
  );
}

function FirstStep({ onSecondFactor }: { onSecondFactor: (methods: StepMethods) => void }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const { data: options } = useQuery({
    queryKey: [SIGN_IN_OPTIONS],
    queryFn: ({ signal }) => callOperation(readSignInOptions, { signal }),
  });
  const [error, setError] = useState<Error | null>(null);
  const message = findMessage(error);
  return (
    <>
      <h1 className={classes['title']}>{text('signInTitle')}</h1>
      {message !== null && (
        <p className={classes['error']} role="alert">
          {text(message)}
        </p>
      )}
      {options?.acceptsPasswords !== false && <PasswordForm onSecondFactor={onSecondFactor} onError={setError} />}
      {(options?.hasProvider === true || offersPasskeysHere(options)) && options?.acceptsPasswords === true && (
        <span className={classes['or']}>{text('or')}</span>
      )}
      {options?.hasProvider === true && (
        <a className={classes['provider']} href={OIDC_START_PATH}>
          {text('signInByProvider')}
        </a>
      )}
      {offersPasskeysHere(options) && (
        <Suspense fallback={null}>
          <LoadedPasskey />
        </Suspense>
      )}
    </>
  );
}

interface PasswordFormProps {
  readonly onSecondFactor: (methods: StepMethods) => void;
  readonly onError: (error: Error | null) => void;
}

function PasswordForm({ onSecondFactor, onError }: PasswordFormProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signingIn = useMutation({
    mutationFn: () => callOperation(signIn, { body: { email, password } }),
    onMutate: () => onError(null),
    onSuccess: (answer) => {
      if ('secondFactor' in answer) onSecondFactor(answer.secondFactor);
      else client.setQueryData([SESSION], answer);
    },
    onError: (error) => {
      setPassword('');
      onError(error);
    },
  });
  return (
    <form
      className={classes['step']}
      onSubmit={(event) => {
        event.preventDefault();
        signingIn.mutate();
      }}
    >
      <TextField
        label={text('email')}
        type="email"
        autoComplete="username"
        required
        value={email}
        onValueChange={setEmail}
      />
      <TextField
        label={text('password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onValueChange={setPassword}
      />
      <Button kind="primary" size="large" type="submit" isBusy={signingIn.isPending}>
        {text('signIn')}
      </Button>
    </form>
  );
}

type Message = 'signInRefused' | 'tooMany' | 'unreachable' | 'providerFailed' | 'providerRefused';

const PROVIDER_MESSAGES: Readonly<Record<SignInProblem, Message>> = {
  failed: 'providerFailed',
  notAllowed: 'providerRefused',
  tooMany: 'tooMany',
};

function readProblem(): string | null {
  return new URLSearchParams(window.location.search).get(SIGN_IN_PROBLEM);
}

/** What the last attempt ended with: the one on this page, or the one that the provider led back from. */
function findMessage(error: Error | null): Message | null {
  if (error !== null) return chooseMessage(error);
  const problem = readProblem();
  return problem !== null && Object.hasOwn(PROVIDER_MESSAGES, problem)
    ? PROVIDER_MESSAGES[problem as SignInProblem]
    : null;
}

function chooseMessage(error: Error): Message {
  if (!(error instanceof RequestProblem)) return 'unreachable';
  const { reason } = error.problem;
  if (reason === 'rate_limited') return 'tooMany';
  return reason === 'sign_in_refused' || reason === 'validation_failed' ? 'signInRefused' : 'unreachable';
}

import { Button } from '@pos/web-ui/components/button';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import type { OIDC_START_PATH, SIGN_IN_PROBLEM, SignInProblem } from '@pos/rest-contracts/portal/portal-session';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { readSignInOptions, signIn } from '../client/endpoints.js';
import { SESSION, SIGN_IN_OPTIONS } from '../client/queries.js';
import classes from './sign-in.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';

// Copies, because the module of the contract has schemas, which stay out of the page.
const PROVIDER_START: typeof OIDC_START_PATH = '/portal/oidc/start';
const PROBLEM_MEMBER: typeof SIGN_IN_PROBLEM = 'signIn';

export function SignInPage(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signingIn = useMutation({
    mutationFn: () => callOperation(signIn, { body: { email, password } }),
    onSuccess: (session) => client.setQueryData([SESSION], session),
    onError: () => setPassword(''),
  });
  const message = findMessage(signingIn.error);
  return (
    <main className={classes['page']}>
      <form
        className={classes['card']}
        onSubmit={(event) => {
          event.preventDefault();
          signingIn.mutate();
        }}
      >
        <span className={classes['brand']} aria-hidden="true" />
        <h1 className={classes['title']}>{text('signInTitle')}</h1>
        {message !== null && (
          <p className={classes['error']} role="alert">
            {text(message)}
          </p>
        )}
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
        <ProviderLink />
      </form>
    </main>
  );
}

/** Leads to the identity provider of the operator, where there is one. It is a page of its own, so no request. */
function ProviderLink(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const { data } = useQuery({
    queryKey: [SIGN_IN_OPTIONS],
    queryFn: ({ signal }) => callOperation(readSignInOptions, { signal }),
  });
  if (data?.hasProvider !== true) return null;
  return (
    <>
      <span className={classes['or']}>{text('or')}</span>
      <a className={classes['provider']} href={PROVIDER_START}>
        {text('signInByProvider')}
      </a>
    </>
  );
}

type Message = 'signInRefused' | 'tooMany' | 'unreachable' | 'providerFailed' | 'providerRefused';

const PROVIDER_MESSAGES: Readonly<Record<SignInProblem, Message>> = {
  failed: 'providerFailed',
  notAllowed: 'providerRefused',
  tooMany: 'tooMany',
};

/** What the last attempt ended with: the one on this page, or the one that the provider led back from. */
function findMessage(error: Error | null): Message | null {
  if (error !== null) return chooseMessage(error);
  const problem = new URLSearchParams(window.location.search).get(PROBLEM_MEMBER);
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

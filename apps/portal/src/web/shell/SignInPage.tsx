import { Button } from '@pos/web-ui/components/button';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { signIn } from '../client/endpoints.js';
import { SESSION } from '../client/queries.js';
import classes from './sign-in.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';

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
  const message = signingIn.error === null ? null : text(chooseMessage(signingIn.error));
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
            {message}
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
      </form>
    </main>
  );
}

function chooseMessage(error: Error): 'signInRefused' | 'tooMany' | 'unreachable' {
  if (!(error instanceof RequestProblem)) return 'unreachable';
  const { reason } = error.problem;
  if (reason === 'rate_limited') return 'tooMany';
  return reason === 'sign_in_refused' || reason === 'validation_failed' ? 'signInRefused' : 'unreachable';
}

import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { usePermission } from '../../client/session-query.js';
import { Card } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { SETUP_MESSAGES } from './setup-messages.js';
import { SetupIntentForm } from './SetupIntentForm.js';
import { type CreatedSetup, SetupLink } from './SetupLink.js';
import classes from './setup-intents.module.css';

/** Creates requests to store a card, and opens one by its id: the service has no list of them. */
export function SetupIntentsPage(): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const mayCreate = usePermission('setup.write');
  const [created, setCreated] = useState<CreatedSetup | null>(null);
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')} />
      <div className={classes['parts']}>
        {mayCreate && created === null && <SetupIntentForm onCreated={setCreated} />}
        {created !== null && (
          <Card title={text('createdTitle')}>
            <SetupLink {...created} showsPage />
            <Button kind="quiet" onClick={() => setCreated(null)}>
              {text('another')}
            </Button>
          </Card>
        )}
        <Finder />
      </div>
    </>
  );
}

function Finder(): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const navigate = useNavigate();
  const [id, setId] = useState('');
  return (
    <Card title={text('findTitle')}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: '/setup-intents/$id', params: { id: id.trim() } });
        }}
      >
        <TextField label={text('id')} hint={text('idHint')} required value={id} onValueChange={setId} />
        <div>
          <Button type="submit">{text('find')}</Button>
        </div>
      </form>
    </Card>
  );
}

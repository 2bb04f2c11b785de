import { Button, EmptyState, ModalDialog } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { deleteApiKey, listApiKeys } from '@pos/rest-contracts/accounts';
import type { KeyAnswer } from '../../client/answers.js';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { API_KEYS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { HeldPermissions } from '../../components/api-keys/HeldPermissions.js';
import { KEY_STRICTNESS_MESSAGES } from '../../components/api-keys/key-strictness-messages.js';
import { PageHeader } from '../../components/PageHeader.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { useAction } from '../../components/use-action.js';
import { CreateKeyDialog } from './CreateKeyDialog.js';
import { DEVELOPER_MESSAGES } from './developer-messages.js';
import { KeyStrictnessDialog } from './KeyStrictnessDialog.js';

/** The API keys of the account and environment. */
export function ApiKeysPage(): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const strictness = useMessages(KEY_STRICTNESS_MESSAGES);
  const language = useLanguage();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<KeyAnswer | null>(null);
  const [changing, setChanging] = useState<KeyAnswer | null>(null);
  const query = useQuery({
    queryKey: [API_KEYS],
    queryFn: ({ signal }) => callOperation(listApiKeys, { signal }),
  });
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {text('createKey')}
    </Button>
  );
  const columns = [
    ...[text('label'), text('permissions'), strictness('unknownMembers')],
    ...[text('key'), text('created'), text('lastUsed')],
  ].map((name) => ({ name }));
  return (
    <>
      <PageHeader title={text('apiKeys')}>{create}</PageHeader>
      <QueryBoundary query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState title={text('noKeysTitle')} action={create}>
              {text('noKeysText')}
            </EmptyState>
          ) : (
            <DataTable label={text('apiKeys')} columns={columns} hasActions>
              {keys.map((key) => (
                <tr key={key.id}>
                  <td>{key.label}</td>
                  <td>
                    <HeldPermissions permissions={key.permissions} />
                  </td>
                  <td>{strictness(key.strict ? 'strict' : 'lenient')}</td>
                  <td>
                    <code>
                      {key.prefix}…{key.last4}
                    </code>
                  </td>
                  <td>{formatMoment(key.createdAt, language)}</td>
                  <td>{key.lastUsedAt === undefined ? text('never') : formatMoment(key.lastUsedAt, language)}</td>
                  <td>
                    <Button
                      kind="quiet"
                      aria-label={strictness(key.strict ? 'makeLenientOf' : 'makeStrictOf', { label: key.label })}
                      onClick={() => setChanging(key)}
                    >
                      {strictness(key.strict ? 'makeLenient' : 'makeStrict')}
                    </Button>
                    <Button kind="quiet" aria-label={`${text('revoke')} ${key.label}`} onClick={() => setRevoking(key)}>
                      {text('revoke')}
                    </Button>
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryBoundary>
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {changing !== null && <KeyStrictnessDialog apiKey={changing} onClose={() => setChanging(null)} />}
      {revoking !== null && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: KeyAnswer; onClose: () => void }): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const action = useAction(
    (keyId: string, idempotencyKey) => callOperation(deleteApiKey, { params: { keyId }, idempotencyKey }),
    { refreshes: [[API_KEYS]], onDone: onClose },
  );
  return (
    <ModalDialog
      title={text('revokeTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(apiKey.id)}>
            {text('revoke')}
          </Button>
        </>
      }
    >
      <p>{text('revokeText', { label: apiKey.label })}</p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}

import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { ReferenceOperation } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceFile, useReferenceIndex } from '../data/reference-queries.js';
import { TryIt } from '../try-it/TryIt.js';
import { UnknownPage } from '../parts/UnknownPage.js';
import { useAddressMember } from '../data/use-address-member.js';
import { MethodName } from '../parts/MethodName.js';
import { Answers, Body, Parameters, Problems, RelatedGuides } from './OperationParts.js';
import classes from './operation-page.module.css';
import { PlainText } from '../parts/PlainText.js';
import { Samples } from './Samples.js';

/** One operation of the release: what it reads and answers, its examples as samples, and a form that sends it. */
export function OperationPage(): ReactNode {
  const id = useAddressMember('operationId');
  const { operations } = useReferenceIndex();
  const entry = operations.find((operation) => operation.id === id) ?? null;
  const query = useReferenceFile<ReferenceOperation>(entry?.file ?? null);
  if (entry === null) return <UnknownPage />;
  // The examples and the form belong to one operation.
  return <QueryBoundary query={query}>{(operation) => <OperationView key={id} operation={operation} />}</QueryBoundary>;
}

function OperationView({ operation }: { operation: ReferenceOperation }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const { method, path, summary, description, schemas, examples } = operation;
  const [chosen, setChosen] = useState(examples[0] ?? null);
  return (
    <article className={classes['operation']}>
      <div lang="en">
        <PageHeader title={summary} />
      </div>
      <p className={classes['address']}>
        <MethodName method={method} /> <code>{path}</code>
      </p>
      <div className={classes['opening']}>
        {description !== '' && <PlainText text={removePermission(description)} />}
        <p className={classes['caller']}>{useCaller(operation)}</p>
      </div>
      <div className={classes['columns']}>
        <div className={classes['facts']}>
          <Parameters parameters={operation.parameters} schemas={schemas} />
          <Body body={operation.body} schemas={schemas} />
          <Answers answers={operation.answers} schemas={schemas} />
          <Problems problems={operation.problems} />
          <RelatedGuides guides={operation.guides} />
        </div>
        <div className={classes['samples']}>
          {chosen === null ? (
            <p className={classes['caller']}>{text('noExample')}</p>
          ) : (
            <Samples {...{ operation, chosen, onChoose: setChosen }} />
          )}
          <TryIt key={chosen?.name} operation={operation} example={chosen} />
        </div>
      </div>
    </article>
  );
}

/** The document says it in English at the end of the description; the page says it in the reader's language. */
function removePermission(description: string): string {
  return description.replace(/(?:\n\n)?Needs (?:the permission `[\w.]+`|every permission of the role `full`)\.$/, '');
}

function useCaller({ server, permission }: ReferenceOperation): string {
  const text = useMessages(REFERENCE_MESSAGES);
  if (server === 'epos') return text('ofEpos');
  const servedBy = server === 'card-vault' ? text('ofVault') : server === 'epos-tester' ? text('ofTester') : '';
  const needed =
    permission === null
      ? text('ofPayer')
      : permission === 'any'
        ? text('anyKey')
        : text('needsPermission', { permission });
  return `${servedBy} ${needed}`.trim();
}

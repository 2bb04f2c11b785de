import { Badge } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import type { ReferenceOperation } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceIndex } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import classes from './operation-page.module.css';
import { Member, SchemaMembers } from './SchemaMembers.js';
import memberClasses from './schema-members.module.css';
import type { Schemas } from './schema-text.js';

const PLACES = { path: 'inPath', query: 'inQuery', header: 'inHeader' } as const;

interface ParametersProps {
  readonly parameters: ReferenceOperation['parameters'];
  readonly schemas: Schemas;
  /** Where it is not the list of an operation. */
  readonly title?: string;
}

/** What is sent in the address and the headers. */
export function Parameters({ parameters, schemas, title }: ParametersProps): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  if (parameters.length === 0) return null;
  return (
    <section>
      <h2>{title ?? text('parameters')}</h2>
      <ul className={memberClasses['members']}>
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <Member
            key={`${place} ${name}`}
            {...{ name, schema, schemas, description, isRequired: required, place: text(PLACES[place]) }}
          />
        ))}
      </ul>
    </section>
  );
}

export function Body({ body, schemas }: { body: ReferenceOperation['body']; schemas: Schemas }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  if (body === null) return null;
  return (
    <section>
      <h2>{text('body')}</h2>
      {!body.isRequired && <p className={classes['caller']}>{text('bodyOptional')}</p>}
      <SchemaMembers schema={body.schema} schemas={schemas} />
    </section>
  );
}

export function Answers({ answers, schemas }: Pick<ReferenceOperation, 'answers' | 'schemas'>): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  return (
    <section>
      <h2>{text('answers')}</h2>
      {answers.map(({ status, description, schema }) => (
        <details key={status} className={classes['answer']} open={status.startsWith('2')}>
          <summary>
            <Badge tone={status.startsWith('2') ? 'positive' : 'attention'}>{status}</Badge>{' '}
            <span lang="en">{description}</span>
          </summary>
          {schema === null ? (
            <p className={classes['caller']}>{text('noBody')}</p>
          ) : (
            <SchemaMembers schema={schema} schemas={schemas} />
          )}
        </details>
      ))}
    </section>
  );
}

/** Every problem by its status, with the reasons that a program decides by. */
export function Problems({ problems }: Pick<ReferenceOperation, 'problems'>): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  if (problems.length === 0) return null;
  return (
    <section>
      <h2>{text('problems')}</h2>
      <p className={classes['caller']}>{text('problemsText')}</p>
      <dl className={classes['problems']}>
        {problems.map(({ status, title, reasons }) => (
          <div key={status}>
            <dt>
              {status} <span lang="en">{title}</span>
            </dt>
            <dd>
              {reasons.map((reason) => (
                <ReferenceLink key={reason} to={`/reference/errors/${reason}`}>
                  <code>{reason}</code>
                </ReferenceLink>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function RelatedGuides({ guides }: Pick<ReferenceOperation, 'guides'>): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const index = useReferenceIndex();
  const related = index.guides.filter(({ id }) => guides.includes(id));
  if (related.length === 0) return null;
  return (
    <section>
      <h2>{text('relatedGuides')}</h2>
      <ul>
        {related.map(({ id, title }) => (
          <li key={id}>
            <ReferenceLink to={`/reference/guides/${id}`}>
              <span lang="en">{title}</span>
            </ReferenceLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

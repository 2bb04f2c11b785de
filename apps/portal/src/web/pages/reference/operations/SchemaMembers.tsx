import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import type { Schema } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { PlainText } from '../parts/PlainText.js';
import { describeType, listConstraints, listParts, type Schemas } from './schema-text.js';
import classes from './schema-members.module.css';

interface SchemaMembersProps {
  readonly schema: Schema;
  readonly schemas: Schemas;
}

/** The members of a shape, or of each variant of it. */
export function SchemaMembers({ schema, schemas }: SchemaMembersProps): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const parts = listParts(schema, schemas);
  if (parts.length === 0) {
    return (
      <p className={classes['type']}>
        <code>{describeType(schema, schemas, text)}</code>
      </p>
    );
  }
  return parts.map(({ name, shape }, at) => (
    <div key={at}>
      {parts.length > 1 && <p className={classes['variant']}>{name ?? text('variant', { number: String(at + 1) })}</p>}
      <ul className={classes['members']}>
        {Object.entries(shape.properties ?? {}).map(([member, own]) => (
          <Member
            key={member}
            {...{ name: member, schema: own, schemas, isRequired: shape.required?.includes(member) ?? false }}
          />
        ))}
      </ul>
    </div>
  ));
}

interface MemberProps extends SchemaMembersProps {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  /** Where a parameter is sent. */
  readonly place?: string;
}

/** A member or parameter: its name, its type, what it means and what it must be. */
export function Member({ name, schema, schemas, isRequired, description, place }: MemberProps): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const said = description ?? schema.description;
  const type = describeType(schema, schemas, text);
  const constraints = listConstraints(schema, schemas, text);
  return (
    <li className={classes['member']}>
      <div className={classes['head']}>
        <code className={classes['name']}>{name}</code>
        <span lang="en" className={classes['kind']}>
          {type}
        </span>
        {place !== undefined && <span className={classes['kind']}>{place}</span>}
        {isRequired && <span className={classes['required']}>{text('required')}</span>}
      </div>
      {said !== undefined && <PlainText text={said} className={classes['description']} />}
      {constraints.length > 0 && (
        <p className={classes['constraints']}>
          {constraints.map(([label, value]) => (
            <span key={`${label}${value}`}>
              {label === '' ? value : label} {label !== '' && <code>{value}</code>}
            </span>
          ))}
        </p>
      )}
      <Parts {...{ schema, schemas, type }} />
    </li>
  );
}

/** The members of a member. They are rendered when they are unfolded, because a shape may contain itself. */
function Parts({ schema, schemas, type }: SchemaMembersProps & { readonly type: string }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const [isOpen, setOpen] = useState(false);
  if (listParts(schema, schemas).length === 0) return null;
  return (
    <details className={classes['parts']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text('members', { type })}</summary>
      {isOpen && <SchemaMembers schema={schema} schemas={schemas} />}
    </details>
  );
}

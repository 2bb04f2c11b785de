import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useReferenceIndex } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import { PlainText } from '../parts/PlainText.js';
import classes from './errors.module.css';

/** Every reason of a problem. */
export function ErrorsPage(): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const { errors } = useReferenceIndex();
  const columns = [text('error'), text('status'), text('meaning')].map((name) => ({ name }));
  return (
    <>
      <PageHeader title={text('errors')} />
      <DataTable label={text('errors')} columns={columns}>
        {errors.map(({ reason, status, meaning }) => (
          <tr key={reason}>
            <td>
              <ReferenceLink to={`/reference/errors/${reason}`}>
                <code>{reason}</code>
              </ReferenceLink>
            </td>
            <td>{status}</td>
            <td className={classes['meaning']}>
              <PlainText text={meaning} />
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { MethodName } from '../parts/MethodName.js';
import type { GuideSection, OperationEntry, ReferenceIndex } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { isNewest } from '../data/reference-queries.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import { ReferenceSearch } from './ReferenceSearch.js';
import classes from './reference-navigation.module.css';

const SECTIONS: readonly GuideSection[] = ['start', 'payments', 'restaurant', 'tools', 'lists'];

/** The search, the release and the contents. On a narrow page the contents are folded. */
export function ReferenceNavigation({ index }: { index: ReferenceIndex }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  return (
    <section className={classes['side']} aria-label={text('reference')}>
      <div className={classes['tools']}>
        <ReferenceSearch index={index} />
        <ReleaseChoice index={index} />
        <div className={classes['toggle']}>
          <Button aria-expanded={isOpen} aria-controls="contents" onClick={() => setOpen(!isOpen)}>
            {text('contents')}
          </Button>
        </div>
      </div>
      <nav
        id="contents"
        aria-label={text('contents')}
        className={`${classes['contents']} ${isOpen ? classes['open'] : ''}`}
        // Scrolls by itself, also with the keyboard.
        tabIndex={0}
      >
        {SECTIONS.map((section) => (
          <Group key={section} title={text(section)} isOpen={isShown(index, section, path)}>
            {index.guides
              .filter((guide) => guide.section === section)
              .map(({ id, title }) => (
                <Item key={id} to={`/reference/guides/${id}`}>
                  <span lang="en">{title}</span>
                </Item>
              ))}
            {section === 'lists' && <Item to="/reference/errors">{text('errors')}</Item>}
          </Group>
        ))}
        {groupByTag(index.operations).map(([tag, operations]) => (
          <Group key={tag} title={tag} isOpen={operations.some(({ id }) => path.endsWith(`/operations/${id}`))}>
            {operations.map(({ id, method, summary }) => (
              <Item key={id} to={`/reference/operations/${id}`}>
                <span lang="en">{summary}</span>
                <MethodName method={method} />
              </Item>
            ))}
          </Group>
        ))}
        <Group title={text('events')} isOpen={path.startsWith('/reference/events')}>
          {index.events.map(({ kind }) => (
            <Item key={kind} to={`/reference/events/${kind}`}>
              {kind}
            </Item>
          ))}
        </Group>
      </nav>
    </section>
  );
}

function isShown({ guides }: ReferenceIndex, section: GuideSection, path: string): boolean {
  if (section === 'start' && !path.slice('/reference/'.length).includes('/')) return true;
  return guides.some((guide) => guide.section === section && path === `/reference/guides/${guide.id}`);
}

function groupByTag(operations: readonly OperationEntry[]): [string, OperationEntry[]][] {
  const groups = new Map<string, OperationEntry[]>();
  for (const operation of operations) groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  return [...groups];
}

/** Open while its page is shown; the reader may open others. Folded links are not rendered: there are hundreds. */
function Group({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }): ReactNode {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setUnfolded(true);
  }, [isOpen]);
  return (
    <details className={classes['group']} open={isUnfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isUnfolded && <ul>{children}</ul>}
    </details>
  );
}

function Item({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <li>
      <ReferenceLink to={to} className={classes['link']}>
        {children}
      </ReferenceLink>
    </li>
  );
}

function ReleaseChoice({ index }: { index: ReferenceIndex }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const navigate = useNavigate();
  return (
    <label className={classes['release']}>
      <span>{text('release')}</span>
      <select
        value={index.release}
        onChange={({ target }) => {
          const search = isNewest(target.value) ? {} : { release: target.value };
          void navigate({ to: '.', search });
        }}
      >
        {index.releases.map((release) => (
          <option key={release} value={release}>
            {isNewest(release) ? text('newest', { release }) : release}
          </option>
        ))}
      </select>
    </label>
  );
}

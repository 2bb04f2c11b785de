import { useMessages } from '@pos/web-ui/messages';
import { createElement, type ReactNode } from 'react';
import { CodeBlock } from '../parts/CodeBlock.js';
import type { MarkdownElement, MarkdownNode } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import classes from './markdown.module.css';

/** The elements of a guide. The tags are those of the build, which knows no other. */
export function Markdown({ nodes }: { nodes: readonly MarkdownNode[] }): ReactNode {
  return nodes.map((node, at) => (typeof node === 'string' ? node : <MarkdownPart key={at} element={node} />));
}

function MarkdownPart({ element }: { element: MarkdownElement }): ReactNode {
  const { tag, children, id, to, language, start } = element;
  if (tag === 'pre')
    return <Code code={children.filter((child) => typeof child === 'string').join('')} language={language ?? ''} />;
  if (tag === 'a' && to !== undefined) {
    return (
      <ReferenceLink to={to}>
        <Markdown nodes={children} />
      </ReferenceLink>
    );
  }
  if (tag === 'br' || tag === 'hr') return createElement(tag);
  const attributes = { ...(id !== undefined && { id }), ...(start !== undefined && { start }) };
  const own = createElement(tag, attributes, <Markdown nodes={children} />);
  return tag === 'table' ? <WideTable>{own}</WideTable> : own;
}

/** On a narrow page a table scrolls inside its frame, also with the keyboard. */
function WideTable({ children }: { children: ReactNode }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  return (
    <div className={classes['table']} role="group" aria-label={text('table')} tabIndex={0}>
      {children}
    </div>
  );
}

/** Diagrams are shown as their text, folded: drawing one would need a library larger than the portal. */
function Code({ code, language }: { code: string; language: string }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  if (language !== 'mermaid') return <CodeBlock code={code} />;
  return (
    <details>
      <summary>{text('diagram')}</summary>
      <CodeBlock code={code} label={text('diagram')} />
    </details>
  );
}

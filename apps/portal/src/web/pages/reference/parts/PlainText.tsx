import type { ReactNode } from 'react';

/** A description of the contract: paragraphs, and code in backticks. It is in English on every page. */
export function PlainText({ text, className }: { text: string; className?: string | undefined }): ReactNode {
  return text.split('\n\n').map((paragraph, at) => (
    <p key={at} lang="en" className={className}>
      {paragraph.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
    </p>
  ));
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ReferenceLinkProps {
  /** `/reference/guides/go-live#monitor`, or an address of another site. */
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A link inside the reference, which keeps the release of the reader, or to another site. */
export function ReferenceLink({ to, className, children }: ReferenceLinkProps): ReactNode {
  if (!to.startsWith('/')) {
    return (
      <a href={to} className={className} rel="noreferrer">
        {children}
      </a>
    );
  }
  const [path = '', hash] = to.split('#', 2);
  return (
    <Link
      to={path}
      {...(hash !== undefined && { hash })}
      search={(previous: object) => previous}
      className={className ?? ''}
      activeOptions={{ exact: true, includeSearch: false }}
    >
      {children}
    </Link>
  );
}

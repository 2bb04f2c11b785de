import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './back-link.module.css';

/** Leads from the page of one thing to the list of all. */
export function BackLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <Link to={to} className={classes['back'] ?? ''}>
      ← {children}
    </Link>
  );
}

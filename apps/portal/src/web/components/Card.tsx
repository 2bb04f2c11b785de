import type { ReactNode } from 'react';
import classes from './card.module.css';

/** A titled part of a page. */
export function Card({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className={classes['card']}>
      <h2 className={classes['title']}>{title}</h2>
      {children}
    </section>
  );
}

/** Names and values, as a list that screen readers read in pairs. A name may occur twice, as with two addresses. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className={classes['facts']}>
      {facts.map(([name, value], place) => (
        <div key={place} className={classes['fact']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

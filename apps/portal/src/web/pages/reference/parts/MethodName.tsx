import type { ReactNode } from 'react';
import classes from './method-name.module.css';

/** The method of an operation. Its colour repeats what the word says. */
export function MethodName({ method }: { method: string }): ReactNode {
  return <code className={`${classes['method']} ${classes[method.toLowerCase()] ?? ''}`}>{method}</code>;
}

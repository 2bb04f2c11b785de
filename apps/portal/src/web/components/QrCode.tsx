import type { ReactNode } from 'react';
import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** A QR code. Always black on white, with its quiet zone: readers need that contrast in a dark theme, too. */
export function QrCode({ content, label }: { content: string; label: string }): ReactNode {
  const { data, size } = encode(content, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={classes['code']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" shapeRendering="crispEdges" />
    </svg>
  );
}

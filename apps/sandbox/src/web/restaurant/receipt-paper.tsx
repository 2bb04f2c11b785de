import type { ReactNode } from 'react';
import type { ReceiptView } from '@pos/rest-contracts/sandbox';
import paper from './receipt-paper.module.css';

/** A receipt as the service prints it. A long one is scrolled, also by keys. */
export function ReceiptPaper({ receipt, label }: { receipt: ReceiptView; label: string }): ReactNode {
  return (
    <div className={paper['paper']} tabIndex={0} role="document" aria-label={label}>
      {receipt.lines.map((line, index) => (
        // Lines repeat, and never move.
        <ReceiptLine key={index} line={line} />
      ))}
    </div>
  );
}

function ReceiptLine({ line }: { line: ReceiptView['lines'][number] }): ReactNode {
  if (line.kind === 'rule') return <hr className={paper['rule']} />;
  if (line.kind === 'space') return <div className={paper['space']} />;
  const size = line.isLarge === true ? paper['big'] : '';
  const weight = line.isBold === true ? paper['bold'] : '';
  return <p className={`${paper['text']} ${paper[line.align ?? 'left']} ${size} ${weight}`}>{line.text}</p>;
}

import { useMessages } from '@pos/web-ui/messages';
import {
  createSampleRequest,
  type SampleOperation,
  writeCliSample,
  writeCurlSample,
  writeSdkSample,
} from '@pos/rest-contracts/samples';
import { type ReactNode, useState } from 'react';
import type { ReferenceExample, ReferenceOperation } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { isNewest, useRelease } from '../data/reference-queries.js';
import { CodeBlock } from '../parts/CodeBlock.js';
import classes from './samples.module.css';

interface SamplesProps {
  readonly operation: ReferenceOperation;
  readonly chosen: ReferenceExample;
  readonly onChoose: (example: ReferenceExample) => void;
}

const LANGUAGES = ['curl', 'TypeScript', 'pos'] as const;
type SampleLanguage = (typeof LANGUAGES)[number];

/** The chosen example as a request in each language, and its answer. */
export function Samples({ operation, chosen, onChoose }: SamplesProps): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const release = useRelease();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { examples } = operation;
  const sampled = toSampleOperation(operation);
  const request = sampled === null ? null : createSampleRequest(sampled, chosen, { release, idempotencyKey });
  const samples = new Map<SampleLanguage, string>();
  const add = (name: SampleLanguage, sample: string | null): void => {
    if (sample !== null) samples.set(name, sample);
  };
  if (request !== null) {
    add('curl', writeCurlSample(request));
    // The SDK and the command name the newest release themselves.
    if (isNewest(release)) {
      add('TypeScript', writeSdkSample(request));
      add('pos', writeCliSample(request));
    }
  }
  const shown = samples.has(language) ? language : 'curl';
  return (
    <section aria-label={text('samples')}>
      {examples.length > 1 && (
        <label className={classes['choice']}>
          <span>{text('example')}</span>
          <select
            lang="en"
            value={chosen.name}
            onChange={({ target }) => {
              const next = examples.find(({ name }) => name === target.value);
              if (next !== undefined) onChoose(next);
            }}
          >
            {examples.map(({ name, summary, status }) => (
              <option key={name} value={name}>
                {status < 300 ? summary : `${status}: ${summary}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {samples.size > 0 && (
        <>
          <div className={classes['languages']} role="group" aria-label={text('language')}>
            {LANGUAGES.filter((name) => samples.has(name)).map((name) => (
              <button key={name} type="button" aria-pressed={name === shown} onClick={() => setLanguage(name)}>
                {name}
              </button>
            ))}
          </div>
          <CodeBlock code={samples.get(shown) ?? ''} label={shown} />
          {!isNewest(release) && <p className={classes['note']}>{text('newestOnly')}</p>}
        </>
      )}
      {request === null && chosen.body !== undefined && (
        <CodeBlock code={JSON.stringify(chosen.body, null, 2)} label={text('body')} />
      )}
      <p className={classes['status']}>
        {text('answerExample')} {chosen.status}
      </p>
      {chosen.answer !== undefined && (
        <CodeBlock code={JSON.stringify(chosen.answer, null, 2)} label={text('answerExample')} />
      )}
    </section>
  );
}

/** Null for an operation of an EPOS: the service calls it, and the reader serves it. */
function toSampleOperation({ server, permission, ...operation }: ReferenceOperation): SampleOperation | null {
  return server === 'epos' ? null : { ...operation, server, needsKey: permission !== null };
}

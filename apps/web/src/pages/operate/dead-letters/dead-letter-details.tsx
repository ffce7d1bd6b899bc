import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { Banner } from '../../../components/states/states';
import { momentText } from '../../../data/times';
import { isUrn } from '../../../data/urns';
import { Facts } from '../operate-parts';
import css from '../operate.module.css';
import { DeadLetterState, type DeadLetter } from './dead-letters-page';
import { SettleLetter } from './settle-letter';

/** One record with its reason, its place and what it wanted to write. */
export function DeadLetterDetails({ letter }: { readonly letter: DeadLetter }) {
  const {
    reason,
    topic,
    partition,
    offset,
    rejectedMillis,
    lastRejectedMillis,
    times,
    bytes,
    proposalCount,
  } = letter;
  const settledMillis = letter.replayedMillis ?? letter.discardedMillis;
  return (
    <>
      <p className={css.row}>
        <DeadLetterState letter={letter} />
      </p>
      <Banner kind="bad">
        <bdi>{reason}</bdi>
      </Banner>
      <Facts
        of={[
          ['Topic', topic === undefined ? 'own log' : <code key="topic">{topic}</code>],
          ['Partition', String(partition)],
          ['Offset', offset.toLocaleString('en')],
          ['Rejected', momentText(rejectedMillis)],
          ...(times === 1
            ? []
            : [
                [
                  `Rejected ${times.toLocaleString('en')} times, last`,
                  momentText(lastRejectedMillis),
                ] as const,
              ]),
          ...(settledMillis === undefined
            ? []
            : [[letter.state === 'replayed' ? 'Replayed' : 'Discarded', momentText(settledMillis)] as const]),
          ...(letter.settledBy === undefined
            ? []
            : [['By', <bdi key="by">{letter.settledBy}</bdi>] as const]),
          ['Length', `${bytes.toLocaleString('en')} bytes`],
          ...(proposalCount === undefined
            ? []
            : [['Proposals', proposalCount.toLocaleString('en')] as const]),
        ]}
      />
      {(letter.proposals ?? []).map(({ urn, entityType, aspectName, changeType, value }, at) => (
        <section key={at} className={css.stack}>
          <h3>
            {changeType} {aspectName}
          </h3>
          <p>{isUrn(urn) ? <EntityChip urn={urn} /> : <bdi>{`${entityType} ${urn}`}</bdi>}</p>
          {value !== undefined && <CopiedText text={value} label={`Value of ${aspectName}`} />}
        </section>
      ))}
      {letter.beginning !== undefined && (
        <section className={css.stack}>
          <h3>Its beginning, in base64</h3>
          <CopiedText text={letter.beginning} label="Beginning of the record" />
        </section>
      )}
      {letter.state === 'open' && <SettleLetter key={letter.id} id={letter.id} />}
    </>
  );
}

function CopiedText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <>
      <pre className={css.log} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <div className={css.row}>
        <Button
          size="small"
          icon={isCopied ? 'check' : 'copy'}
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </>
  );
}

import type { JsonValue } from '@stratalog/json';
import { EntityChip } from '../../../components/entity/entity-link';
import { ValueView } from '../../../components/value/value-view';
import { isUrn } from '../../../data/urns';
import { toWords } from '../../../data/words';
import { groupDifferences, type Difference, type ThingChanged } from './describe-change';
import { Line, WordDiff } from './word-diff';
import css from './history-tab.module.css';

const MOST = 100;
const SIGNS = { added: '+ Added', removed: '− Removed', changed: '~ Changed' } as const;

/** Differences in words: each thing with what was added, removed or changed about it. */
export function DifferenceList({ differences }: { readonly differences: readonly Difference[] }) {
  const things = groupDifferences(differences);
  if (things.length === 0) return <p className={css.none}>Nothing differs</p>;
  return (
    <div className={css.things}>
      {things.slice(0, MOST).map((changed) => (
        <Thing key={changed.thing} changed={changed} />
      ))}
      {things.length > MOST && (
        <p className={css.none}>{(things.length - MOST).toLocaleString('en')} more differences</p>
      )}
    </div>
  );
}

function Thing({ changed: { thing, kind, parts } }: { readonly changed: ThingChanged }) {
  return (
    <section className={css.thing}>
      <h3>
        <span className={`${css.sort ?? ''} ${css[kind] ?? ''}`}>{SIGNS[kind]}</span>{' '}
        {isUrn(thing) ? (
          <EntityChip urn={thing} />
        ) : (
          <bdi className={css.name}>{thing === '' ? 'The whole value' : toName(thing)}</bdi>
        )}
      </h3>
      {parts.slice(0, MOST).map(({ label, old, new: now }) => (
        <div key={label}>
          {label !== '' && <p className={css.label}>{label}</p>}
          <Part name={label === '' ? thing : label} old={old} now={now} />
        </div>
      ))}
    </section>
  );
}

/** A field of the aspect in words, a column as it is written. */
function toName(thing: string): string {
  return /^[a-z]+(?:[A-Z][a-z]+)+$/.test(thing) || /^[a-z]+$/.test(thing)
    ? toWords(thing)
    : thing.slice(0, 300);
}

interface PartProps {
  readonly name: string;
  readonly old: JsonValue | undefined;
  readonly now: JsonValue | undefined;
}

function Part({ name, old, now }: PartProps) {
  if (typeof old === 'string' && typeof now === 'string' && !isUrn(old))
    return <WordDiff before={old} after={now} />;
  return (
    <>
      {old !== undefined && (
        <Line kind="removed">
          <ValueView name={name} value={old} />
        </Line>
      )}
      {now !== undefined && (
        <Line kind="added">
          <ValueView name={name} value={now} />
        </Line>
      )}
    </>
  );
}

import { EntityChip } from '../../../components/entity/entity-link';
import { Banner } from '../../../components/states/states';
import { count } from '../../../data/words';
import css from '../operate.module.css';
import { Reasons } from './broken-rules';
import { findPlace } from './json-text';
import type { Fault, Trial } from './try-out';

/** Of the results that a dry run shows one by one. */
const SHOWN = 20;

interface FaultsProps {
  readonly text: string;
  readonly faults: readonly Fault[];
  /** Shows a part of the text. */
  readonly select: (start: number, end: number) => void;
}

/** What is wrong with a definition; a click on a fault leads to its place. */
export function Faults({ text, faults, select }: FaultsProps) {
  return (
    <Banner kind="bad">
      {count(faults.length, 'fault')}; nothing is saved.
      <ul>
        {faults.map((fault) => {
          const { start, end, line } = findPlace(text, fault);
          return (
            <li key={`${fault.path} ${fault.reason}`}>
              <button type="button" className={css.link} onClick={() => select(start, end)}>
                Line {line}
              </button>
              {': '}
              <bdi>{fault.reason}</bdi>
            </li>
          );
        })}
      </ul>
    </Banner>
  );
}

/** How entities would do at a definition. */
export function TrialResults({ trial: { results, entities } }: { readonly trial: Trial }) {
  const of = (outcome: string): Trial['results'] => results.filter((each) => each.outcome === outcome);
  const [failing, errors] = [of('failing'), of('error')];
  const left = entities - results.length;
  if (results.length === 0) return <p className={css.note}>There is no entity that it would be about.</p>;
  return (
    <section className={css.stack}>
      <h3>Dry run</h3>
      <p>
        {count(of('passing').length, 'entity passes', 'entities pass')}, {failing.length.toLocaleString('en')}{' '}
        fail
        {errors.length > 0 && `, ${count(errors.length, 'error')}`}
        {left > 0 && ` of the first ${results.length.toLocaleString('en')}`}. Nothing was written.
      </p>
      <ul>
        {[...errors, ...failing].slice(0, SHOWN).map((result) => (
          <li key={result.urn} className={css.line}>
            <EntityChip urn={result.urn} />
            <Reasons of={result} />
          </li>
        ))}
      </ul>
    </section>
  );
}

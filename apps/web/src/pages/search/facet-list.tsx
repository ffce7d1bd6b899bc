import { useState } from 'react';
import { useCard } from '../../data/use-card';
import { isUrn } from '../../data/urns';
import { typeInWords } from '../../data/words';
import type { Facet } from './facets';
import css from './search-page.module.css';

const FIRST = 5;

interface FacetListProps {
  readonly title: string;
  readonly counted: NonNullable<Facet['filterValues']>;
  readonly chosen: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** The values of one facet with their counts; a few, and all with a filter on request. */
export function FacetList({ title, counted, chosen, onChange }: FacetListProps) {
  const [isOpen, setOpen] = useState(false);
  const [filter, setFilter] = useState('');
  const missing = chosen.filter((value) => !counted.some((each) => each.value === value));
  const all = [...missing.map((value) => ({ value, facetCount: 0, displayName: undefined })), ...counted];
  if (all.length === 0) return null;
  const wanted = filter.trim().toLowerCase();
  const shown = isOpen
    ? all.filter(({ value, displayName }) => `${displayName ?? ''} ${value}`.toLowerCase().includes(wanted))
    : all.filter(({ value }, at) => at < FIRST || chosen.includes(value));
  const toggle = (value: string): void =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  return (
    <fieldset className={css.facet}>
      <legend>{title}</legend>
      {isOpen && (
        <input
          className={css.facetFilter}
          aria-label={`Filter the values of ${title}`}
          placeholder="Filter"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      {shown.map(({ value, facetCount, displayName }) => (
        <label key={value} className={css.value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <ValueName value={value} displayName={displayName} />
          <span className={css.count}>{facetCount.toLocaleString('en')}</span>
        </label>
      ))}
      {all.length > FIRST && (
        <button type="button" className={css.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer' : `${(all.length - FIRST).toLocaleString('en')} more`}
        </button>
      )}
    </fieldset>
  );
}

interface ValueNameProps {
  readonly value: string;
  readonly displayName?: string | undefined;
}

/** The value of a facet in words: the name of an entity, a type, true and false. */
export function ValueName({ value, displayName }: ValueNameProps) {
  if (displayName !== undefined) return <bdi className={css.valueName}>{displayName}</bdi>;
  if (isUrn(value)) return <UrnName urn={value} />;
  return <bdi className={css.valueName}>{/^[a-z][A-Za-z]+$/.test(value) ? typeInWords(value) : value}</bdi>;
}

function UrnName({ urn }: { readonly urn: string }) {
  return <bdi className={css.valueName}>{useCard(urn).name}</bdi>;
}

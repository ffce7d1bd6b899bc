import { useState } from 'react';
import { Button } from '../../components/button/button';
import { useCall } from '../../data/use-call';
import { typeInWords } from '../../data/words';
import type { ChangesSearch } from './changes-route';
import css from './changes-page.module.css';

interface ChangesFiltersProps {
  readonly search: ChangesSearch;
  readonly onChange: (next: ChangesSearch) => void;
}

const DAYS = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

/** The filters of the address. A text holds once it is applied. */
export function ChangesFilters({ search, onChange }: ChangesFiltersProps) {
  const [by, setBy] = useState(search.by ?? '');
  const model = useCall('GET /models/entities', undefined, { isLasting: true });
  const known = (model.data?.entities ?? []).map(({ name }) => name);
  const types = search.type === undefined || known.includes(search.type) ? known : [search.type, ...known];
  const set = (name: keyof ChangesSearch, value: string): void =>
    onChange({ ...search, [name]: value === '' ? undefined : value });
  return (
    <form
      className={css.filters}
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        set('by', by.trim());
      }}
    >
      <label>
        Type
        <select value={search.type ?? ''} onChange={({ target }) => set('type', target.value)}>
          <option value="">Any type</option>
          {types.map((type) => (
            <option key={type} value={type}>
              {typeInWords(type)}
            </option>
          ))}
        </select>
      </label>
      <label>
        By
        <input
          value={by}
          placeholder="urn:li:corpuser:…"
          maxLength={1_000}
          onChange={({ target }) => setBy(target.value)}
        />
      </label>
      {DAYS.map(([name, label]) => (
        <label key={name}>
          {label}
          <input type="date" value={search[name] ?? ''} onChange={({ target }) => set(name, target.value)} />
        </label>
      ))}
      <Button type="submit">Filter</Button>
    </form>
  );
}

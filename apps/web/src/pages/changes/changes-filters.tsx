import { IconButton } from '../../components/button/button';
import { EntityChip } from '../../components/entity/entity-link';
import { UrnPicker } from '../../components/search-box/urn-picker';
import { useCall } from '../../data/use-call';
import { typeInWords } from '../../data/words';
import type { ChangesSearch } from './changes-route';
import css from './changes-page.module.css';

interface ChangesFiltersProps {
  readonly search: ChangesSearch;
  /** Who made the changes that are shown: few of them are entities that a search finds. */
  readonly actors: readonly string[];
  readonly onChange: (next: ChangesSearch) => void;
}

const DAYS = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

/** The filters of the address. */
export function ChangesFilters({ search, actors, onChange }: ChangesFiltersProps) {
  const { by } = search;
  const model = useCall('GET /models/entities', undefined, { isLasting: true });
  const known = (model.data?.entities ?? []).map(({ name }) => name);
  const types = search.type === undefined || known.includes(search.type) ? known : [search.type, ...known];
  const set = (name: keyof ChangesSearch, value: string): void =>
    onChange({ ...search, [name]: value === '' ? undefined : value });
  return (
    <div role="group" className={css.filters} aria-label="Filters">
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
      <div className={css.filter}>
        <span aria-hidden="true">By</span>
        {by === undefined ? (
          <UrnPicker
            label="By"
            placeholder="Anybody"
            types={['corpuser']}
            near={actors}
            leftOut={[]}
            onChoose={(urn) => set('by', urn)}
          />
        ) : (
          <span className={css.chosen}>
            <EntityChip urn={by} />
            <IconButton icon="x" label="By anybody" onClick={() => set('by', '')} />
          </span>
        )}
      </div>
      {DAYS.map(([name, label]) => (
        <label key={name}>
          {label}
          <input type="date" value={search[name] ?? ''} onChange={({ target }) => set(name, target.value)} />
        </label>
      ))}
    </div>
  );
}

import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Field } from '../operate-parts';
import css from '../operate.module.css';

interface Filters {
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
  readonly outcome?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface AuditFiltersProps {
  readonly search: Filters;
  readonly onChange: (next: Filters) => void;
}

const TEXTS = [
  ['actor', 'By', 'urn:li:corpuser:…'],
  ['call', 'Call', 'POST /operations createToken'],
  ['status', 'Status', '403'],
] as const;
const DAYS = [
  ['from', 'From, UTC'],
  ['to', 'Before, UTC'],
] as const;

/** The filters of the address. A text holds once it is applied. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const [filters, setFilters] = useState(search);
  const set = (name: keyof Filters, value: string): Filters => {
    const next = { ...filters, [name]: value === '' ? undefined : value };
    setFilters(next);
    return next;
  };
  return (
    <form
      className={css.inline}
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(filters);
      }}
    >
      {TEXTS.map(([name, label, hint]) => (
        <Field key={name} label={label}>
          <input
            value={filters[name] ?? ''}
            placeholder={hint}
            inputMode={name === 'status' ? 'numeric' : undefined}
            pattern={name === 'status' ? '[1-5][0-9]{2}' : undefined}
            onChange={({ target }) => set(name, target.value)}
          />
        </Field>
      ))}
      <Field label="Outcome">
        <select
          value={filters.outcome ?? ''}
          onChange={({ target }) => onChange(set('outcome', target.value))}
        >
          <option value="">Any</option>
          <option value="done">Done</option>
          <option value="rejected">Rejected</option>
          <option value="failed">Failed</option>
        </select>
      </Field>
      {DAYS.map(([name, label]) => (
        <Field key={name} label={label}>
          <input
            type="date"
            value={filters[name]?.slice(0, 10) ?? ''}
            onChange={({ target: { value } }) => set(name, value === '' ? '' : `${value}T00:00:00Z`)}
          />
        </Field>
      ))}
      <Button type="submit">Filter</Button>
      {Object.keys(search).length > 0 && (
        <Button kind="quiet" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </form>
  );
}

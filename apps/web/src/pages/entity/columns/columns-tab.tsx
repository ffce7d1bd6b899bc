import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { keepAt } from '../../../app/keep-at';
import { one, without } from '../../../app/search-parameters';
import { IconButton } from '../../../components/button/button';
import { EntityChips } from '../../../components/entity/entity-link';
import { Icon } from '../../../components/icon/icon';
import { EmptyState } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { dateText } from '../../../data/times';
import { count } from '../../../data/words';
import { useEntityView } from '../entity-context';
import { ColumnPanel } from './column-panel';
import { Changed, CompareBar, useComparison } from './compare-bar';
import {
  COLUMN_CHIPS,
  findParents,
  foldColumns,
  keepColumns,
  readChip,
  readColumns,
  type Column,
  type ColumnChip,
} from './read-columns';
import { useColumnFeeds, useColumnProfiles } from './use-column-facts';
import css from './columns-tab.module.css';

const route = getRouteApi('/e/$urn/columns');

/** Every column, narrowed by words and chips; a panel about one of them. All of it stands in the address. */
export function ColumnsTab() {
  const { entity, urn } = useEntityView();
  const search = route.useSearch();
  const navigate = useNavigate();
  const columns = useMemo(() => readColumns(entity), [entity]);
  const chip = readChip(search.only);
  const filter = search.filter ?? '';
  const comparison = useComparison(columns, search.vs);
  const parents = useMemo(() => findParents(columns), [columns]);
  const { folded = [] } = search;
  const kept = useMemo(
    () => keepColumns([...columns, ...(comparison?.removed ?? [])], chip, filter),
    [columns, comparison, chip, filter],
  );
  // Among some of the columns all are wanted.
  const isNarrowed = chip !== undefined || filter !== '';
  const shown = isNarrowed ? kept : foldColumns(kept, folded);
  const profiles = useColumnProfiles();
  const feeds = useColumnFeeds();
  const selected = columns.find(({ path }) => path === search.column);
  const toTable: readonly TableColumn<Column>[] = [
    {
      name: 'column',
      header: 'Column',
      cell: (column) => <ColumnName column={column} isParent={!isNarrowed && parents.has(column.label)} />,
    },
    ...(comparison === undefined
      ? []
      : [
          {
            name: 'changed',
            header: `Since ${dateText(comparison.sinceMs)}`,
            cell: ({ path }: Column) => <Changed change={comparison.changes.get(path)} />,
          },
        ]),
    { name: 'type', header: 'Type', cell: ({ type }) => <code>{type.slice(0, 100)}</code> },
    {
      name: 'description',
      header: 'Description',
      cell: ({ description }) => <ShortText text={description} />,
    },
    {
      name: 'tags',
      header: 'Tags and terms',
      cell: ({ tags, terms }) => <EntityChips urns={[...tags, ...terms]} most={4} />,
    },
    ...(profiles.size === 0
      ? []
      : [
          {
            name: 'filled',
            header: 'Filled',
            cell: ({ path }: Column) => <Filled share={profiles.get(path)?.filled} />,
          },
        ]),
    ...(feeds === undefined
      ? []
      : [
          {
            name: 'feeds',
            header: 'Feeds',
            isNumber: true,
            cell: ({ path }: Column) => <Feeds path={path} number={feeds.get(path)} />,
          },
        ]),
  ];
  if (columns.length === 0) return <EmptyState title="No columns are known" />;
  return (
    <div className={css.columns}>
      <div className={css.bar}>
        <input
          className={css.filter}
          aria-label="Filter the columns"
          placeholder={`Filter ${count(columns.length, 'column')}`}
          value={filter}
          onChange={({ target }) =>
            void navigate({
              to: '/e/$urn/columns',
              params: { urn },
              replace: true,
              search: { ...search, filter: one(target.value) },
            })
          }
        />
        {(Object.keys(COLUMN_CHIPS) as ColumnChip[]).map((name) => (
          <Link
            key={name}
            to="/e/$urn/columns"
            params={{ urn }}
            search={chip === name ? without(search, 'only') : { ...search, only: name }}
            aria-current={chip === name ? 'true' : undefined}
            className={css.chip}
          >
            {COLUMN_CHIPS[name].label} {columns.filter(COLUMN_CHIPS[name].keeps).length.toLocaleString('en')}
          </Link>
        ))}
        <span role="status" className={css.count}>
          {!isNarrowed
            ? ''
            : `${shown.length.toLocaleString('en')} of ${columns.length.toLocaleString('en')}`}
        </span>
      </div>
      <CompareBar
        vs={search.vs}
        comparison={comparison}
        onChange={(vs) =>
          void navigate({ to: '/e/$urn/columns', params: { urn }, search: { ...search, vs } })
        }
      />
      <div className={css.split}>
        <div className={css.table}>
          {shown.length === 0 ? (
            <EmptyState title="No column is left">
              <Link to="/e/$urn/columns" params={{ urn }} search={without(search, 'only', 'filter')}>
                Show all
              </Link>
            </EmptyState>
          ) : (
            <DataTable
              label="Columns"
              columns={toTable}
              rows={shown}
              keyOf={({ path }) => path}
              selected={search.column}
            />
          )}
        </div>
        {selected !== undefined && (
          <ColumnPanel
            key={selected.path}
            column={selected}
            profile={profiles.get(selected.path)}
            onClose={() =>
              void navigate({ to: '/e/$urn/columns', params: { urn }, search: without(search, 'column') })
            }
          />
        )}
      </div>
    </div>
  );
}

interface ColumnNameProps {
  readonly column: Column;
  /** It has nested columns, which fold. */
  readonly isParent: boolean;
}

function ColumnName({ column: { path, label, isKey, depth }, isParent }: ColumnNameProps) {
  const { urn } = useEntityView();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { folded = [] } = search;
  const isFolded = folded.includes(label);
  const toggle = (): void =>
    void navigate({
      to: '/e/$urn/columns',
      params: { urn },
      search: {
        ...search,
        folded: isFolded ? folded.filter((each) => each !== label) : [...folded, label],
      },
    });
  return (
    <span className={css.name} data-depth={depth}>
      {isParent && (
        <IconButton
          icon={isFolded ? 'chevronRight' : 'chevronDown'}
          label={`${isFolded ? 'Unfold' : 'Fold'} ${label.slice(0, 100)}`}
          aria-expanded={!isFolded}
          onClick={toggle}
        />
      )}
      <Link
        to="/e/$urn/columns"
        params={{ urn }}
        search={{ ...search, column: path }}
        className={css.link}
        title={path.slice(0, 1_000)}
      >
        <bdi>{label.slice(0, 300)}</bdi>
      </Link>
      {isKey && (
        <span title="Part of the key">
          <Icon name="key" size={14} />
          <span className="visually-hidden">Part of the key</span>
        </span>
      )}
    </span>
  );
}

function ShortText({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <bdi className={css.text} title={text.slice(0, 1_000)}>
      {text.slice(0, 300)}
    </bdi>
  );
}

function Filled({ share }: { readonly share: number | undefined }) {
  if (share === undefined) return null;
  const percent = `${(share * 100).toFixed(share === 1 ? 0 : 1)} %`;
  return (
    <span className={css.filled}>
      <svg viewBox="0 0 100 6" width="50" height="6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" rx="3" className={css.rest} />
        <rect width={share * 100} height="6" rx="3" className={css.share} />
      </svg>
      {percent}
    </span>
  );
}

interface FeedsProps {
  readonly path: string;
  /** How many columns are made from it; `undefined`: none is known. */
  readonly number: number | undefined;
}

function Feeds({ path, number }: FeedsProps) {
  const { urn } = useEntityView();
  if (number === undefined) return <span className={css.none}>none known</span>;
  return (
    <Link
      to="/lineage/$urn"
      params={{ urn }}
      search={(search) => ({ ...keepAt(search), dir: 'down', column: path })}
      aria-label={`What ${path.slice(0, 300)} feeds: ${count(number, 'column')}`}
    >
      {number.toLocaleString('en')}
    </Link>
  );
}

import { Link } from '@tanstack/react-router';
import { keepAt } from '../../../app/keep-at';
import { EntityChips } from '../../../components/entity/entity-link';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { readColumns, type Column } from '../columns/read-columns';
import { useEntityView } from '../entity-context';
import css from './overview-tab.module.css';

const MOST = 5;

const SHOWN: readonly TableColumn<Column>[] = [
  {
    name: 'column',
    header: 'Column',
    cell: ({ label }) => (
      <code>
        <bdi>{label.slice(0, 300)}</bdi>
      </code>
    ),
  },
  { name: 'type', header: 'Type', cell: ({ type }) => <code>{type.slice(0, 100)}</code> },
  {
    name: 'description',
    header: 'Description',
    cell: ({ description = '' }) => <bdi className={css.text}>{description.slice(0, 300)}</bdi>,
  },
  {
    name: 'tags',
    header: 'Tags and terms',
    cell: ({ tags, terms }) => <EntityChips urns={[...tags, ...terms]} most={2} />,
  },
];

/** The columns that a table begins with; an entity without columns has no such section. */
export function FirstColumns() {
  const { urn, entity } = useEntityView();
  const columns = readColumns(entity);
  if (columns.length === 0) return null;
  return (
    <section className={css.section}>
      <div className={css.head}>
        <h2>Columns</h2>
        <Link to="/e/$urn/columns" params={{ urn }} search={keepAt}>
          Show all {columns.length.toLocaleString('en')}
        </Link>
      </div>
      <DataTable
        label="First columns"
        columns={SHOWN}
        rows={columns.slice(0, MOST)}
        keyOf={({ path }) => path}
      />
    </section>
  );
}

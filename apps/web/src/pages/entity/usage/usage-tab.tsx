import { EntityChip } from '../../../components/entity/entity-link';
import { Plot } from '../../../components/plot/plot';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { toMs } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { isUrn } from '../../../data/urns';
import { useEntityView } from '../entity-context';
import css from '../parts.module.css';

interface Counted {
  readonly name: string;
  readonly count: number;
}

const BY_USER: readonly TableColumn<Counted>[] = [
  {
    name: 'user',
    header: 'Person',
    cell: ({ name }) => (isUrn(name) ? <EntityChip urn={name} /> : <bdi>{name}</bdi>),
  },
  { name: 'count', header: 'Queries', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
];
const BY_COLUMN: readonly TableColumn<Counted>[] = [
  { name: 'column', header: 'Column', cell: ({ name }) => <code>{name}</code> },
  { name: 'count', header: 'Queries', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
];

/** Who asks the table, how often, and for which columns, in the last month. */
export function UsageTab() {
  const { urn, atMs } = useEntityView();
  const usage = useCall('POST /usageStats?action=queryRange', {
    resource: urn,
    duration: 'DAY',
    rangeFromEnd: 'MONTH',
  });
  if (atMs !== undefined) return <EmptyState title="Not known for this time" />;
  return (
    <Loaded query={usage} what="The usage">
      {({ buckets, aggregations: { users, fields, totalSqlQueries, uniqueUserCount } }) =>
        buckets.length === 0 ? (
          <EmptyState title="No usage is known">
            A connector that reads the log of queries would fill this page.
          </EmptyState>
        ) : (
          <div className={css.parts}>
            <p>
              <strong>{(totalSqlQueries ?? 0).toLocaleString('en')}</strong> queries by{' '}
              <strong>{uniqueUserCount.toLocaleString('en')}</strong> people in a month
            </p>
            <Plot
              label="Queries per day"
              unit="queries"
              points={buckets.map(({ bucket, metrics }) => ({
                ms: toMs(bucket) ?? 0,
                value: metrics.totalSqlQueries ?? 0,
              }))}
            />
            <div className={css.pair}>
              <section>
                <h2>People</h2>
                <DataTable
                  label="Queries by person"
                  columns={BY_USER}
                  rows={users.slice(0, 50).map(({ user, count }) => ({ name: user, count }))}
                  keyOf={({ name }) => name}
                />
              </section>
              <section>
                <h2>Columns</h2>
                <DataTable
                  label="Queries by column"
                  columns={BY_COLUMN}
                  rows={fields.slice(0, 50).map(({ fieldName, count }) => ({ name: fieldName, count }))}
                  keyOf={({ name }) => name}
                />
              </section>
            </div>
          </div>
        )
      }
    </Loaded>
  );
}

import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { count } from '../../../data/words';
import { Card } from '../operate-parts';
import css from './health.module.css';
import { MANY, lagOf, type Health } from './lag';

/** More partitions than these have no room; those with the most work are shown. */
const MOST_PARTITIONS = 16;

/** How many changes each stage has yet to apply, in each partition of its log. */
export function LagByStage({ health }: { readonly health: Health }) {
  const { lags } = health;
  const stages = [...new Set(lags.map(({ stage }) => stage))];
  const partitions = [...new Set(lags.map(({ partition }) => partition))];
  const workOf = (partition: number): number =>
    lags.reduce((sum, each) => sum + (each.partition === partition ? each.records : 0), 0);
  const shown = partitions
    .sort((one, other) => workOf(other) - workOf(one) || one - other)
    .slice(0, MOST_PARTITIONS)
    .sort((one, other) => one - other);
  const columns: readonly TableColumn<string>[] = [
    { name: 'stage', header: 'Stage', cell: (stage) => stage },
    ...shown.map((partition) => ({
      name: `partition ${String(partition)}`,
      header: String(partition),
      isNumber: true,
      cell: (stage: string) => (
        <Lag of={lags.find((each) => each.stage === stage && each.partition === partition)} />
      ),
    })),
    {
      name: 'all',
      header: 'All',
      isNumber: true,
      cell: (stage) => (lagOf(health, stage) ?? 0).toLocaleString('en'),
    },
  ];
  return (
    <Card
      title="Lag by stage and partition"
      note={
        partitions.length > shown.length
          ? `changes not applied yet; the ${String(MOST_PARTITIONS)} of ${count(partitions.length, 'partition')} with the most`
          : 'changes not applied yet'
      }
    >
      {stages.length === 0 ? (
        <p className={css.none}>Nothing has been written yet.</p>
      ) : (
        <DataTable
          label="Lag by stage and partition"
          columns={columns}
          rows={stages}
          keyOf={(each) => each}
        />
      )}
    </Card>
  );
}

function Lag({ of }: { readonly of: Health['lags'][number] | undefined }) {
  if (of === undefined) return null;
  const { records, seconds } = of;
  const look = records === 0 ? '' : records < MANY ? css.some : css.many;
  return (
    <span
      className={`${css.lag ?? ''} ${look ?? ''}`}
      title={records === 0 ? 'Up to date' : `The oldest has waited for ${count(seconds, 'second')}`}
    >
      {records.toLocaleString('en')}
    </span>
  );
}

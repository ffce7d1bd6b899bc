import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../../../components/button/button';
import { Progress } from '../../../components/progress/progress';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { dateText, fullTime, toMs } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { toWords, typeInWords } from '../../../data/words';
import { Card } from '../operate-parts';
import css from '../operate.module.css';
import { Truncate } from './truncate';

export interface Series {
  readonly key: string;
  readonly entityType: string;
  readonly aspect: string;
  readonly sizeMb: number;
  readonly values: number;
  /** **Units**: epoch milliseconds; `undefined`: there are no values. */
  readonly oldestMs: number | undefined;
  readonly newestMs: number | undefined;
}

/** How much each timeseries aspect holds; the largest first. */
export function Sizes() {
  const sizes = useCall('POST /operations?action=getIndexSizes', undefined);
  const named = useNames();
  const [chosen, setChosen] = useState<Series>();
  const [task, setTask] = useState<string>();
  const rows: readonly Series[] = (sizes.data?.indexSizes ?? [])
    .map(({ entityName, aspectName, sizeMb, indexName, valueCount, oldestMillis, newestMillis }) => ({
      key: indexName,
      entityType: named(entityName),
      aspect: named(aspectName),
      sizeMb,
      values: valueCount,
      oldestMs: toMs(oldestMillis),
      newestMs: toMs(newestMillis),
    }))
    .sort((one, other) => other.sizeMb - one.sizeMb || one.key.localeCompare(other.key));
  const all = rows.reduce((sum, { sizeMb }) => sum + sizeMb, 0);
  return (
    <Card
      title="Sizes of timeseries"
      note={sizes.data === undefined ? undefined : `${megabytes(all)} in all`}
    >
      {task !== undefined && (
        <p role="status">
          The truncation has begun:{' '}
          <Link to="/operate/tasks/$task" params={{ task }}>
            follow the task
          </Link>
        </p>
      )}
      <Loaded query={sizes} what="The sizes">
        {() =>
          rows.length === 0 ? (
            <EmptyState title="The model has no timeseries aspects" />
          ) : (
            <DataTable
              label="Sizes of timeseries"
              columns={columns(Math.max(...rows.map(({ sizeMb }) => sizeMb)), setChosen)}
              rows={rows}
              keyOf={({ key }) => key}
            />
          )
        }
      </Loaded>
      {chosen !== undefined && (
        <Truncate
          series={chosen}
          onBegun={(name) => {
            setChosen(undefined);
            setTask(name);
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Card>
  );
}

function columns(mostMb: number, truncate: (series: Series) => void): readonly TableColumn<Series>[] {
  return [
    {
      name: 'aspect',
      header: 'Timeseries',
      cell: ({ aspect, entityType }) => (
        <span className={css.two}>
          <span>{toWords(aspect)}</span>
          <span className={css.note}>{typeInWords(entityType)}</span>
        </span>
      ),
    },
    {
      name: 'values',
      header: 'Values',
      isNumber: true,
      cell: ({ values }) => values.toLocaleString('en'),
    },
    { name: 'oldest', header: 'Oldest', cell: ({ oldestMs }) => <Day ms={oldestMs} /> },
    { name: 'newest', header: 'Newest', cell: ({ newestMs }) => <Day ms={newestMs} /> },
    {
      name: 'size',
      header: 'Size',
      isNumber: true,
      cell: ({ sizeMb }) => <span className={css.whole}>{megabytes(sizeMb)}</span>,
    },
    {
      name: 'bar',
      header: 'Share of the largest',
      cell: ({ aspect, sizeMb }) => (
        <Progress
          label={`Size of ${aspect} beside the largest`}
          done={sizeMb}
          total={Math.max(mostMb, 0.001)}
        />
      ),
    },
    {
      name: 'deed',
      header: 'Deeds',
      cell: (series) => (
        <Button
          size="small"
          aria-label={`Truncate ${series.aspect} of ${series.entityType}`}
          onClick={() => truncate(series)}
        >
          Truncate
        </Button>
      ),
    },
  ];
}

function Day({ ms }: { readonly ms: number | undefined }) {
  return ms === undefined ? (
    '–'
  ) : (
    <span className={css.whole} title={fullTime(ms)}>
      {dateText(ms)}
    </span>
  );
}

/** The names of types and aspects as the model spells them: the sizes have them in lower case. */
function useNames(): (name: string) => string {
  const { data } = useCall('GET /models/entities', undefined, { isLasting: true });
  return useMemo(() => {
    const names = (data?.entities ?? []).flatMap(({ name, aspects }) => [name, ...aspects]);
    const byLower = new Map(names.map((name) => [name.toLowerCase(), name]));
    return (name: string) => byLower.get(name) ?? name;
  }, [data]);
}

function megabytes(mb: number): string {
  return mb >= 1_000
    ? `${(mb / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} GB`
    : `${mb.toLocaleString('en', { maximumFractionDigits: mb < 10 ? 2 : 0 })} MB`;
}

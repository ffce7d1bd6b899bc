import type { AnswerOf } from '@stratalog/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { Card } from '../operate-parts';
import css from '../operate.module.css';
import { clockText } from './clock';
import { LinePlot, inWords } from './line-plot';

type History = NonNullable<AnswerOf<'GET /operations/health/history'>>;
export type Sample = History['samples'][number];

/** Lines need two points. */
const FEWEST = 2;

/** What the catalog did in the last half hour: writes, answers, lag. */
export function WorkHistory({ history }: { readonly history: UseQueryResult<History> }) {
  return (
    <Card title="The last half hour" note="since the start of the process that answers">
      <Loaded query={history} what="What the catalog did">
        {({ samples, intervalSeconds }) =>
          samples.length < FEWEST ? (
            <p className={css.note}>
              Every {intervalSeconds} s has a number; the first are there in a moment.
            </p>
          ) : (
            <Plots samples={samples} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Plots({ samples }: { readonly samples: readonly Sample[] }) {
  const times = samples.map(({ time }) => time);
  return (
    <>
      <LinePlot
        title="Lag"
        times={times}
        leastTop={10}
        lines={[
          { name: 'search', values: samples.map(({ lag }) => lag.indexer) },
          { name: 'graph', values: samples.map(({ lag }) => lag.graph) },
        ]}
      />
      <LinePlot
        title="Per second"
        times={times}
        leastTop={1}
        lines={[
          { name: 'writes', values: samples.map(({ proposalsPerSecond }) => proposalsPerSecond) },
          { name: 'requests', values: samples.map(({ requestsPerSecond }) => requestsPerSecond) },
        ]}
      />
      <LinePlot
        title="Duration of requests"
        times={times}
        leastTop={10}
        unit="ms"
        lines={[
          { name: '95 of 100 within', values: samples.map(({ p95Millis }) => p95Millis) },
          { name: 'half within', values: samples.map(({ p50Millis }) => p50Millis) },
        ]}
      />
      <details>
        <summary>As a table</summary>
        <DataTable
          label="The last half hour"
          columns={COLUMNS}
          rows={samples.toReversed()}
          keyOf={({ time }) => String(time)}
        />
      </details>
    </>
  );
}

function number(
  name: string,
  header: string,
  of: (sample: Sample) => number | undefined,
): TableColumn<Sample> {
  return { name, header, isNumber: true, cell: (sample) => inWords(of(sample)) };
}

const COLUMNS: readonly TableColumn<Sample>[] = [
  { name: 'time', header: 'Until', cell: ({ time }) => clockText(time) },
  number('search', 'Lag of search', ({ lag }) => lag.indexer),
  number('graph', 'Lag of the graph', ({ lag }) => lag.graph),
  number('writes', 'Writes per second', ({ proposalsPerSecond }) => proposalsPerSecond),
  number('requests', 'Requests per second', ({ requestsPerSecond }) => requestsPerSecond),
  number('p50', 'Half within, ms', ({ p50Millis }) => p50Millis),
  number('p95', '95 of 100 within, ms', ({ p95Millis }) => p95Millis),
];

import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { Card } from '../operate-parts';
import css from '../operate.module.css';
import type { Health } from './health-page';
import type { Lags } from './use-lag';

interface StageLag {
  readonly stage: string;
  readonly changes: number | undefined;
}

const MANY = 100;

const COLUMNS: readonly TableColumn<StageLag>[] = [
  { name: 'stage', header: 'Stage', cell: ({ stage }) => stage },
  {
    name: 'changes',
    header: 'Changes',
    isNumber: true,
    cell: ({ changes }) => (
      <span className={(changes ?? 0) >= MANY ? css.warning : undefined}>
        {changes === undefined ? 'not known' : changes.toLocaleString('en')}
      </span>
    ),
  },
];

/** How many changes each stage has yet to apply: as index and graph say, and in a distributed catalog as its instances do. */
export function LagByStage({ health, lags }: { readonly health: Health; readonly lags: Lags | undefined }) {
  const ofRoles = new Map<string, number>();
  for (const { lag, status } of health.instances ?? []) {
    if (status === 'lost') continue;
    // Instances share the partitions of a role.
    for (const [role, changes] of Object.entries(lag)) ofRoles.set(role, (ofRoles.get(role) ?? 0) + changes);
  }
  const rows: readonly StageLag[] = [
    { stage: 'search index', changes: lags?.search },
    { stage: 'relationship graph', changes: lags?.graph },
    ...[...ofRoles].map(([stage, changes]) => ({ stage, changes })),
  ];
  return (
    <Card title="Lag by stage" note="changes not applied yet">
      <DataTable label="Lag by stage" columns={COLUMNS} rows={rows} keyOf={({ stage }) => stage} />
    </Card>
  );
}

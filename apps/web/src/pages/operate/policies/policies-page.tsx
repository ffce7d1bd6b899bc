import { EntityLink } from '../../../components/entity/entity-link';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { StatusChip } from '../../../components/status/status-chip';
import { aspect, isObject, list, type Entity } from '../../../data/entity-card';
import { useCall } from '../../../data/use-call';
import { count } from '../../../data/words';
import { OperatePage } from '../operate-parts';
import css from '../operate.module.css';

const MOST = 200;

/** What the stored policies allow, to whom and for what. */
export function PoliciesPage() {
  const found = useCall('POST /entities?action=search', {
    entity: 'dataHubPolicy',
    input: '*',
    start: 0,
    count: MOST,
  });
  const ids = found.data?.metadata.urns ?? [];
  const read = useCall(
    'GET /entitiesV2',
    { ids, aspects: ['dataHubPolicyInfo'] },
    { isWanted: ids.length > 0, keepsFormer: true },
  );
  return (
    <OperatePage
      title="Policies"
      about={<span className={css.note}>They bind writers where the catalog is set to follow them.</span>}
    >
      <Loaded query={found} what="The policies">
        {() =>
          ids.length === 0 ? (
            <EmptyState title="No policies yet">
              <p>A policy is an entity of the type dataHubPolicy: it says who may change which entities.</p>
            </EmptyState>
          ) : (
            <Loaded query={read} what="The policies">
              {({ results }) => (
                <DataTable
                  label="Policies"
                  columns={COLUMNS}
                  rows={Object.values(results)}
                  keyOf={({ urn }) => urn}
                />
              )}
            </Loaded>
          )
        }
      </Loaded>
    </OperatePage>
  );
}

function textOf(entity: Entity, name: string): string {
  const value = aspect(entity, 'dataHubPolicyInfo')?.[name];
  return typeof value === 'string' ? value : '';
}

const COLUMNS: readonly TableColumn<Entity>[] = [
  {
    name: 'name',
    header: 'Policy',
    cell: (entity) => (
      <span className={css.two}>
        <EntityLink urn={entity.urn}>
          <bdi>{textOf(entity, 'displayName') || entity.urn}</bdi>
        </EntityLink>
        <span className={css.note}>
          <bdi>{textOf(entity, 'description').slice(0, 200)}</bdi>
        </span>
      </span>
    ),
  },
  {
    name: 'state',
    header: 'State',
    cell: (entity) =>
      textOf(entity, 'state') === 'ACTIVE' ? (
        <StatusChip look="good" icon="circleCheck">
          Active
        </StatusChip>
      ) : (
        <StatusChip look="plain" icon="ban">
          Inactive
        </StatusChip>
      ),
  },
  {
    name: 'privileges',
    header: 'Allows',
    cell: (entity) => (
      <span className={css.wide}>
        {list(aspect(entity, 'dataHubPolicyInfo')?.privileges)
          .slice(0, 8)
          .filter((each) => typeof each === 'string')
          .map((each) => each.toLowerCase().replaceAll('_', ' '))
          .join(', ')}
      </span>
    ),
  },
  { name: 'actors', header: 'To', cell: (entity) => <span className={css.wide}>{actorsOf(entity)}</span> },
];

function actorsOf(entity: Entity): string {
  const actors = aspect(entity, 'dataHubPolicyInfo')?.actors;
  if (!isObject(actors)) return 'nobody';
  const named = ['users', 'groups', 'roles'].flatMap((member) => {
    const { length } = list(actors[member]);
    return length === 0 ? [] : [count(length, member.slice(0, -1))];
  });
  const all = [
    ...(actors.allUsers === true ? ['everybody'] : []),
    ...(actors.allGroups === true ? ['every group'] : []),
    ...(actors.resourceOwners === true ? ['owners'] : []),
    ...named,
  ];
  return all.length === 0 ? 'nobody' : all.join(', ');
}

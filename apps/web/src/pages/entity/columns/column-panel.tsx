import { Link } from '@tanstack/react-router';
import { keepAt } from '../../../app/keep-at';
import { EntityChips, EntityLink } from '../../../components/entity/entity-link';
import { Markdown } from '../../../components/markdown/markdown';
import { SidePanel } from '../../../components/panel/side-panel';
import { Loaded, Skeleton } from '../../../components/states/states';
import { RelativeTime } from '../../../components/text/relative-time';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { splitUrn } from '../../../data/urns';
import { Editable } from '../edit/editable';
import { OF_COLUMNS, TAGS, TERMS, elementsOf, ofColumn, urnOf, type EntityList } from '../edit/entity-lists';
import { EntitiesEditor, TextEditor } from '../edit/lazy-editors';
import { useEntityView } from '../entity-context';
import { changesOfColumn } from '../history/describe-change';
import { useChanges } from '../use-changes';
import type { Column } from './read-columns';
import type { ColumnProfile } from './use-column-facts';
import css from './columns-tab.module.css';

interface ColumnPanelProps {
  readonly column: Column;
  readonly profile: ColumnProfile | undefined;
  readonly onClose: () => void;
}

/** Everything about one column: what it is, what it is made from, what it feeds, how it changed. */
export function ColumnPanel({ column, profile, onClose }: ColumnPanelProps) {
  const { label, type, isNullable, tags, terms, path } = column;
  return (
    <SidePanel
      label={`Column ${label.slice(0, 100)}`}
      title={<bdi className={css.code}>{label.slice(0, 300)}</bdi>}
      onClose={onClose}
    >
      <p>
        <code>
          {type.slice(0, 200)}
          {isNullable ? '' : ', never empty'}
        </code>
      </p>
      <Description key={path} column={column} />
      <dl className={css.facts}>
        <Fact label="Tags">
          <Chosen key={path} of={ofColumn(TAGS, path)} urns={tags} />
        </Fact>
        <Fact label="Terms">
          <Chosen key={path} of={ofColumn(TERMS, path)} urns={terms} />
        </Fact>
        {profile?.filled !== undefined && <Fact label="Filled">{(profile.filled * 100).toFixed(1)} %</Fact>}
        {profile?.distinct !== undefined && (
          <Fact label="Distinct">{profile.distinct.toLocaleString('en')}</Fact>
        )}
        {profile?.min !== undefined && <Fact label="Smallest">{profile.min.slice(0, 100)}</Fact>}
        {profile?.max !== undefined && <Fact label="Largest">{profile.max.slice(0, 100)}</Fact>}
        {profile?.atMs !== undefined && (
          <Fact label="Profile of">
            <RelativeTime ms={profile.atMs} />
          </Fact>
        )}
        <Fact label="Made from">
          <Neighbours path={path} direction="UPSTREAM" />
        </Fact>
        <Fact label="Feeds">
          <Neighbours path={path} direction="DOWNSTREAM" />
        </Fact>
      </dl>
      <ColumnChanges path={path} />
    </SidePanel>
  );
}

function Description({ column: { path, description } }: Pick<ColumnPanelProps, 'column'>) {
  const { aspectName } = OF_COLUMNS;
  const place = {
    aspectName,
    field: 'description',
    column: path,
    isRequired: false,
    hasStamp: false,
  };
  const text =
    description === undefined ? (
      <p className={css.none}>No description yet</p>
    ) : (
      <Markdown text={description} />
    );
  if (!useCanEdit()) return text;
  return (
    <Editable
      label="Edit the description"
      aspectName={aspectName}
      isLabelled
      editor={(close) => <TextEditor place={place} shown={description} onClose={close} />}
    >
      {text}
    </Editable>
  );
}

interface ChosenProps {
  readonly of: EntityList;
  /** Those of the connector too, which stay. */
  readonly urns: readonly string[];
}

function Chosen({ of, urns }: ChosenProps) {
  const { entity } = useEntityView();
  const chips = urns.length === 0 ? <None /> : <EntityChips urns={urns} />;
  if (!useCanEdit()) return chips;
  const written = new Set(elementsOf(entity, of).map((each) => urnOf(of, each)));
  const kept = urns.filter((urn) => !written.has(urn));
  return (
    <Editable
      label={of.label}
      aspectName={of.aspectName}
      editor={(close) => <EntitiesEditor of={of} kept={kept} onClose={close} />}
    >
      {chips}
    </Editable>
  );
}

/** True when the model has a place for what people write about columns. */
function useCanEdit(): boolean {
  return useEntityView().model.aspects.some(({ name }) => name === OF_COLUMNS.aspectName);
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function None() {
  return <span className={css.none}>None yet</span>;
}

interface NeighboursProps {
  readonly path: string;
  readonly direction: 'UPSTREAM' | 'DOWNSTREAM';
}

function Neighbours({ path, direction }: NeighboursProps) {
  const { urn, atMs } = useEntityView();
  const lineage = useCall('POST /relationships?action=getLineage', {
    urn: `urn:${urn.split(':')[1] ?? ''}:schemaField:(${urn},${path})`,
    direction,
    maxHops: 1,
    count: 20,
    ...(atMs === undefined ? {} : { asOf: atMs }),
  });
  return (
    <Loaded query={lineage} what="The lineage" skeleton={<Skeleton lines={1} />}>
      {({ relationships, total }) =>
        total === 0 ? (
          <span className={css.none}>Nothing known</span>
        ) : (
          <>
            <ul>
              {relationships.map(({ entity }) => (
                <Neighbour key={entity} urn={entity} />
              ))}
            </ul>
            <Link
              to="/lineage/$urn"
              params={{ urn }}
              search={(search) => ({
                ...keepAt(search),
                dir: direction === 'UPSTREAM' ? 'up' : 'down',
                column: path,
              })}
            >
              {direction === 'UPSTREAM' ? 'All that it is made from' : 'All that it feeds'}
            </Link>
          </>
        )
      }
    </Loaded>
  );
}

/** A column of another entity, or an entity as a whole. */
function Neighbour({ urn }: { readonly urn: string }) {
  const { type, key } = splitUrn(urn);
  const parent = type === 'schemaField' ? (key[0] ?? urn) : urn;
  const { name } = useCard(parent);
  return (
    <li>
      <EntityLink urn={parent}>
        <bdi>{name}</bdi>
      </EntityLink>{' '}
      {parent !== urn && <code>{key.at(-1)}</code>}
    </li>
  );
}

function ColumnChanges({ path }: { readonly path: string }) {
  const { urn } = useEntityView();
  const { changes = [] } = useChanges(urn);
  const own = changesOfColumn(changes, path).slice(0, 10);
  if (own.length === 0) return null;
  return (
    <section className={css.changes}>
      <h3>Changes of this column</h3>
      <ul>
        {own.map(({ text, atMs }) => (
          <li key={`${text} ${String(atMs)}`}>
            <bdi>{text}</bdi>{' '}
            <span className={css.none}>
              <RelativeTime ms={atMs} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

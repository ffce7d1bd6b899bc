import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { EntityRows, Panes } from '../../components/panes/panes';
import { EntityLink } from '../../components/entity/entity-link';
import { EmptyState, Loaded } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { isUrn } from '../../data/urns';
import { count, typeInWords } from '../../data/words';
import { BrowseNav } from './browse-nav';
import { FolderKind, FolderMark } from './folder-mark';
import { FolderTree } from './folder-tree';
import { readSteps, writeSteps } from './path-steps';
import css from './browse.module.css';

const route = getRouteApi('/browse/paths/$');
const PAGE = 50;
const LAST_PAGE = 100;

/** The folders of the catalog: a tree, what a folder has, and a preview. */
export function PathsPage() {
  const { _splat } = route.useParams();
  const { type, page, preview } = route.useSearch();
  const navigate = useNavigate();
  const steps = readSteps(_splat);
  const last = steps.at(-1);
  const setPreview = (urn: string | undefined): void =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, preview: urn }), resetScroll: false });
  return (
    <Panes
      label="Folders"
      preview={preview}
      onPreview={setPreview}
      tree={
        <>
          <BrowseNav />
          <div className={last === undefined ? css.root : undefined}>
            <FolderTree steps={steps} type={type} />
          </div>
        </>
      }
    >
      <div className={css.head}>
        <PageTitle title="Browse">{last === undefined ? 'All folders' : <Step step={last} />}</PageTitle>
        {isUrn(last) && <EntityLink urn={last}>About this folder</EntityLink>}
        <Types type={type} />
      </div>
      <Contents
        key={`${_splat ?? ''} ${type ?? ''}`}
        steps={steps}
        type={type}
        page={Math.min(LAST_PAGE, Math.max(1, Math.floor(Number(page ?? '1')) || 1))}
        preview={preview}
        onPreview={setPreview}
      />
    </Panes>
  );
}

function Step({ step }: { readonly step: string }) {
  return isUrn(step) ? <UrnStep urn={step} /> : <bdi>{step}</bdi>;
}

function UrnStep({ urn }: { readonly urn: string }) {
  return <bdi>{useCard(urn).name}</bdi>;
}

interface ContentsProps {
  readonly steps: readonly string[];
  readonly type: string | undefined;
  readonly page: number;
  readonly preview: string | undefined;
  readonly onPreview: (urn: string | undefined) => void;
}

function Contents({ steps, type, page, preview, onPreview }: ContentsProps) {
  const found = useCall('POST /entities?action=browseV2', {
    path: [...steps],
    start: (page - 1) * PAGE,
    count: PAGE,
    ...(type === undefined ? {} : { entities: [type] }),
  });
  return (
    <Loaded query={found} what="The folder">
      {({ groups, numGroups, numEntities, entities }) =>
        numGroups + numEntities === 0 ? (
          <EmptyState title="This folder has nothing">
            <Link to="/browse/paths/$" params={{ _splat: '' }}>
              All folders
            </Link>
          </EmptyState>
        ) : (
          <>
            {groups.length > 0 && (
              <section>
                <h2>{count(numGroups, 'folder')}</h2>
                <ul>
                  {groups.map((group) => (
                    <li key={group.name} className={css.folder}>
                      <FolderMark name={group.name} />
                      <Link
                        to="/browse/paths/$"
                        params={{ _splat: writeSteps([...steps, group.name]) }}
                        search={type === undefined ? {} : { type }}
                        className={css.link}
                      >
                        <bdi>{group.displayName}</bdi>
                      </Link>
                      <span className={css.count}>
                        <FolderKind name={group.name} />, {count(group.count, 'entity', 'entities')}
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {entities.length > 0 && (
              <section>
                <h2>{count(numEntities, 'entity', 'entities')}</h2>
                <EntityRows urns={entities} preview={preview} onPreview={onPreview} />
              </section>
            )}
            <Pages page={page} last={Math.ceil(Math.max(numGroups, numEntities) / PAGE)} />
          </>
        )
      }
    </Loaded>
  );
}

function Pages({ page, last }: { readonly page: number; readonly last: number }) {
  if (last <= 1) return null;
  const to = (next: number) => (before: object) => ({
    ...before,
    page: next === 1 ? undefined : String(next),
  });
  return (
    <nav className={css.pages} aria-label="Pages of the folder">
      {page > 1 && (
        <Link to="." search={to(page - 1)}>
          Previous
        </Link>
      )}
      <span>
        Page {page} of {last.toLocaleString('en')}
      </span>
      {page < last && (
        <Link to="." search={to(page + 1)}>
          Next
        </Link>
      )}
    </nav>
  );
}

/** Shows folders of one type alone. */
function Types({ type }: { readonly type: string | undefined }) {
  const navigate = useNavigate();
  const { data } = useCall('POST /entities?action=searchAcrossEntities', {
    input: '*',
    start: 0,
    count: 0,
    facets: ['_entityType'],
  });
  const types = data?.metadata.aggregations[0]?.filterValues?.map(({ value }) => value) ?? [];
  const all = type === undefined || types.includes(type) ? types : [type, ...types];
  return (
    <label className={css.type}>
      Type{' '}
      <select
        value={type ?? ''}
        onChange={({ target }) =>
          void navigate({ to: '.', search: { type: target.value === '' ? undefined : target.value } })
        }
      >
        <option value="">All types</option>
        {all.map((each) => (
          <option key={each} value={each}>
            {typeInWords(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

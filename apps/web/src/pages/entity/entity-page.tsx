import { Link, Outlet, useNavigate, useMatches } from '@tanstack/react-router';
import { useCurrentInView } from '../../app/frame/use-current-in-view';
import { keepAt } from '../../app/keep-at';
import { useEffect } from 'react';
import { EntityChips } from '../../components/entity/entity-link';
import { Banner, ErrorState, Loaded, Skeleton } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { TimeRail } from '../../components/time-rail/time-rail';
import { aspect, members } from '../../data/entity-card';
import { noteVisit } from '../../data/own-entities';
import { writeAt } from '../../data/times';
import { isUrn, nameFromUrn } from '../../data/urns';
import { count, toWords } from '../../data/words';
import { EntityContext } from './entity-context';
import { SavedToast } from './edit/saved-toast';
import { EntityHeader } from './header/entity-header';
import { ENTITY_TABS, type EntityTab } from './tabs';
import { useChangeDays } from './use-changes';
import { useAddress, useEntity, type EntityView } from './use-entity';
import css from './entity-page.module.css';

/** One page for all types: what it shows follows from the model. */
export function EntityPage() {
  const { urn } = useAddress();
  const query = useEntity();
  if (!isUrn(urn))
    return <ErrorState error={new Error(`“${urn.slice(0, 200)}” is no urn`)} what="The entity" />;
  return (
    <>
      {query.error !== null && query.data === undefined && (
        <div className={css.loading}>
          <PageTitle title={nameFromUrn(urn)} />
        </div>
      )}
      <Loaded
        query={query}
        what="The entity"
        skeleton={
          <div className={css.loading}>
            <PageTitle title={nameFromUrn(urn)} />
            <Skeleton lines={8} />
          </div>
        }
      >
        {(view) => <Entity view={view} />}
      </Loaded>
    </>
  );
}

function Entity({ view }: { readonly view: EntityView }) {
  const { urn, entity, card, model, atMs } = view;
  const navigate = useNavigate();
  const changed = useChangeDays(urn);
  useEffect(() => noteVisit(urn), [urn]);
  const isUnwritten = Object.keys(entity.aspects).every((name) => name === model.keyAspect);
  return (
    <EntityContext value={view}>
      <article className={css.entity}>
        <EntityHeader view={view} />
        <TimeRail
          days={changed?.days ?? []}
          total={changed?.total}
          atMs={atMs}
          onChange={(ms) =>
            void navigate({
              to: '.',
              replace: true,
              search: (before: object) => ({ ...before, at: ms === undefined ? undefined : writeAt(ms) }),
            })
          }
        />
        <Tabs view={view} />
        <div className={css.content}>
          {card.isRemoved && <Banner kind="bad">This entity is deleted: searches leave it out.</Banner>}
          {card.isDeprecated && <Banner kind="warning">This entity is deprecated.</Banner>}
          <OpenIncidents entity={entity} />
          {isUnwritten && (
            <Banner kind="info">
              {atMs === undefined ? (
                <>
                  Nothing is written about this entity.{' '}
                  <Link to="/search" search={{ q: card.name }}>
                    Search for its name
                  </Link>
                </>
              ) : (
                'Nothing was written about this entity at that time.'
              )}
            </Banner>
          )}
          {(entity.lost ?? []).map((name) => (
            <Banner key={name} kind="warning">
              {toWords(name)}: removed by retention.
            </Banner>
          ))}
          <Outlet />
        </div>
        <SavedToast urn={urn} />
      </article>
    </EntityContext>
  );
}

function OpenIncidents({ entity }: Pick<EntityView, 'entity'>) {
  const urns = members(aspect(entity, 'incidentsSummary')?.activeIncidentDetails, 'urn');
  if (urns.length === 0) return null;
  return (
    <Banner kind="bad">
      {count(urns.length, 'open incident')}: <EntityChips urns={urns} most={3} />
    </Banner>
  );
}

function Tabs({ view }: { readonly view: EntityView }) {
  const bar = useCurrentInView();
  return (
    <nav ref={bar} className={css.tabs} aria-label="About this entity">
      {ENTITY_TABS.map((tab) => (
        <Tab key={tab.to} tab={tab} view={view} />
      ))}
    </nav>
  );
}

function Tab({
  tab: { to, label, whyEmpty, count: countOf },
  view,
}: {
  readonly tab: EntityTab;
  readonly view: EntityView;
}) {
  // By its route, because one urn is percent-encoded in several ways.
  const shown = useMatches({ select: (matches) => matches.at(-1)?.fullPath.replace(/\/$/, '') });
  const reason = whyEmpty?.(view);
  if (reason === null) return null;
  if (reason !== undefined) {
    return (
      <span className={css.disabled} aria-disabled="true" title={reason}>
        {label}
      </span>
    );
  }
  const number = countOf?.(view);
  return (
    <Link
      to={to}
      params={{ urn: view.urn }}
      search={keepAt}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={to === shown ? 'page' : undefined}
      className={css.tab}
    >
      {label} {number !== undefined && <span className={css.count}>{number.toLocaleString('en')}</span>}
    </Link>
  );
}

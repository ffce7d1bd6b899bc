import { Link } from '@tanstack/react-router';
import { EntityLink } from '../../components/entity/entity-link';
import { SearchBox } from '../../components/search-box/search-box';
import { Icon } from '../../components/icon/icon';
import { Loaded } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { count } from '../../data/words';
import { OwnEntities } from './own-entities';
import { RecentChanges } from './recent-changes';
import css from './home-page.module.css';

/** What anybody may try, on any catalog. */
const EXAMPLES = ['customers', 'orders', 'revenue', 'fieldTags:pii'];
const EVERYTHING = { input: '*', start: 0, count: 0, facets: ['_entityType', 'platform', 'domains'] };

export function HomePage() {
  const everything = useCall('POST /entities?action=searchAcrossEntities', EVERYTHING);
  const facet = (name: string): readonly { value: string; facetCount: number }[] =>
    everything.data?.metadata.aggregations.find((each) => each.name === name)?.filterValues ?? [];
  const entities = everything.data?.numEntities ?? 0;
  return (
    <div className={css.page}>
      <PageTitle title="Home">Find what you need to know about your data</PageTitle>
      <SearchBox kind="large" placeholder="A table, a column, a person, a word of the glossary" />
      <div className={css.examples}>
        <span>Try</span>
        {EXAMPLES.map((q) => (
          <Link key={q} to="/search" search={{ q }} className={css.example}>
            {q}
          </Link>
        ))}
        {everything.data !== undefined && (
          <span className={css.total}>
            {count(entities, 'entity', 'entities')} on {count(facet('platform').length, 'platform')}
          </span>
        )}
      </div>
      <div className={css.columns}>
        <div className={`${css.column ?? ''} ${css.wider ?? ''}`}>
          <OwnEntities />
          <section className={css.section}>
            <h2>Browse by domain</h2>
            <Loaded query={everything} what="The domains">
              {() =>
                facet('domains').length === 0 ? (
                  <p className={css.none}>No entity has a domain yet.</p>
                ) : (
                  <ul className={css.domains}>
                    {facet('domains').map(({ value, facetCount }) => (
                      <Domain key={value} urn={value} entities={facetCount} />
                    ))}
                  </ul>
                )
              }
            </Loaded>
          </section>
        </div>
        <div className={css.column}>
          <Incidents />
          <RecentChanges />
        </div>
      </div>
    </div>
  );
}

function Domain({ urn, entities }: { readonly urn: string; readonly entities: number }) {
  const { name, description } = useCard(urn);
  return (
    <li>
      <Link to="/domains/$urn" params={{ urn }} className={css.domain}>
        <span className={css.domainName}>
          <Icon name="layers" />
          <bdi>{name}</bdi>
          <span className={css.count}>{entities.toLocaleString('en')}</span>
        </span>
        {description !== undefined && <span className={css.text}>{description.slice(0, 200)}</span>}
      </Link>
    </li>
  );
}

const ACTIVE = { or: [{ and: [{ field: 'state', values: ['ACTIVE'], condition: 'EQUAL' as const }] }] };

/** Incidents that are open, the last ones first; without any, nothing. */
function Incidents() {
  const { data } = useCall('POST /entities?action=searchAcrossEntities', {
    input: '*',
    entities: ['incident'],
    start: 0,
    count: 5,
    facets: [],
    filter: ACTIVE,
  });
  if (data === undefined || data.numEntities === 0) return null;
  return (
    <section className={css.section}>
      <h2>
        Needs attention <span className={css.bad}>{count(data.numEntities, 'open incident')}</span>
      </h2>
      <ul className={css.list}>
        {data.metadata.urns.map((urn) => (
          <Incident key={urn} urn={urn} />
        ))}
      </ul>
    </section>
  );
}

function Incident({ urn }: { readonly urn: string }) {
  const { name, description } = useCard(urn);
  return (
    <li className={css.incident}>
      <Icon name="circleAlert" />
      <span>
        <EntityLink urn={urn} className={css.strong}>
          <bdi>{name}</bdi>
        </EntityLink>
        {description !== undefined && <span className={css.text}>{description.slice(0, 200)}</span>}
      </span>
    </li>
  );
}

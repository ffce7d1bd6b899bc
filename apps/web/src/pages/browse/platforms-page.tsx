import { Link } from '@tanstack/react-router';
import { Tile } from '../../components/entity/tile';
import { EmptyState, Loaded } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { count } from '../../data/words';
import { BrowseNav } from './browse-nav';
import css from './browse.module.css';

const BY_PLATFORM = {
  input: '*',
  start: 0,
  count: 0,
  facets: ['platform'],
  searchFlags: { maxAggValues: 500 },
};

/** The platforms of the catalog with the number of their entities. */
export function PlatformsPage() {
  const found = useCall('POST /entities?action=searchAcrossEntities', BY_PLATFORM);
  return (
    <div className={css.page}>
      <BrowseNav />
      <PageTitle title="Platforms" />
      <Loaded query={found} what="The platforms">
        {({ metadata }) => {
          const platforms = metadata.aggregations[0]?.filterValues ?? [];
          if (platforms.length === 0) return <EmptyState title="No entity has a platform yet" />;
          return (
            <ul className={css.tiles}>
              {platforms.map(({ value, facetCount }) => (
                <Platform key={value} urn={value} entities={facetCount} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </div>
  );
}

function Platform({ urn, entities }: { readonly urn: string; readonly entities: number }) {
  const { name } = useCard(urn);
  return (
    <li>
      <Link to="/search" search={{ platform: [urn] }} className={css.tile}>
        <Tile type="dataPlatform" platform={urn} size="large" />
        <span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <br />
          <span className={css.count}>{count(entities, 'entity', 'entities')}</span>
        </span>
      </Link>
    </li>
  );
}

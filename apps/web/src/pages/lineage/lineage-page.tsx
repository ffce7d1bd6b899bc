import { Suspense, lazy } from 'react';
import { Banner, ErrorState, Loaded, Skeleton } from '../../components/states/states';
import { isUrn } from '../../data/urns';
import { ComparisonPanel } from './panel/comparison-panel';
import { ImpactPanel } from './panel/impact-panel';
import { LineageHeader } from './lineage-header';
import { LineageList } from './lineage-list';
import { Sentences } from './sentences';
import { UpstreamPanel } from './panel/upstream-panel';
import { useLineageAddress } from './lineage-address';
import { useLineage } from './use-lineage';
import { useIsNarrow } from './use-is-narrow';
import css from './lineage-page.module.css';

const LineageCanvas = lazy(() =>
  import('./canvas/lineage-canvas').then(({ LineageCanvas: Canvas }) => ({ default: Canvas })),
);

/** What an entity is made from and what is made from it, as a picture and as a list, with the answer beside it. */
export function LineagePage() {
  const address = useLineageAddress();
  if (!isUrn(address.urn))
    return <ErrorState error={new Error(`“${address.urn.slice(0, 200)}” is no urn`)} what="The lineage" />;
  return <Lineage />;
}

function Lineage() {
  const address = useLineageAddress();
  const isNarrow = useIsNarrow();
  const isList = isNarrow || address.view === 'list';
  const lineage = useLineage(address);
  return (
    <div className={css.page}>
      <LineageHeader address={address} hasPicture={!isNarrow} />
      <div className={`${css.body ?? ''} ${isList ? (css.asList ?? '') : ''}`}>
        <section
          className={css.picture}
          aria-label={isList ? 'List of the lineage' : 'Picture of the lineage'}
        >
          <Loaded query={lineage} what="The lineage" skeleton={<Skeleton lines={10} />}>
            {(shown) => (
              <>
                <Sentences shown={shown} address={address} />
                {shown.graph.nodes.length === 1 && (
                  <Banner kind="info">No lineage of this entity is known in this direction.</Banner>
                )}
                {isList ? (
                  <LineageList shown={shown} />
                ) : (
                  <Suspense fallback={<Skeleton lines={10} />}>
                    {/* Another start is another picture: it begins in view. */}
                    <LineageCanvas key={address.urn} shown={shown} />
                  </Suspense>
                )}
              </>
            )}
          </Loaded>
        </section>
        <aside className={css.panel} aria-label="What it means">
          {address.fromMs !== undefined && (
            <ComparisonPanel address={address} comparison={lineage.comparison} />
          )}
          {address.direction !== 'up' && <ImpactPanel address={address} />}
          {address.direction !== 'down' && <UpstreamPanel address={address} />}
        </aside>
      </div>
    </div>
  );
}

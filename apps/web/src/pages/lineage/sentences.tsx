import { Link } from '@tanstack/react-router';
import { keepAt } from '../../app/keep-at';
import { Banner } from '../../components/states/states';
import { useCard } from '../../data/use-card';
import { count } from '../../data/words';
import type { LineageAddress } from './lineage-address';
import { useWalk } from './use-walk';
import type { ShownLineage } from './use-lineage';
import css from './lineage-page.module.css';

interface SentencesProps {
  readonly shown: ShownLineage;
  readonly address: LineageAddress;
}

/** Says what the picture leaves out, and where to go on. */
export function Sentences({ shown, address }: SentencesProps) {
  const { partial, purged } = shown.start;
  const walks = [useWalk(address, 'DOWNSTREAM'), useWalk(address, 'UPSTREAM')];
  const filtered = walks.reduce((sum, { data }) => sum + (data?.filtered ?? 0), 0);
  const continueAt = [...new Set(walks.flatMap(({ data }) => data?.continueAt ?? []))];
  const isCut = partial === true || walks.some(({ data }) => data?.partial === true);
  if (!isCut && filtered === 0 && purged === undefined) return null;
  return (
    <div className={css.sentences}>
      {isCut && (
        <Banner kind="info">
          The nearest {shown.start.nodes.length.toLocaleString('en')} entities are shown; there are more.
          {continueAt.length > 0 && (
            <>
              {' Continue at '}
              {continueAt.slice(0, 5).map((urn) => (
                <ContinueLink key={urn} urn={urn} />
              ))}
            </>
          )}
        </Banner>
      )}
      {filtered > 0 && (
        <Banner kind="info">
          {count(filtered, 'entity is', 'entities are')} left out, because they are deleted.
        </Banner>
      )}
      {purged !== undefined && (
        <Banner kind="warning">
          The lineage that {count(purged.total, 'entity', 'entities')} had at that time is removed by
          retention.
        </Banner>
      )}
    </div>
  );
}

function ContinueLink({ urn }: { readonly urn: string }) {
  return (
    <Link to="/lineage/$urn" params={{ urn }} search={keepAt} className={css.continue}>
      <bdi>{useCard(urn).name}</bdi>
    </Link>
  );
}

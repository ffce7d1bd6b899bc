import { Link } from '@tanstack/react-router';
import { keepAt } from '../../../app/keep-at';
import { EntityLink } from '../../../components/entity/entity-link';
import { KindAndPath } from '../../../components/entity/entity-path';
import { Tile } from '../../../components/entity/tile';
import { Loaded, isBeforeHistory } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { count } from '../../../data/words';
import { useEntityView } from '../entity-context';
import css from './overview-tab.module.css';

const MOST = 4;

/** The neighbours in lineage on either side, and the jobs in between. */
export function OneHop() {
  const { urn, card, atMs } = useEntityView();
  const picture = useCall('GET /lineage/:urn', {
    urn: `${urn}.json`,
    maxHops: 1,
    ...(atMs === undefined ? {} : { asOf: atMs }),
  });
  return (
    <section className={css.section}>
      <div className={css.head}>
        <h2>Where it comes from, where it goes</h2>
        <Link to="/lineage/$urn" params={{ urn }} search={keepAt}>
          Open the lineage
        </Link>
      </div>
      {isBeforeHistory(picture.error, atMs) ? (
        <p className={css.role}>Not known for this time</p>
      ) : (
        <Loaded query={picture} what="The lineage">
          {(answer) => {
            const nodes = typeof answer === 'object' && 'nodes' in answer ? answer.nodes : [];
            const jobs = nodes.filter(({ degree, entityType }) => degree === -1 && entityType === 'dataJob');
            const from = nodes.filter(({ degree, entityType }) => degree < 0 && entityType !== 'dataJob');
            const to = nodes.filter(({ degree }) => degree > 0);
            if (nodes.length <= 1) return <p className={css.role}>Nothing known</p>;
            return (
              <div className={css.hop}>
                <Side title="Comes from" urns={from.map((node) => node.urn)} />
                <div className={css.self}>
                  <span className={css.node}>
                    <Tile type={card.type} platform={card.platform} />
                    <bdi>{card.name.slice(0, 100)}</bdi>
                  </span>
                  {jobs.slice(0, MOST).map((job) => (
                    <Job key={job.urn} urn={job.urn} />
                  ))}
                </div>
                <Side title="Goes to" urns={to.map((node) => node.urn)} />
              </div>
            );
          }}
        </Loaded>
      )}
    </section>
  );
}

function Side({ title, urns }: { readonly title: string; readonly urns: readonly string[] }) {
  return (
    <div className={css.neighbours}>
      <h3>{title}</h3>
      {urns.length === 0 && <p className={css.role}>Nothing known</p>}
      <ul>
        {urns.slice(0, MOST).map((urn) => (
          <Neighbour key={urn} urn={urn} />
        ))}
      </ul>
      {urns.length > MOST && <p className={css.role}>{count(urns.length - MOST, 'more', 'more')}</p>}
    </div>
  );
}

function Neighbour({ urn }: { readonly urn: string }) {
  const card = useCard(urn);
  return (
    <li>
      <EntityLink urn={urn} className={css.node}>
        <Tile type={card.type} platform={card.platform} />
        <span className={css.names}>
          <bdi>{card.name}</bdi>
          <KindAndPath card={card} />
        </span>
      </EntityLink>
    </li>
  );
}

function Job({ urn }: { readonly urn: string }) {
  const { name, platform, type } = useCard(urn);
  return (
    <EntityLink urn={urn} className={css.job}>
      <Tile type={type} platform={platform} size="small" /> <bdi>{name}</bdi>
    </EntityLink>
  );
}

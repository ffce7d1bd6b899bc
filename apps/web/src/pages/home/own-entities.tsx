import { useState } from 'react';
import { EntityLink } from '../../components/entity/entity-link';
import { KindAndPath } from '../../components/entity/entity-path';
import { Tile } from '../../components/entity/tile';
import { Segmented } from '../../components/button/segmented';
import { recent, starred } from '../../data/own-entities';
import { useStore } from '../../data/store';
import { useCard } from '../../data/use-card';
import css from './home-page.module.css';

const MOST = 6;

/** What a person used or starred, which this browser alone knows. */
export function OwnEntities() {
  const [shown, setShown] = useState<'recent' | 'starred'>('recent');
  const lists = { recent: useStore(recent), starred: useStore(starred) };
  const urns = lists[shown].slice(0, MOST);
  return (
    <section className={css.section}>
      <div className={css.head}>
        <h2>Yours and recent</h2>
        <Segmented
          label="Which entities"
          value={shown}
          options={[
            { value: 'recent', label: 'Recent' },
            { value: 'starred', label: 'Starred' },
          ]}
          onChange={setShown}
        />
      </div>
      {urns.length === 0 ? (
        <p className={css.none}>
          {shown === 'recent'
            ? 'What you open will stand here.'
            : 'The star on the page of an entity puts it here.'}
        </p>
      ) : (
        <ul className={css.list}>
          {urns.map((urn) => (
            <OwnEntity key={urn} urn={urn} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OwnEntity({ urn }: { readonly urn: string }) {
  const card = useCard(urn);
  const [owner] = card.owners;
  return (
    <li>
      <EntityLink urn={urn} className={css.entity}>
        <Tile type={card.type} platform={card.platform} />
        <span className={css.names}>
          <bdi className={css.strong}>{card.name}</bdi>
          <KindAndPath card={card} />
        </span>
        {owner !== undefined && <Owner urn={owner} />}
      </EntityLink>
    </li>
  );
}

function Owner({ urn }: { readonly urn: string }) {
  return <bdi className={css.owner}>{useCard(urn).name}</bdi>;
}

import { useState } from 'react';
import { EntityLink } from '../../components/entity/entity-link';
import { KindAndPath } from '../../components/entity/entity-path';
import { Tile } from '../../components/entity/tile';
import { Segmented } from '../../components/button/segmented';
import { recent, starred } from '../../data/own-entities';
import { useStore } from '../../data/store';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import css from './home-page.module.css';

const MOST = 6;

type List = 'recent' | 'starred' | 'owned';

const EMPTY: Readonly<Record<List, string>> = {
  recent: 'What you open will stand here.',
  starred: 'The star on the page of an entity puts it here.',
  owned: 'No entity names you as its owner.',
};

/** What a person used or starred, which this browser alone knows, or owns. */
export function OwnEntities() {
  const [shown, setShown] = useState<List>('recent');
  const lists = { recent: useStore(recent), starred: useStore(starred), owned: useOwned(shown === 'owned') };
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
            { value: 'owned', label: 'I own' },
          ]}
          onChange={setShown}
        />
      </div>
      {urns.length === 0 ? (
        <p className={css.none}>{EMPTY[shown]}</p>
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

/** What names the caller as an owner. */
function useOwned(isWanted: boolean): readonly string[] {
  const { data: caller } = useCall('GET /session', undefined, { isWanted });
  const actor = caller?.actor ?? '';
  const { data } = useCall(
    'POST /entities?action=searchAcrossEntities',
    {
      input: '*',
      start: 0,
      count: MOST,
      facets: [],
      filter: { or: [{ and: [{ field: 'owners', values: [actor], condition: 'EQUAL' }] }] },
    },
    { isWanted: isWanted && actor !== '' },
  );
  return data?.metadata.urns ?? [];
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

import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { one } from '../../app/search-parameters';
import { Button } from '../../components/button/button';
import { EntityChips, EntityLink } from '../../components/entity/entity-link';
import { Markdown } from '../../components/markdown/markdown';
import { EntityTree, childrenOf, type TreeKind } from '../../components/panes/entity-tree';
import { EntityRows, Panes } from '../../components/panes/panes';
import { useAncestors } from '../../components/panes/use-ancestors';
import { EmptyState, Loaded } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { count } from '../../data/words';
import css from './domains.module.css';

const DOMAINS: TreeKind = {
  types: ['domain'],
  parentField: 'parentDomain',
  parents: ['domain'],
  to: '/domains/$urn',
};
const MOST = 50;

/** The parts of the business: their tree, and what the chosen one has. */
export function DomainsPage() {
  const { urn } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const preview = one(search.preview);
  const navigate = useNavigate();
  const setPreview = (of: string | undefined): void =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, preview: of }), resetScroll: false });
  const ancestors = useAncestors(urn, DOMAINS.parentField);
  return (
    <Panes
      label="Domains"
      preview={preview}
      onPreview={setPreview}
      tree={<EntityTree key={ancestors.join()} kind={DOMAINS} current={urn} ancestors={ancestors} />}
    >
      {urn === undefined ? (
        <EmptyState title="Choose a domain">
          <PageTitle title="Domains" isHidden />
          <p>A domain is a part of the business, with the data that belongs to it.</p>
        </EmptyState>
      ) : (
        <Domain key={urn} urn={urn} q={one(search.q) ?? ''} preview={preview} onPreview={setPreview} />
      )}
    </Panes>
  );
}

interface DomainProps {
  readonly urn: string;
  readonly q: string;
  readonly preview: string | undefined;
  readonly onPreview: (urn: string | undefined) => void;
}

function Domain({ urn, q, preview, onPreview }: DomainProps) {
  const { name, description, owners } = useCard(urn);
  const below = useCall('POST /entities?action=searchAcrossEntities', childrenOf(DOMAINS, urn));
  const products = useCall('POST /entities?action=searchAcrossEntities', inDomain(urn, '*', ['dataProduct']));
  const subdomains = below.data?.metadata.urns ?? [];
  const found = products.data?.metadata.urns ?? [];
  return (
    <>
      <header className={css.head}>
        <PageTitle title={name}>
          <bdi>{name}</bdi>
        </PageTitle>
        <p className={css.about}>
          <EntityLink urn={urn}>About this domain</EntityLink> <EntityChips urns={owners} />
        </p>
        {description !== undefined && <Markdown text={description} />}
      </header>
      {subdomains.length > 0 && (
        <section>
          <h2>{count(subdomains.length, 'subdomain')}</h2>
          <ul>
            {subdomains.map((each) => (
              <Subdomain key={each} urn={each} />
            ))}
          </ul>
        </section>
      )}
      {found.length > 0 && (
        <section>
          <h2>{count(found.length, 'data product')}</h2>
          <EntityRows urns={found} preview={preview} onPreview={onPreview} />
        </section>
      )}
      <Within urn={urn} q={q} preview={preview} onPreview={onPreview} />
    </>
  );
}

function Subdomain({ urn }: { readonly urn: string }) {
  const { name } = useCard(urn);
  return (
    <li className={css.row}>
      <Link to="/domains/$urn" params={{ urn }}>
        <bdi>{name}</bdi>
      </Link>
    </li>
  );
}

/** A search among the entities of the domain. */
function Within({ urn, q, preview, onPreview }: DomainProps) {
  const [text, setText] = useState(q);
  const navigate = useNavigate();
  const found = useCall('POST /entities?action=searchAcrossEntities', inDomain(urn, q === '' ? '*' : q), {
    keepsFormer: true,
  });
  return (
    <section>
      <form
        role="search"
        aria-label="In this domain"
        className={css.search}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = text.trim();
          void navigate({
            to: '.',
            search: (before: object) => ({ ...before, q: wanted === '' ? undefined : wanted }),
          });
        }}
      >
        <input
          aria-label="Search in this domain"
          placeholder="Search in this domain"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit">Search</Button>
      </form>
      <Loaded query={found} what="What the domain has">
        {({ numEntities, metadata }) => (
          <>
            <h2>What it has</h2>
            <p role="status" className={css.total}>
              {count(numEntities, 'entity', 'entities')}
            </p>
            <EntityRows urns={metadata.urns} preview={preview} onPreview={onPreview} />
            {numEntities > metadata.urns.length && (
              <Link to="/search" search={{ domains: [urn], ...(q === '' ? {} : { q }) }}>
                Search all {numEntities.toLocaleString('en')}
              </Link>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function inDomain(urn: string, input: string, entities?: readonly string[]) {
  return {
    input,
    start: 0,
    count: MOST,
    facets: [],
    ...(entities === undefined ? {} : { entities: [...entities] }),
    filter: { or: [{ and: [{ field: 'domains', values: [urn], condition: 'EQUAL' as const }] }] },
  };
}

import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { one } from '../../app/search-parameters';
import { EntityChips, EntityLink } from '../../components/entity/entity-link';
import { Markdown } from '../../components/markdown/markdown';
import { EntityTree, childrenOf, type TreeKind } from '../../components/panes/entity-tree';
import { EntityRows, Panes } from '../../components/panes/panes';
import { useAncestors } from '../../components/panes/use-ancestors';
import { EmptyState, Loaded } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { splitUrn } from '../../data/urns';
import { count } from '../../data/words';
import { TermColumns } from './term-columns';
import css from './glossary.module.css';

const GLOSSARY: TreeKind = {
  types: ['glossaryNode', 'glossaryTerm'],
  parentField: 'parentNode',
  parents: ['glossaryNode'],
  to: '/glossary/$urn',
};
const MOST = 50;

/** The words of the business: their tree, and the definition, relations and uses of the chosen one. */
export function GlossaryPage() {
  const { urn } = useParams({ strict: false });
  const preview = one(useSearch({ strict: false }).preview);
  const navigate = useNavigate();
  const setPreview = (of: string | undefined): void =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, preview: of }), resetScroll: false });
  const ancestors = useAncestors(urn, GLOSSARY.parentField);
  return (
    <Panes
      label="Glossary"
      preview={preview}
      onPreview={setPreview}
      tree={<EntityTree key={ancestors.join()} kind={GLOSSARY} current={urn} ancestors={ancestors} />}
    >
      {urn === undefined ? (
        <EmptyState title="Choose a term">
          <PageTitle title="Glossary" isHidden />
          <p>A term is a word of the business with an agreed meaning.</p>
        </EmptyState>
      ) : (
        <>
          <Head urn={urn} />
          {splitUrn(urn).type === 'glossaryNode' ? (
            <Below urn={urn} />
          ) : (
            <>
              <Related urn={urn} />
              <Uses urn={urn} preview={preview} onPreview={setPreview} />
              <TermColumns urn={urn} />
            </>
          )}
        </>
      )}
    </Panes>
  );
}

function Head({ urn }: { readonly urn: string }) {
  const { name, description, owners } = useCard(urn);
  return (
    <header className={css.head}>
      <PageTitle title={name}>
        <bdi>{name}</bdi>
      </PageTitle>
      <p className={css.about}>
        <EntityLink urn={urn}>History and other facts</EntityLink> <EntityChips urns={owners} />
      </p>
      {description === undefined ? (
        <p className={css.none}>No definition</p>
      ) : (
        <Markdown text={description} />
      )}
    </header>
  );
}

function Below({ urn }: { readonly urn: string }) {
  const below = useCall('POST /entities?action=searchAcrossEntities', childrenOf(GLOSSARY, urn));
  return (
    <section>
      <h2>Terms</h2>
      <Loaded query={below} what="The terms">
        {({ metadata }) =>
          metadata.urns.length === 0 ? (
            <p className={css.none}>This group has no terms.</p>
          ) : (
            <ul>
              {metadata.urns.map((each) => (
                <TermRow key={each} urn={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function TermRow({ urn }: { readonly urn: string }) {
  const { name, description } = useCard(urn);
  return (
    <li className={css.row}>
      <Link to="/glossary/$urn" params={{ urn }} className={css.link}>
        <bdi>{name}</bdi>
      </Link>
      {description !== undefined && <p className={css.none}>{description.slice(0, 300)}</p>}
    </li>
  );
}

/** Relations between terms, by the direction in which they read. */
const RELATIONS: readonly (readonly [type: string, outgoing: string, incoming: string])[] = [
  ['IsA', 'Is a', 'Has as kinds'],
  ['HasA', 'Has', 'Is part of'],
  ['HasValue', 'Has the values', 'Is a value of'],
  ['IsRelatedTo', 'Related to', 'Related to'],
];
const TYPES = RELATIONS.map(([type]) => type);

function Related({ urn }: { readonly urn: string }) {
  const outgoing = useCall('GET /relationships', { urn, direction: 'OUTGOING', types: TYPES });
  const incoming = useCall('GET /relationships', { urn, direction: 'INCOMING', types: TYPES });
  const lists = new Map<string, Set<string>>();
  for (const [type, out, back] of RELATIONS) {
    for (const [label, answer] of [[out, outgoing.data] as const, [back, incoming.data] as const]) {
      const found = (answer?.relationships ?? []).filter((each) => each.type === type);
      if (found.length > 0) {
        lists.set(label, new Set([...(lists.get(label) ?? []), ...found.map(({ entity }) => entity)]));
      }
    }
  }
  if (lists.size === 0) return null;
  return (
    <section>
      <h2>Related terms</h2>
      <dl className={css.related}>
        {[...lists].map(([label, terms]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {[...terms].map((term) => (
                <TermLink key={term} urn={term} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function TermLink({ urn }: { readonly urn: string }) {
  return (
    <Link to="/glossary/$urn" params={{ urn }} className={css.term}>
      <bdi>{useCard(urn).name}</bdi>
    </Link>
  );
}

interface UsesProps {
  readonly urn: string;
  readonly preview: string | undefined;
  readonly onPreview: (urn: string | undefined) => void;
}

function Uses({ urn, preview, onPreview }: UsesProps) {
  const found = useCall('POST /entities?action=searchAcrossEntities', {
    input: '*',
    start: 0,
    count: MOST,
    facets: [],
    filter: { or: [{ and: [{ field: 'glossaryTerms', values: [urn], condition: 'EQUAL' as const }] }] },
  });
  return (
    <section>
      <h2>Uses</h2>
      <Loaded query={found} what="The uses">
        {({ numEntities, metadata }) => (
          <>
            <p className={css.none}>{count(numEntities, 'entity has', 'entities have')} this term.</p>
            <EntityRows urns={metadata.urns} preview={preview} onPreview={onPreview} />
            {numEntities > metadata.urns.length && (
              <Link to="/search" search={{ glossaryTerms: [urn] }}>
                Search all {numEntities.toLocaleString('en')}
              </Link>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

import { useState } from 'react';
import { Button } from '../../components/button/button';
import { EntityChips, EntityLink } from '../../components/entity/entity-link';
import { KindAndPath } from '../../components/entity/entity-path';
import { Tile } from '../../components/entity/tile';
import { Loaded } from '../../components/states/states';
import { Marked } from '../../components/text/marked';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { isUrn } from '../../data/urns';
import { toWords } from '../../data/words';
import type { SearchAnswer } from './facets';
import { toFoundCard, type FoundCard } from './found-card';
import css from './search-page.module.css';

type MatchedField = SearchAnswer['metadata']['matches'][number]['matchedFields'][number];

const NAMES = ['name', 'title', 'displayName', 'editedName', 'fullName'];
const TEXTS = ['description', 'editedDescription', 'definition'];
/** They repeat the name. */
const LEFT_OUT = ['urn', 'id', 'qualifiedName', 'lowercasedUrn'];
const FIELD_WORDS: Readonly<Record<string, string>> = {
  fieldPaths: 'Column',
  fieldDescriptions: 'Text of a column',
  fieldTags: 'Tag of a column',
  fieldGlossaryTerms: 'Term of a column',
  glossaryTerms: 'Term',
  tags: 'Tag',
  owners: 'Owner',
  domains: 'Domain',
};
const MOST_REASONS = 4;

interface ResultRowProps {
  readonly urn: string;
  /** What the search itself says of the entity. */
  readonly found: FoundCard | undefined;
  readonly matched: readonly MatchedField[];
  readonly query: string;
}

/** One result, with the reason why it was found. */
export function ResultRow({ urn, found, matched, query }: ResultRowProps) {
  const card = useCard(urn, found === undefined ? undefined : toFoundCard(urn, found));
  const [isExplained, setExplained] = useState(false);
  const ofName = matched.find(({ name, value }) => NAMES.includes(name) && value === card.name);
  const ofText = matched.find(({ name }) => TEXTS.includes(name));
  const reasons = matched.filter(
    ({ name }) => !NAMES.includes(name) && !TEXTS.includes(name) && !LEFT_OUT.includes(name),
  );
  return (
    <li className={css.result}>
      <Tile type={card.type} platform={card.platform} />
      <div className={css.words}>
        <p className={css.name}>
          <EntityLink urn={urn} className={css.link}>
            {ofName?.fragment === undefined ? <bdi>{card.name}</bdi> : <Marked {...ofName.fragment} />}
          </EntityLink>{' '}
          <KindAndPath card={card} />
        </p>
        {ofText?.fragment === undefined ? (
          card.description !== undefined && (
            <p className={css.text}>
              <bdi>{card.description.slice(0, 400)}</bdi>
            </p>
          )
        ) : (
          <p className={css.text}>
            <Marked {...ofText.fragment} />
            {ofText.fragment.isCut && '…'}
          </p>
        )}
        {reasons.length > 0 && (
          <p className={css.reasons}>
            {reasons.slice(0, MOST_REASONS).map((field, at) => (
              <Reason key={`${field.name} ${field.value}`} field={field} isFirst={at === 0} />
            ))}
          </p>
        )}
        <div className={css.why}>
          <Button
            kind="quiet"
            size="small"
            aria-expanded={isExplained}
            onClick={() => setExplained(!isExplained)}
          >
            Why here?
          </Button>
        </div>
        {isExplained && <Explanation urn={urn} query={query} />}
      </div>
      <div className={css.aside}>
        <EntityChips urns={card.tags} most={3} />
        <EntityChips urns={card.owners} most={1} />
      </div>
    </li>
  );
}

function Reason({ field, isFirst }: { readonly field: MatchedField; readonly isFirst: boolean }) {
  const { name, value, fragment } = field;
  return (
    <span>
      {!isFirst && ' · '}
      {FIELD_WORDS[name] ?? toWords(name)}{' '}
      <span className={name === 'fieldPaths' ? css.code : undefined}>
        {isUrn(value) ? (
          <mark>
            <NameOf urn={value} />
          </mark>
        ) : fragment === undefined ? (
          <bdi>{value.slice(0, 200)}</bdi>
        ) : (
          <Marked {...fragment} />
        )}
      </span>
    </span>
  );
}

function NameOf({ urn }: { readonly urn: string }) {
  return <bdi>{useCard(urn).name}</bdi>;
}

/** The catalog's own sentences about the place of a result. */
function Explanation({ urn, query }: { readonly urn: string; readonly query: string }) {
  const explained = useCall('GET /operations/search/explain', { urn, query: query.slice(0, 1_000) });
  return (
    <Loaded query={explained} what="The explanation">
      {({ reasons, rank, total, above }) => (
        <div className={css.explanation}>
          {rank !== undefined && (
            <p>
              Number {rank} of {total} among its type.
            </p>
          )}
          <ul>
            {[...reasons, ...(above?.reasons ?? [])].map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}

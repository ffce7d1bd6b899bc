import type { JsonObject } from '@stratalog/json';
import { Link } from '@tanstack/react-router';
import { keepAt } from '../../../app/keep-at';
import { EntityChip, EntityChips } from '../../../components/entity/entity-link';
import { Markdown } from '../../../components/markdown/markdown';
import { EmptyState } from '../../../components/states/states';
import { aspect, isObject, list, members } from '../../../data/entity-card';
import { enumInWords, toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import { AspectSection } from './aspect-section';
import { OneHop } from './one-hop';
import { hasLineage } from '../header/feeds';
import css from './overview-tab.module.css';

/** They have places of their own: the header, the side, another tab. */
const SHOWN_ELSEWHERE = [
  'browsePaths',
  'browsePathsV2',
  'container',
  'dataPlatformInstance',
  'deprecation',
  'domains',
  'globalTags',
  'glossaryTerms',
  'ownership',
  'schemaMetadata',
  'status',
  'subTypes',
  'upstreamLineage',
  'inputFields',
];

/** What there is to know at once: the description, where it comes from and goes, and every other aspect by its fields. */
export function OverviewTab() {
  const { entity, card, model } = useEntityView();
  const others = model.aspects.filter(
    ({ name, kind }) => kind === 'versioned' && !SHOWN_ELSEWHERE.includes(name) && name !== model.keyAspect,
  );
  const shown = others.filter(({ name }) => aspect(entity, name) !== undefined);
  const empty = others.filter(({ name }) => aspect(entity, name) === undefined);
  return (
    <div className={css.columns}>
      <div className={css.main}>
        {card.description === undefined ? (
          <EmptyState title="No description yet" />
        ) : (
          <section aria-label="Description">
            <Markdown text={card.description} />
          </section>
        )}
        {hasLineage(model) && <OneHop />}
        {shown.map(({ name }) => (
          <AspectSection
            key={name}
            name={name}
            value={withoutText(aspect(entity, name) ?? {}, card.description)}
          />
        ))}
        <AspectSection name={model.keyAspect} value={aspect(entity, model.keyAspect) ?? {}} />
        {empty.length > 0 && (
          <details className={css.empty}>
            <summary>Nothing written: {empty.length.toLocaleString('en')} other aspects</summary>
            <p>{empty.map(({ name }) => toWords(name)).join(', ')}</p>
          </details>
        )}
      </div>
      <About />
    </div>
  );
}

/** The description stands at the top. */
function withoutText(value: JsonObject, text: string | undefined): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== text));
}

function About() {
  const { entity, card, model } = useEntityView();
  const canHave = (name: string): boolean => model.aspects.some((each) => each.name === name);
  const owners = list(aspect(entity, 'ownership')?.owners).flatMap((each) =>
    isObject(each) && typeof each.owner === 'string'
      ? [{ urn: each.owner, role: typeof each.type === 'string' ? each.type : '' }]
      : [],
  );
  const terms = members(aspect(entity, 'glossaryTerms')?.terms, 'urn');
  const domains = list(aspect(entity, 'domains')?.domains).filter((each) => typeof each === 'string');
  return (
    <aside className={css.side} aria-label="About">
      <h2>About</h2>
      <dl className={css.about}>
        <Row label="Owners" isPossible={canHave('ownership')} isEmpty={owners.length === 0}>
          {owners.slice(0, 20).map(({ urn, role }) => (
            <div key={`${urn} ${role}`} className={css.owner}>
              <EntityChip urn={urn} />{' '}
              <span className={css.role}>{enumInWords(role).replace(/ owner$/, '')}</span>
            </div>
          ))}
        </Row>
        <Row label="Terms" isPossible={canHave('glossaryTerms')} isEmpty={terms.length === 0}>
          <EntityChips urns={terms} most={12} />
        </Row>
        <Row label="Tags" isPossible={canHave('globalTags')} isEmpty={card.tags.length === 0}>
          <EntityChips urns={card.tags} most={12} />
        </Row>
        <Row label="Domain" isPossible={canHave('domains')} isEmpty={domains.length === 0}>
          <EntityChips urns={domains} most={5} />
        </Row>
        <Row label="Urn" isEmpty={false}>
          <code className={css.urn}>{entity.urn.slice(0, 2_000)}</code>
        </Row>
      </dl>
      <p>
        <Link to="/e/$urn/json" params={{ urn: entity.urn }} search={keepAt}>
          Everything as JSON
        </Link>
      </p>
    </aside>
  );
}

interface RowProps {
  readonly label: string;
  /** False: entities of this type cannot have it. */
  readonly isPossible?: boolean;
  readonly isEmpty: boolean;
  readonly children: React.ReactNode;
}

function Row({ label, isPossible = true, isEmpty, children }: RowProps) {
  if (!isPossible) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{isEmpty ? <span className={css.role}>None yet</span> : children}</dd>
    </div>
  );
}

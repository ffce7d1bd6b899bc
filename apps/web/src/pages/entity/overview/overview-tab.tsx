import type { JsonObject } from '@stratalog/json';
import { aspect } from '../../../data/entity-card';
import { count, toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import { About } from './about';
import { AspectSection } from './aspect-section';
import { Description } from './description';
import { FirstColumns } from './first-columns';
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
  'institutionalMemory',
  'ownership',
  'schemaMetadata',
  'status',
  'structuredProperties',
  'subTypes',
  'upstreamLineage',
  'inputFields',
];

/** What there is to know at once: the description, where it comes from and goes, its first columns, and every other aspect by its fields. */
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
        <Description />
        {hasLineage(model) && <OneHop />}
        <FirstColumns />
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
            <summary>Nothing written: {count(empty.length, 'other aspect')}</summary>
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

import { makeExampleUrn, type AspectType, type EntityType } from '@stratalog/registry';
import type { DocsDeps } from '../docs-deps';
import { breakable, html, inline, prose, type Html } from '../html';
import { incomingRelationships } from '../model-links';
import { INNER_PLACE, aspectLink, entityLink } from '../place';
import { fieldRows } from './field-rows';
import { firstSentence } from './first-sentence';
import { layout } from './layout';
import { tokenField } from './token-field';
import { tryForm } from './try-form';

const PLACE = INNER_PLACE;

/** Renders one entity type: its urns, aspects, search fields and relationships. */
export function entityPage(entity: EntityType, deps: DocsDeps): string {
  const { name, doc, category } = entity;
  return layout({
    title: `${name} · Entity · Stratalog`,
    place: PLACE,
    version: deps.about.version,
    contents: html`<ul>
      <li><a href="${PLACE.index}#entities">All entities</a></li>
      <li><a href="#urn">Urn</a></li>
      <li><a href="#aspects">Aspects</a></li>
      <li><a href="#search">Search fields</a></li>
      <li><a href="#relationships">Relationships</a></li>
      <li><a href="#try">Try it</a></li>
    </ul>`,
    main: html`<p class="kicker">Entity${category === undefined ? '' : ` · ${category}`}</p>
      <h1>${breakable(name)}</h1>
      <div class="lead">${prose(doc)}</div>
      ${urnSection(entity, deps)} ${aspectsSection(entity)} ${searchSection(entity)}
      ${relationshipsSection(entity, deps)} ${trySection(entity, deps)}`,
  });
}

function urnSection(entity: EntityType, { registry }: DocsDeps): Html {
  const { name, keyAspect } = entity;
  const parts = keyAspect.record.fields.map((field) => `<${field.name}>`);
  const id = parts.length === 1 ? parts.join('') : `(${parts.join(',')})`;
  const example = makeExampleUrn(registry, entity);
  return html`<section id="urn">
    <h2>Urn</h2>
    <p><code class="block">${breakable(`urn:${registry.urnNamespace}:${name}:${id}`)}</code></p>
    ${example === undefined ? undefined : html`<p>For example <code>${breakable(example)}</code></p>`}
    <p>
      The parts are the fields of the key aspect
      <a href="${aspectLink(PLACE, keyAspect.name)}"><code>${breakable(keyAspect.name)}</code></a
      >.
    </p>
    ${fieldRows(keyAspect.record, { place: PLACE, registry, aspect: keyAspect, idPrefix: 'key-', linksTypes: false })}
  </section>`;
}

function aspectsSection({ aspects }: EntityType): Html {
  return html`<section id="aspects">
    <h2>Aspects <span class="count">${aspects.size}</span></h2>
    <ul class="cards">
      ${[...aspects.values()].map(
        (aspect) =>
          html`<li>
            <a href="${aspectLink(PLACE, aspect.name)}"><code>${breakable(aspect.name)}</code></a>
            ${aspectChips(aspect)}
            <p>${inline(firstSentence(aspect.record.doc))}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}

export function aspectChips({ kind, isKey, record }: AspectType): readonly Html[] {
  return [
    ...(isKey ? [html`<span class="chip key">key</span>`] : []),
    ...(kind === 'timeseries' ? [html`<span class="chip timeseries">timeseries</span>`] : []),
    ...(record.annotations.deprecated === undefined
      ? []
      : [html`<span class="chip deprecated">deprecated</span>`]),
  ];
}

function searchSection({ aspects, references }: EntityType): Html {
  const all = [...aspects.values()].flatMap((aspect) =>
    aspect.searchFields.map((path) => ({ aspect, path })),
  );
  return html`<section id="search">
    <h2>Search fields <span class="count">${all.length}</span></h2>
    <p>
      Ask one by its name: <code>name:value</code>. Words without a name look in those that are marked
      <span class="chip default">default</span>.
    </p>
    ${
      all.length === 0
        ? html`<p>None but the urn.</p>`
        : html`<dl class="rows">${all.map(({ aspect, path }) => searchRow(aspect.name, path))}</dl>`
    }
    ${references.map(
      ({ place, entityType, fields }) =>
        html`<p>
          Of the ${entityType} that <code>${breakable(place.field.name)}</code> names:
          ${codes([...fields.values()].map(({ name }) => name))}.
        </p>`,
    )}
  </section>`;
}

/** Renders one search field, including the fields that hold its count and its presence. */
export function searchRow(aspectName: string, searched: AspectType['searchFields'][number]): Html {
  const { path, field } = searched;
  const aliases = field.aliases.filter((alias) => alias !== field.name);
  const notes = [
    ...(aliases.length === 0 ? [] : [html` Also as ${codes(aliases)}.`]),
    ...(field.boost === 1 ? [] : [html` Weight ${field.boost}.`]),
    ...(field.filterName === undefined ? [] : [html` Filter “${field.filterName}”.`]),
  ];
  return html`<div class="row">
    <dt>
      <code class="name">${breakable(field.name)}</code> <span class="type">${field.type}</span>
      ${field.queryByDefault ? html`<span class="chip default">default</span>` : undefined}
      ${field.autocomplete ? html`<span class="chip">autocomplete</span>` : undefined}
    </dt>
    <dd>
      <p>${pathLink(aspectName, path)}${notes}</p>
      ${derivedNotes(searched)}
    </dd>
  </div>`;
}

function derivedNotes({
  hasValues,
  numValues,
  modifiedAt,
}: AspectType['searchFields'][number]): readonly Html[] {
  const derived = [
    [hasValues, 'whether it holds anything'],
    [numValues, 'how much it holds'],
    [modifiedAt, 'when the aspect was written'],
  ] as const;
  return derived.flatMap(([field, meaning]) => {
    if (field === undefined) return [];
    return html`<p class="note">${codes([field.name, ...field.aliases])} ${field.type}: ${meaning}</p>`;
  });
}

function codes(names: readonly string[]): readonly Html[] {
  return names.map((name, at) => html`${at === 0 ? '' : ', '}<code>${breakable(name)}</code>`);
}

/** Links a path in an aspect to the field's description. */
function pathLink(aspectName: string, path: string): Html {
  const field = path.split('/')[1] ?? '';
  return html`<a href="${aspectLink(PLACE, aspectName)}#field-${field}"
    ><code>${breakable(aspectName + path)}</code></a
  >`;
}

function relationshipsSection({ name, aspects }: EntityType, { registry }: DocsDeps): Html {
  const outgoing = [...aspects.values()].flatMap((aspect) =>
    aspect.relationships.map((relationship) => ({ aspect: aspect.name, relationship })),
  );
  const incoming = incomingRelationships(registry, name);
  return html`<section id="relationships">
    <h2>Relationships</h2>
    <h3>From ${name} <span class="count">${outgoing.length}</span></h3>
    ${outgoing.length === 0 ? html`<p>None.</p>` : undefined}
    <dl class="rows">${outgoing.map(({ aspect, relationship }) => relationshipRow(aspect, relationship))}</dl>
    <h3>To ${name} <span class="count">${incoming.length}</span></h3>
    ${incoming.length === 0 ? html`<p>None.</p>` : undefined}
    <dl class="rows">
      ${incoming.map(
        ({ from, aspect, relationship }) =>
          html`<div class="row">
            <dt><code class="name">${breakable(relationship.name)}</code></dt>
            <dd>
              <p>
                from <a href="${entityLink(PLACE, from)}">${from}</a> by
                ${pathLink(aspect, relationship.path)}
              </p>
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

export function relationshipRow(
  aspectName: string,
  { name, path, entityTypes, isLineage, isUpstream }: AspectType['relationships'][number],
): Html {
  const targets = entityTypes.map(
    (target, at) => html`${at === 0 ? '' : ', '}<a href="${entityLink(PLACE, target)}">${target}</a>`,
  );
  return html`<div class="row">
    <dt>
      <code class="name">${breakable(name)}</code>
      ${isLineage ? html`<span class="chip">${isUpstream ? 'lineage, upstream' : 'lineage, downstream'}</span>` : undefined}
    </dt>
    <dd>
      <p>to ${targets.length === 0 ? 'any entity' : targets} by ${pathLink(aspectName, path)}</p>
    </dd>
  </div>`;
}

function trySection({ name }: EntityType, deps: DocsDeps): Html {
  const search = deps.routes.find(({ action }) => action === 'search');
  return html`<section id="try">
    <h2>Try it</h2>
    ${
      search === undefined
        ? undefined
        : html`<h3>Search</h3>
            ${tokenField([search], deps.about.auth)}
            ${tryForm(search, deps, {
              id: 'search',
              examples: [{ title: 'Everything', body: { input: '*', entity: name, start: 0, count: 5 } }],
            })}`
    }
    <h3>The model, for tools</h3>
    <p><a href="${PLACE.api}models/entities/${encodeURIComponent(name)}">This entity as JSON</a></p>
  </section>`;
}

import { stringifyJson } from '@stratalog/json';
import {
  makeExampleUrn,
  makeExampleValue,
  readUrnRule,
  type AspectType,
  type EnumSchema,
  type NamedSchema,
  type Schema,
} from '@stratalog/registry';
import type { DocsDeps } from '../docs-deps';
import { breakable, html, inline, prose, type Html } from '../html';
import { entitiesWith } from '../model-links';
import { INNER_PLACE, entityLink } from '../place';
import { aspectChips, relationshipRow, searchRow } from './entity-page';
import { fieldRows, typeId, typeLinks, type FieldRowsOptions } from './field-rows';
import { layout } from './layout';
import { tokenField } from './token-field';
import { tryForm } from './try-form';

const PLACE = INNER_PLACE;

/** Renders one aspect: its fields and their types, an example, search fields and relationships. */
export function aspectPage(aspect: AspectType, deps: DocsDeps): string {
  const { name, kind, record } = aspect;
  const types = typesWithin(record);
  return layout({
    title: `${name} · Aspect · Stratalog`,
    place: PLACE,
    version: deps.about.version,
    contents: readContents(aspect, types),
    main: html`<p class="kicker">Aspect · ${kind}</p>
      <h1>${breakable(name)} ${aspectChips(aspect)}</h1>
      <div class="lead">${prose(record.doc)}</div>
      ${facts(aspect, deps)}
      <section id="fields">
        <h2>Fields <span class="count">${record.fields.length}</span></h2>
        ${
          record.fields.length === 0
            ? html`<p>None: that the aspect is there says it all.</p>`
            : fieldRows(record, rowsOptions(aspect, deps, 'field-'))
        }
      </section>
      ${example(aspect, deps)} ${derived(aspect)} ${typesSection(types, aspect, deps)}`,
  });
}

function readContents(aspect: AspectType, types: readonly NamedSchema[]): Html {
  const { searchFields, relationships, timeseries } = aspect;
  return html`<ul>
    <li><a href="${PLACE.index}#aspects">All aspects</a></li>
    <li><a href="#fields">Fields</a></li>
    <li><a href="#example">Example</a></li>
    ${searchFields.length > 0 ? html`<li><a href="#search">Search fields</a></li>` : undefined}
    ${relationships.length > 0 ? html`<li><a href="#relationships">Relationships</a></li>` : undefined}
    ${timeseries === undefined ? undefined : html`<li><a href="#timeseries">Timeseries values</a></li>`}
    ${types.length > 0 ? html`<li><a href="#types">Types</a></li>` : undefined}
  </ul>`;
}

function facts(aspect: AspectType, { registry }: DocsDeps): Html {
  const entities = entitiesWith(registry, aspect);
  const model = `${PLACE.api}models/aspects/${encodeURIComponent(aspect.name)}`;
  return html`<dl class="facts">
    <div>
      <dt>Record</dt>
      <dd><code>${breakable(aspect.recordName)}</code></dd>
    </div>
    <div>
      <dt>Entities</dt>
      <dd>
        ${
          entities.length === 0
            ? 'No entity type has it; a model of yours may give it to one.'
            : entities.map(
                (name, at) => html`${at === 0 ? '' : ', '}<a href="${entityLink(PLACE, name)}">${name}</a>`,
              )
        }
      </dd>
    </div>
    <div>
      <dt>For tools</dt>
      <dd>
        <a href="${model}?format=jsonSchema">JSON Schema</a> · <a href="${model}">Description as JSON</a>
      </dd>
    </div>
  </dl>`;
}

function example(aspect: AspectType, deps: DocsDeps): Html {
  const { registry, routes } = deps;
  const value = makeExampleValue(registry, aspect);
  const [entityName] = entitiesWith(registry, aspect);
  const entity = entityName === undefined ? undefined : registry.entityType(entityName);
  const urn = entity === undefined ? undefined : makeExampleUrn(registry, entity);
  const ingest = routes.find(({ action }) => action === 'ingestProposal');
  const canWrite = aspect.kind === 'versioned' && !aspect.isKey;
  const form =
    canWrite && ingest !== undefined && entity !== undefined && urn !== undefined
      ? html`<h3>Write it</h3>
          ${tokenField([ingest], deps.about.auth)}
          ${tryForm(ingest, deps, {
            id: 'write',
            examples: [
              {
                title: aspect.name,
                body: {
                  proposal: {
                    entityType: entity.name,
                    entityUrn: urn,
                    changeType: 'UPSERT',
                    aspectName: aspect.name,
                    aspect: { value: stringifyJson(value), contentType: 'application/json' },
                  },
                },
              },
            ],
          })}`
      : undefined;
  return html`<section id="example">
    <h2>Example</h2>
    <pre aria-label="A value of the aspect">${JSON.stringify(value, null, 2)}</pre>
    ${form}
  </section>`;
}

function derived({ name, searchFields, relationships, timeseries }: AspectType): readonly Html[] {
  return [
    ...(searchFields.length === 0
      ? []
      : [
          html`<section id="search">
            <h2>Search fields <span class="count">${searchFields.length}</span></h2>
            <dl class="rows">${searchFields.map((path) => searchRow(name, path))}</dl>
          </section>`,
        ]),
    ...(relationships.length === 0
      ? []
      : [
          html`<section id="relationships">
            <h2>Relationships <span class="count">${relationships.length}</span></h2>
            <dl class="rows">${relationships.map((relationship) => relationshipRow(name, relationship))}</dl>
          </section>`,
        ]),
    ...(timeseries === undefined ? [] : [timeseriesSection(timeseries)]),
  ];
}

function timeseriesSection({ fields, collections }: NonNullable<AspectType['timeseries']>): Html {
  return html`<section id="timeseries">
    <h2>Timeseries values</h2>
    <p>Each value holds at its <code>timestampMillis</code>. Queries can aggregate these fields:</p>
    <dl class="rows">
      ${fields.map(
        ({ name, aggregation }) =>
          html`<div class="row">
            <dt><code class="name">${breakable(name)}</code></dt>
            <dd><p class="note">Joined by ${aggregation}</p></dd>
          </div>`,
      )}
      ${collections.map(
        ({ name, key, fields: inner }) =>
          html`<div class="row">
            <dt><code class="name">${breakable(name)}</code> <span class="type">list</span></dt>
            <dd>
              <p class="note">
                One point for each
                <code>${key}</code
                >${inner.length === 0 ? '' : ', with '}${inner.map((field) => field.name).join(', ')}
              </p>
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function rowsOptions(aspect: AspectType, { registry }: DocsDeps, idPrefix: string): FieldRowsOptions {
  return { place: PLACE, registry, aspect, idPrefix, linksTypes: true };
}

function typesSection(types: readonly NamedSchema[], aspect: AspectType, deps: DocsDeps): Html | undefined {
  if (types.length === 0) return undefined;
  return html`<section id="types">
    <h2>Types <span class="count">${types.length}</span></h2>
    ${types.map((type) => {
      const short = type.name.slice(type.name.lastIndexOf('.') + 1);
      return html`<section id="${typeId(type.name)}">
        <h3>${breakable(short)} <span class="type">${type.kind}</span></h3>
        <p class="note"><code>${breakable(type.name)}</code></p>
        ${prose(type.doc)} ${typeBody(type, aspect, deps)}
      </section>`;
    })}
  </section>`;
}

function typeBody(type: NamedSchema, aspect: AspectType, deps: DocsDeps): Html {
  const options = rowsOptions(aspect, deps, `${typeId(type.name)}-`);
  switch (type.kind) {
    case 'record':
      return type.fields.length === 0 ? html`<p>No fields.</p>` : fieldRows(type, options);
    case 'enum':
      return symbolRows(type);
    case 'fixed':
      return html`<p>${type.size} bytes, one character each.</p>`;
    case 'typeref':
      return html`<p>Stands for ${typeLinks(type.ref, options)}.</p>`;
  }
}

function symbolRows({ symbols }: EnumSchema): Html {
  return html`<dl class="rows">
    ${symbols.map(
      ({ name, doc, deprecated }) =>
        html`<div class="row">
          <dt>
            <code class="name">${breakable(name)}</code>
            ${deprecated ? html`<span class="chip deprecated">deprecated</span>` : undefined}
          </dt>
          <dd>${doc === '' ? undefined : html`<p>${inline(doc)}</p>`}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Returns the named types within a record, in reading order; urns are links of their own. */
function typesWithin(record: NamedSchema): readonly NamedSchema[] {
  const found = new Set<NamedSchema>();
  const visit = (schema: Schema): void => {
    switch (schema.kind) {
      case 'array':
        visit(schema.items);
        return;
      case 'map':
        visit(schema.values);
        return;
      case 'union':
        for (const { type } of schema.members) visit(type);
        return;
      case 'typeref':
        if (readUrnRule(schema) !== undefined || found.has(schema)) return;
        found.add(schema);
        visit(schema.ref);
        return;
      case 'record':
        if (found.has(schema)) return;
        found.add(schema);
        for (const { type } of schema.fields) visit(type);
        return;
      case 'enum':
      case 'fixed':
        found.add(schema);
        return;
      case 'primitive':
        return;
    }
  };
  visit(record);
  found.delete(record);
  return [...found];
}

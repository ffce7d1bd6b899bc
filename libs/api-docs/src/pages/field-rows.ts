import { stringifyJson } from '@stratalog/json';
import {
  readUrnRule,
  type AspectType,
  type EntityRegistry,
  type FieldSchema,
  type RecordSchema,
  type Schema,
} from '@stratalog/registry';
import { breakable, html, prose, type Html } from '../html';
import { entityLink, type Place } from '../place';
import { markedFields, type FieldMarks } from './marked-fields';

export interface FieldRowsOptions {
  readonly place: Place;
  readonly registry: EntityRegistry;
  /** The aspect whose annotations are shown. */
  readonly aspect: AspectType;
  readonly idPrefix: string;
  /** True when the same page describes named types further down. */
  readonly linksTypes: boolean;
}

/** Renders the fields of a record: type, whether required, default, search fields and relationships. */
export function fieldRows(record: RecordSchema, options: FieldRowsOptions): Html {
  const marks = markedFields(options.aspect);
  return html`<dl class="rows">
    ${record.fields.map((field) => fieldRow(field, marks.get(field), options))}
  </dl>`;
}

function fieldRow(field: FieldSchema, marks: FieldMarks | undefined, options: FieldRowsOptions): Html {
  const { name, doc, type, optional, default: fallback, annotations } = field;
  const isRequired = !optional && fallback === undefined;
  return html`<div class="row" id="${options.idPrefix}${name}">
    <dt>
      <code class="name">${breakable(name)}</code>
      <span class="type">${typeLinks(type, options)}</span>
      <span class="chip ${isRequired ? 'required' : 'optional'}"
        >${isRequired ? 'required' : 'optional'}</span
      >
      ${annotations.deprecated === undefined ? undefined : html`<span class="chip deprecated">deprecated</span>`}
      ${
        marks === undefined || marks.searched.length === 0
          ? undefined
          : html`<span class="chip searched">searched</span>`
      }
      ${
        marks === undefined || marks.related.length === 0
          ? undefined
          : html`<span class="chip related">related</span>`
      }
    </dt>
    <dd>
      ${prose(doc)}
      ${fallback === undefined ? undefined : html`<p class="note">Default <code>${breakable(stringifyJson(fallback))}</code></p>`}
      ${marks === undefined ? undefined : markNotes(marks, options.place)}
    </dd>
  </div>`;
}

function markNotes({ searched, related }: FieldMarks, place: Place): readonly Html[] {
  return [
    ...(searched.length === 0
      ? []
      : [
          html`<p class="note">
            Searched as
            ${searched.map(({ field }, at) => html`${at === 0 ? '' : ', '}<code>${breakable(field.name)}</code> ${field.type}`)}
          </p>`,
        ]),
    ...related.map(
      ({ name, entityTypes }) =>
        html`<p class="note">
          Relationship <code>${breakable(name)}</code> to
          ${
            entityTypes.length === 0
              ? 'any entity'
              : entityTypes.map(
                  (type, at) => html`${at === 0 ? '' : ', '}<a href="${entityLink(place, type)}">${type}</a>`,
                )
          }
        </p>`,
    ),
  ];
}

/** Renders a type in the words of the model, with links from its names to their descriptions. */
export function typeLinks(type: Schema, options: Omit<FieldRowsOptions, 'aspect' | 'idPrefix'>): Html {
  switch (type.kind) {
    case 'primitive':
      return html`${type.name}`;
    case 'array':
      return html`list of ${typeLinks(type.items, options)}`;
    case 'map':
      return html`map to ${typeLinks(type.values, options)}`;
    case 'union':
      return html`one of
      ${type.members.map(({ type: member }, at) => html`${at === 0 ? '' : ' | '}${typeLinks(member, options)}`)}`;
    case 'typeref': {
      const rule = readUrnRule(type);
      return rule === undefined ? named(type.name, options) : urnType(rule.entityTypes, options);
    }
    case 'record':
    case 'enum':
    case 'fixed':
      return named(type.name, options);
  }
}

function named(fullName: string, { linksTypes }: Pick<FieldRowsOptions, 'linksTypes'>): Html {
  const short = fullName.slice(fullName.lastIndexOf('.') + 1);
  return linksTypes
    ? html`<a href="#${typeId(fullName)}">${breakable(short)}</a>`
    : html`${breakable(short)}`;
}

function urnType(
  entityTypes: readonly string[],
  { place, registry }: Pick<FieldRowsOptions, 'place' | 'registry'>,
): Html {
  if (entityTypes.length === 0) return html`urn`;
  return html`urn of
  ${entityTypes.map((name, at) => {
    const known = registry.entityType(name);
    const text =
      known === undefined
        ? html`${name}`
        : html`<a href="${entityLink(place, known.name)}">${known.name}</a>`;
    return html`${at === 0 ? '' : ' or '}${text}`;
  })}`;
}

export function typeId(fullName: string): string {
  return `type-${fullName}`;
}

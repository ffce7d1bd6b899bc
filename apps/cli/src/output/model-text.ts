import {
  typeText,
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type FieldSchema,
  type NamedSchema,
} from '@stratalog/registry';
import { printable } from './printable';
import { textTable } from './text-table';

/** Formats the numbers of definitions in the model, then its entities with a line each. */
export function modelText({ entityTypes, aspects, types }: EntityRegistry, width?: number): string {
  const categories = new Map<string, number>();
  for (const { category = 'without category' } of entityTypes) {
    categories.set(category, (categories.get(category) ?? 0) + 1);
  }
  const ofKind = (kind: NamedSchema['kind']): number => types.filter((type) => type.kind === kind).length;
  const used = new Set(entityTypes.flatMap((entity) => [...entity.aspects.keys()]));
  const known = aspects.filter(({ name }) => used.has(name));
  const counts: readonly (readonly [number, string, string])[] = [
    [
      entityTypes.length,
      'entities',
      [...categories].map(([name, count]) => `${String(count)} ${name}`).join(', '),
    ],
    [
      known.length,
      'aspects',
      `${String(known.filter(({ isKey }) => isKey).length)} keys, ${String(known.filter(({ kind }) => kind === 'timeseries').length)} timeseries`,
    ],
    [
      types.length,
      'types',
      `${String(ofKind('record'))} records, ${String(ofKind('enum'))} enums, ${String(ofKind('typeref'))} typerefs, ${String(ofKind('fixed'))} fixed`,
    ],
  ];
  return [
    textTable(counts.map(([count, what, details]) => [String(count), what, details])),
    textTable(
      [
        ['entity', 'aspects', ''],
        ...entityTypes.map(({ name, aspects: own, doc }) => [name, String(own.size), doc]),
      ],
      width,
    ),
  ].join('\n');
}

/** Formats an entity: its description, the form of its urn, and its aspects. */
export function entityText(entity: EntityType, width?: number): string {
  const { name, doc, category, searchGroup, isViewUnrestricted, keyAspect, aspects } = entity;
  const traits = [
    'entity',
    ...(category === undefined ? [] : [category]),
    ...(searchGroup === 'default' ? [] : [`searchGroup ${searchGroup}`]),
    ...(isViewUnrestricted ? ['viewUnrestricted'] : []),
  ];
  const parts = keyAspect.record.fields.map((field) => field.name);
  const [only = ''] = parts;
  return [
    `${name}: ${traits.join(', ')}\n${printable(doc)}\n`,
    `urn:li:${name}:${parts.length === 1 ? only : `(${parts.join(',')})`}\n`,
    textTable(
      [
        ['aspect', 'kind', ''],
        ...[...aspects.values()].map((aspect) => [aspect.name, kindOf(aspect), aspect.record.doc]),
      ],
      width,
    ),
  ].join('\n');
}

/** Formats an aspect: its fields, its entities, its search fields and its relationships. */
export function aspectText(aspect: AspectType, { entityTypes }: EntityRegistry, width?: number): string {
  const { name, record, recordName, searchFields, relationships } = aspect;
  const entities = entityTypes.filter((entity) => entity.aspects.has(name)).map((entity) => entity.name);
  return [
    `${name}: aspect, ${kindOf(aspect)}, ${recordName}\n${printable(record.doc)}\n`,
    `of ${entities.length === 0 ? 'no entity' : entities.join(', ')}\n`,
    fieldsTable(record.fields, width),
    ...(searchFields.length === 0
      ? []
      : [
          textTable(
            [
              ['searched as', 'type', 'from'],
              ...searchFields.map(({ field, path }) => [
                [field.name, ...field.aliases].join(', '),
                field.type,
                path,
              ]),
            ],
            width,
          ),
        ]),
    ...(relationships.length === 0
      ? []
      : [
          textTable(
            [
              ['relationship', 'to', 'from'],
              ...relationships.map((edge) => [edge.name, edge.entityTypes.join(', ') || 'any', edge.path]),
            ],
            width,
          ),
        ]),
  ].join('\n');
}

/** Formats a type that is neither entity nor aspect. */
export function typeDeclarationText(type: NamedSchema, width?: number): string {
  const head = `${type.name}: ${type.kind}\n${printable(type.doc)}\n`;
  switch (type.kind) {
    case 'record':
      return [head, fieldsTable(type.fields, width)].join('\n');
    case 'enum':
      return [
        head,
        textTable(
          type.symbols.map(({ name, doc }) => [name, doc]),
          width,
        ),
      ].join('\n');
    case 'typeref':
      return [head, `${typeText(type.ref, lastPartOf)}\n`].join('\n');
    case 'fixed':
      return [head, `${String(type.size)} bytes\n`].join('\n');
  }
}

function fieldsTable(fields: readonly FieldSchema[], width: number | undefined): string {
  return textTable(
    [
      ['field', 'type', ''],
      ...fields.map(({ name, type, optional, default: fallback, doc }) => [
        name,
        `${optional || fallback !== undefined ? 'optional ' : ''}${typeText(type, lastPartOf)}`,
        doc,
      ]),
    ],
    width,
  );
}

function kindOf({ isKey, kind }: AspectType): string {
  return isKey ? 'key' : kind;
}

function lastPartOf({ name }: NamedSchema): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

import type { ValueSchema } from '@stratalog/http';
import { stringifyJson } from '@stratalog/json';
import { breakable, html, inline, type Html } from '../html';

/** One member of a body or an answer, at any depth. */
interface ValueRow {
  /** `proposal.aspect.value`, `entities[].score`, `aspects.*.version`. */
  readonly path: string;
  readonly schema: ValueSchema;
  readonly isRequired: boolean;
}

/** Lists every member of an object for readers. `marks`: which of the two to label. */
export function valueRows(schema: ValueSchema, marks: 'required' | 'optional'): Html {
  return html`<dl class="rows">
    ${toRows(schema, '').map((row) =>
      describedRow({ ...row, mark: (marks === 'required') === row.isRequired ? marks : undefined }),
    )}
  </dl>`;
}

export interface DescribedRow {
  readonly path: string;
  readonly schema: ValueSchema;
  readonly mark?: string | undefined;
  /** Where the value goes. */
  readonly place?: string;
}

export function describedRow({ path, schema, mark, place }: DescribedRow): Html {
  const { description, default: fallback, enum: allowed, deprecated } = schema;
  const notes = [
    ...(allowed === undefined || allowed.length < 2
      ? []
      : [html`<p class="note">One of ${listed(allowed)}</p>`]),
    ...(fallback === undefined
      ? []
      : [html`<p class="note">Default <code>${stringifyJson(fallback)}</code></p>`]),
  ];
  return html`<div class="row">
    <dt>
      <code class="name">${breakable(path)}</code> <span class="type">${typeOf(schema)}</span>
      ${place === undefined ? undefined : html`<span class="type">in ${place}</span>`}
      ${mark === undefined ? undefined : html`<span class="chip ${mark}">${mark}</span>`}
      ${deprecated === true ? html`<span class="chip deprecated">deprecated</span>` : undefined}
    </dt>
    <dd>${description === undefined ? undefined : html`<p>${inline(description)}</p>`}${notes}</dd>
  </div>`;
}

function listed(values: readonly string[]): readonly Html[] {
  return values.map((value, at) => html`${at === 0 ? '' : ', '}<code>${value}</code>`);
}

function toRows(schema: ValueSchema, prefix: string): readonly ValueRow[] {
  const { properties = {}, required = [], additionalProperties, items, anyOf } = schema;
  const named = Object.entries(properties).flatMap(([name, inner]): readonly ValueRow[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [{ path, schema: inner, isRequired: required.includes(name) }, ...toRows(inner, path)];
  });
  const others = typeof additionalProperties === 'object' ? toRows(additionalProperties, `${prefix}.*`) : [];
  const elements = items === undefined ? [] : toRows(items, `${prefix}[]`);
  return [...named, ...others, ...elements, ...(anyOf ?? []).flatMap((one) => toRows(one, prefix))];
}

function typeOf({ type, items, additionalProperties, anyOf }: ValueSchema): string {
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map to ${typeOf(additionalProperties)}`;
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'any');
}

import {
  endpointId,
  needsToken,
  type AuthMode,
  type DocumentedRoute,
  type ValueSchema,
} from '@stratalog/http';
import type { DocsDeps } from '../docs-deps';
import { breakable, html, inline, prose, type Html } from '../html';
import { toRejections } from '../rejections';
import { pathText } from './endpoint-names';
import { tryForm } from './try-form';
import { describedRow, valueRows } from './value-rows';

/** Renders one endpoint with all its details, folded until the reader opens it. */
export function endpoint(route: DocumentedRoute, deps: DocsDeps): Html {
  const { docs, method } = route;
  const id = endpointId(route);
  return html`<li class="endpoint" id="${id}" data-words="${splitWords(route)}">
    <details>
      <summary>
        <span class="verb ${method.toLowerCase()}">${method}</span>
        <h4><code>${breakable(pathText(route))}</code></h4>
        <span class="about">${docs.summary}</span>
        ${chips(route, deps.about.auth)}
      </summary>
      <div class="inside">
        ${
          docs.deprecated === undefined
            ? undefined
            : html`<p class="warning"><strong>Deprecated.</strong> ${inline(docs.deprecated)}</p>`
        }
        ${prose(docs.description ?? '')} ${otherPaths(route)} ${parameters(route)}
        ${
          docs.body === undefined
            ? undefined
            : html`<h5>Body</h5>
                ${valueRows(docs.body, 'required')}`
        }
        ${docs.examples.length === 0 ? undefined : html`<h5>Try it</h5>`}
        ${docs.examples.length === 0 ? undefined : tryForm(route, deps)} ${answer(route)}
        ${rejections(route, deps.about.auth)}
        <p class="anchor"><a href="#${id}">Link to this endpoint</a></p>
      </div>
    </details>
  </li>`;
}

function otherPaths({ otherPaths: paths }: DocumentedRoute): Html | undefined {
  if (paths.length === 0) return undefined;
  const texts = paths.map(
    (path, at) => html`${at === 0 ? '' : ', '}<code>${breakable(pathText({ path }))}</code>`,
  );
  return html`<p class="note">Also at ${texts}.</p>`;
}

function chips(route: DocumentedRoute, mode: AuthMode): readonly Html[] {
  const { access, docs } = route;
  return [
    ...(docs.deprecated === undefined ? [] : [html`<span class="chip deprecated">deprecated</span>`]),
    ...(route.writes ? [html`<span class="chip writes">writes</span>`] : []),
    ...(access === 'administrative' ? [html`<span class="chip operator">operator</span>`] : []),
    ...(needsToken(mode, access) ? [html`<span class="chip token">token</span>`] : []),
  ];
}

function parameters({ docs }: DocumentedRoute): Html | undefined {
  const { parameters: all } = docs;
  if (all.length === 0) return undefined;
  return html`<h5>Parameters</h5>
    <dl class="rows">
      ${all.map(({ name, in: place, schema, description, isRequired }) =>
        describedRow({
          path: name,
          place,
          schema: { ...schema, description },
          mark: isRequired === true || place === 'path' ? 'required' : undefined,
        }),
      )}
    </dl>`;
}

function answer({ docs, action }: DocumentedRoute): Html | undefined {
  if (docs.answer === undefined) return undefined;
  const { schema, description, headers = {}, contentTypes } = docs.answer;
  const named = Object.entries(headers);
  return html`<h5>Answer</h5>
    <p>
      ${inline(description)}
      ${contentTypes === undefined ? undefined : html`As ${contentTypes.join(' or ')}.`}
      ${action === undefined || schema === undefined ? undefined : html`It stands in the member <code>value</code>.`}
    </p>
    ${
      schema === undefined || !hasMembers(schema)
        ? undefined
        : html`<details class="members">
            <summary>Members of the answer</summary>
            ${valueRows(schema, 'optional')}
          </details>`
    }
    ${
      named.length === 0
        ? undefined
        : html`<dl class="rows">
            ${named.map(([name, text]) =>
              describedRow({ path: name, place: 'header', schema: { type: 'string', description: text } }),
            )}
          </dl>`
    }`;
}

function hasMembers({ properties, items, anyOf }: ValueSchema): boolean {
  return properties !== undefined || items !== undefined || anyOf !== undefined;
}

function rejections(route: DocumentedRoute, mode: AuthMode): Html {
  const also = Object.entries(route.docs.answersAlso ?? {});
  return html`<h5>Other statuses</h5>
    <dl class="statuses">
      ${[...also, ...toRejections(route, mode)].map(
        ([status, why]) =>
          html`<div class="row">
            <dt><code>${status}</code></dt>
            <dd>${inline(why)}</dd>
          </div>`,
      )}
    </dl>`;
}

/** Returns the words that the search box compares. */
function splitWords(route: DocumentedRoute): string {
  const { docs, method } = route;
  const members = Object.keys(docs.body?.properties ?? {});
  const names = docs.parameters.map(({ name }) => name);
  return [method, pathText(route), docs.group, docs.summary, docs.description ?? '', ...names, ...members]
    .join(' ')
    .toLowerCase();
}

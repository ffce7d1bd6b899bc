import {
  ROUTE_GROUPS,
  endpointId,
  type AuthMode,
  type DocumentedRoute,
  type RouteDocs,
} from '@stratalog/http';
import type { AspectType, EntityType } from '@stratalog/registry';
import type { DocsDeps } from '../docs-deps';
import { breakable, html, inline, type Html } from '../html';
import { INDEX_PLACE, aspectLink, entityLink } from '../place';
import { aspectChips } from './entity-page';
import { endpoint } from './endpoint';
import { pathText } from './endpoint-names';
import { firstSentence } from './first-sentence';
import { layout } from './layout';
import { tokenField } from './token-field';

const PLACE = INDEX_PLACE;

/** Renders the first page: every endpoint, entity and aspect, with a search box. */
export function indexPage(deps: DocsDeps): string {
  const { registry, routes, about } = deps;
  const groups = groupEntries(routes);
  return layout({
    title: 'Stratalog: the interface',
    place: PLACE,
    version: about.version,
    contents: readContents(groups, deps),
    main: html`<p class="kicker">Stratalog ${about.version}</p>
      <h1>The interface</h1>
      <div class="lead" id="lead">
        <p>
          Everything that the catalog knows is written, read and searched over HTTP with JSON. Below stand its
          ${routes.length} calls with examples that run from this page, and its model:
          ${registry.entityTypes.length} entity types and ${registry.aspects.length} aspects.
        </p>
      </div>
      <p id="found" class="found" role="status" hidden></p>
      <section id="endpoints" class="part">
        <h2>Endpoints <span class="count">${routes.length}</span></h2>
        ${tokenField(routes, about.auth)} ${groups.map((group) => groupSection(group, deps))}
      </section>
      ${toKnow(about.auth)}
      <section id="entities" class="part">
        <h2>Entities <span class="count">${registry.entityTypes.length}</span></h2>
        <p>What metadata is about. Each has a urn and consists of aspects.</p>
        <ul class="cards">
          ${registry.entityTypes.map(entityCard)}
        </ul>
      </section>
      <section id="aspects" class="part">
        <h2>Aspects <span class="count">${registry.aspects.length}</span></h2>
        <p>
          What is said about an entity, one record each. All have versions but timeseries aspects, which have
          values in time.
        </p>
        <ul class="cards">
          ${[...registry.aspects].sort((one, other) => one.name.localeCompare(other.name, 'en')).map(aspectCard)}
        </ul>
      </section>`,
  });
}

interface Group {
  readonly name: RouteDocs['group'];
  readonly members: readonly DocumentedRoute[];
}

function groupEntries(routes: readonly DocumentedRoute[]): readonly Group[] {
  const names = Object.keys(ROUTE_GROUPS) as RouteDocs['group'][];
  return names
    .map((name) => ({ name, members: routes.filter(({ docs }) => docs.group === name) }))
    .filter(({ members }) => members.length > 0);
}

function groupId(name: string): string {
  return `group-${name.toLowerCase().replace(/\W+/g, '-')}`;
}

function readContents(groups: readonly Group[], { registry }: DocsDeps): Html {
  return html`<ul>
    <li>
      <a href="#endpoints">Endpoints</a>
      <ul>
        ${groups.map(
          ({ name, members }) =>
            html`<li>
              <a href="#${groupId(name)}">${name}</a>
              <ul>
                ${members.map(
                  (route) =>
                    html`<li>
                      <a href="#${endpointId(route)}" title="${route.method} ${pathText(route)}"
                        >${route.docs.summary}</a
                      >
                    </li>`,
                )}
              </ul>
            </li>`,
        )}
      </ul>
    </li>
    <li><a href="#to-know">Good to know</a></li>
    <li>
      <a href="#entities">Entities <span class="count">${registry.entityTypes.length}</span></a>
    </li>
    <li>
      <a href="#aspects">Aspects <span class="count">${registry.aspects.length}</span></a>
    </li>
    <li><a href="${PLACE.api}openapi.json">OpenAPI document</a></li>
  </ul>`;
}

const TOKENS: Readonly<Record<AuthMode, string>> = {
  all: 'Calls need the header `Authorization: Bearer <token>`, but for `/health`, `/config`, the model and these pages.',
  operations: 'Only calls marked operator need a token: the header `Authorization: Bearer <token>`.',
  none: 'No call needs a token.',
};

function toKnow(mode: AuthMode): Html {
  const notes: readonly (readonly [string, string])[] = [
    [
      'Actions',
      '`POST /entities?action=search`: the action is part of the address, its parameters are the members of the body, and the answer stands in `value`.',
    ],
    ['Bodies', 'Are read as JSON whatever their content type says. An explicit `null` counts as absent.'],
    [
      'Addresses',
      'Every path also works below `/gms` and `/api/gms`. Urns in paths are percent-encoded; half encoded ones work too.',
    ],
    [
      'Unknown names',
      'Unknown fields, members and parameters are ignored, and reported in `X-Stratalog-Warnings`: a JSON array of sentences, with the nearest known name. A call with `X-Stratalog-Strict: true` is rejected with 422 instead, and changes nothing.',
    ],
    ['Tokens', TOKENS[mode]],
    [
      'Errors',
      'Have one form: `{exceptionClass, message, stackTrace, status, docUrl}`, but for the schema registry’s. The `message` names the parameter or field that is wrong, and the known name that is nearest to an unknown one; `docUrl` is the call’s place on this page. 503 is passing: repeat the call.',
    ],
    [
      'Metrics',
      '`GET /metrics` is for Prometheus, on a port of its own that needs no token: `STRATALOG_METRICS_PORT`, which the catalog prints when it is ready. Without that setting it is served nowhere.',
    ],
    [
      'Read your write',
      'A write answers its position in `X-Stratalog-Position`. Reads by urn see it at once; a search that sends it as `X-Stratalog-Wait-For` waits until the index has it.',
    ],
  ];
  return html`<section id="to-know">
    <h2>Good to know</h2>
    <dl class="facts">
      ${notes.map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${inline(text)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function groupSection({ name, members }: Group, deps: DocsDeps): Html {
  return html`<section id="${groupId(name)}" class="group">
    <h3>${name}</h3>
    <p>${inline(ROUTE_GROUPS[name])}</p>
    <ul class="endpoints">
      ${members.map((route) => endpoint(route, deps))}
    </ul>
  </section>`;
}

function entityCard({ name, doc, aspects }: EntityType): Html {
  const words = `${name} ${doc}`.toLowerCase();
  return html`<li data-words="${words}">
    <a href="${entityLink(PLACE, name)}"><code>${breakable(name)}</code></a>
    <span class="count">${aspects.size} ${aspects.size === 1 ? 'aspect' : 'aspects'}</span>
    <p>${inline(firstSentence(doc))}</p>
  </li>`;
}

function aspectCard(aspect: AspectType): Html {
  const { name, record, searchFields } = aspect;
  const names = [...record.fields.map((field) => field.name), ...searchFields.map(({ field }) => field.name)];
  const link = aspectLink(PLACE, name);
  return html`<li
    data-words="${`${name} ${record.doc}`.toLowerCase()}"
    data-fields="${[...new Set(names)].join(' ')}"
  >
    <a href="${link}"><code>${breakable(name)}</code></a> ${aspectChips(aspect)}
    <p>${inline(firstSentence(record.doc))}</p>
  </li>`;
}

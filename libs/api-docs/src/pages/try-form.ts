import {
  endpointId,
  needsToken,
  type DocumentedRoute,
  type ExampleDocs,
  type ParameterDocs,
} from '@stratalog/http';
import { stringifyJson } from '@stratalog/json';
import type { DocsDeps } from '../docs-deps';
import { html, type Html } from '../html';

export interface TryFormOptions {
  /** Distinguishes the forms of one page. */
  readonly id?: string;
  /** Replaces the route's own examples. */
  readonly examples?: readonly ExampleDocs[];
}

/**
 * Renders a form that makes the call from the page, and shows it as a curl command. The form needs the page's
 * script; without it the reader can copy the command of the first example.
 */
export function tryForm(
  route: DocumentedRoute,
  { about }: Pick<DocsDeps, 'about'>,
  { id = endpointId(route), examples = route.docs.examples }: TryFormOptions = {},
): Html {
  const { docs, method, action, path } = route;
  const first = examples[0] ?? { title: '' };
  const needs = needsToken(about.auth, route.access);
  return html`<form
    class="try"
    data-method="${method}"
    data-path="${path}"
    ${action === undefined ? undefined : html`data-action="${action}"`}
    ${needs ? html`data-token` : undefined}
    aria-label="Try ${docs.summary}"
  >
    ${examples.length < 2 ? undefined : exampleChoice(id, examples)}
    ${docs.parameters.map((parameter) => parameterInput(id, parameter, first))}
    ${docs.body === undefined ? undefined : bodyInput(id, first.body ?? {})}
    <div class="buttons">
      <button type="submit" class="run" hidden>${route.writes ? 'Run and write' : 'Run'}</button>
      <button type="button" class="copy" data-copies="curl" hidden>Copy curl</button>
      ${needs ? html`<span class="hint">Sends the token from the top of the page.</span>` : undefined}
    </div>
    <pre class="curl" aria-label="The call as a command">${curlText(route, first, needs)}</pre>
    <div class="answered" hidden>
      <p class="status" role="status"></p>
      <dl class="headers"></dl>
      <pre class="body" tabindex="0" aria-label="Body of the answer"></pre>
    </div>
  </form>`;
}

function exampleChoice(id: string, examples: readonly ExampleDocs[]): Html {
  return html`<div class="input">
    <label for="${id}-example">Example</label>
    <select id="${id}-example" class="example">
      ${examples.map(
        ({ title, parameters = {}, body }) =>
          html`<option
            data-parameters="${JSON.stringify(parameters)}"
            ${body === undefined ? undefined : html`data-body="${indented(body)}"`}
          >
            ${title}
          </option>`,
      )}
    </select>
  </div>`;
}

function parameterInput(id: string, parameter: ParameterDocs, example: ExampleDocs): Html {
  const { name, in: place, schema, isRequired } = parameter;
  const value = example.parameters?.[name] ?? '';
  const field = `${id}-${name}`;
  const must = isRequired === true || place === 'path';
  const fallback = typeof schema.default === 'string' ? schema.default : stringifyJson(schema.default ?? '');
  const hint = schema.default === undefined ? '' : fallback;
  return html`<div class="input">
    <label for="${field}">${name} <span class="type">in ${place}</span></label>
    <input
      id="${field}"
      data-in="${place}"
      data-name="${name}"
      value="${value}"
      ${hint === '' ? undefined : html`placeholder="${hint}"`}
      ${must ? html`required` : undefined}
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
    />
  </div>`;
}

function bodyInput(id: string, body: NonNullable<ExampleDocs['body']>): Html {
  const text = indented(body);
  return html`<div class="input">
    <label for="${id}-body">Body <span class="type">JSON</span></label>
    <textarea
      id="${id}-body"
      data-in="body"
      rows="${text.split('\n').length}"
      spellcheck="false"
      autocapitalize="none"
    >
${text}</textarea>
  </div>`;
}

function indented(body: NonNullable<ExampleDocs['body']>): string {
  return JSON.stringify(body, null, 2);
}

/** The page's script rewrites this text with the address that the reader uses. */
function curlText(
  route: DocumentedRoute,
  { parameters = {}, body }: ExampleDocs,
  needsHeader: boolean,
): string {
  const query = route.docs.parameters
    .filter(({ in: place, name }) => place === 'query' && parameters[name] !== undefined)
    .map(({ name }) => `${name}=${encodeURIComponent(parameters[name] ?? '')}`);
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const action = route.action === undefined ? [] : [`action=${route.action}`];
  const search = [...action, ...query].join('&');
  const lines = [
    `curl 'http://127.0.0.1:8080${path}${search === '' ? '' : `?${search}`}'`,
    ...(needsHeader ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

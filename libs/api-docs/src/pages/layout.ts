import { createHash } from 'node:crypto';
import { ASSETS } from '../assets';
import { html, type Html } from '../html';
import type { Place } from '../place';

export interface Page {
  readonly title: string;
  readonly place: Place;
  readonly version: string;
  /** The links next to the page. */
  readonly contents: Html;
  readonly main: Html;
}

/** Renders a whole document around a page's own part. */
export function layout({ title, place, version, contents, main }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${assetLink(place, 'icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetLink(place, 'docs.css')}" />
        <script src="${assetLink(place, 'docs.js')}" defer></script>
      </head>
      <body data-api="${place.api}">
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <a class="brand" href="${place.index}"><span class="mark" aria-hidden="true"></span>Stratalog</a>
          <form class="find" role="search" action="${place.index}" method="get">
            <label class="unseen" for="q">Find an endpoint, entity, aspect or field</label>
            <input
              type="search"
              id="q"
              name="q"
              placeholder="Find endpoint, entity, field"
              autocomplete="off"
              spellcheck="false"
            />
            <kbd aria-hidden="true">/</kbd>
          </form>
        </header>
        <div class="frame">
          <nav class="contents" aria-label="Contents">
            <details open>
              <summary>Contents</summary>
              ${contents}
            </details>
          </nav>
          <main id="main" tabindex="-1">${main}</main>
        </div>
        <footer class="foot">
          Stratalog ${version} · <a href="${place.api}openapi.json">OpenAPI 3.1</a> ·
          <a href="${place.api}ui/">Web pages</a>
        </footer>
      </body>
    </html>`.text;
}

/** The address changes with the content, so that browsers may cache an asset for ever. */
function assetLink({ docs }: Place, name: keyof typeof ASSETS): string {
  const version = createHash('sha256').update(ASSETS[name].text).digest('hex').slice(0, 12);
  return `${docs}assets/${name}?v=${version}`;
}

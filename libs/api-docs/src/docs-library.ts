import { toContent, type Content, type DocumentedRoute } from '@stratalog/http';
import { NotFoundError } from '@stratalog/domain';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { suggestAspect, suggestEntityType } from '@stratalog/registry';
import { ASSETS } from './assets';
import type { DocsDeps } from './docs-deps';
import { buildOpenApi } from './openapi/build-openapi';
import { aspectPage } from './pages/aspect-page';
import { entityPage } from './pages/entity-page';
import { indexPage } from './pages/index-page';

/**
 * A page may load from and call this server only. Browsers run no inline scripts and styles, so that text
 * from a model can never become a program.
 */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
const ICON_HEADERS = { 'cache-control': 'public, max-age=86400' };
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

/** Pages and documents of one catalog, each made on first use; the model bounds their number. */
export class DocsLibrary {
  private readonly made = new Map<string, Content>();
  private readonly deps: DocsDeps;

  constructor(deps: DocsDeps) {
    this.deps = { ...deps, routes: inNamespace(deps.routes, deps.registry.urnNamespace) };
  }

  index(): Content {
    return this.page('index', () => indexPage(this.deps));
  }

  /** **Errors**: `NotFoundError`. */
  entity(name: string): Content {
    const { registry } = this.deps;
    const entity = registry.entityType(name);
    if (entity === undefined) {
      throw new NotFoundError(`The model has no entity ${name}${suggestEntityType(registry, name)}`);
    }
    return this.page(`entity ${entity.name}`, () => entityPage(entity, this.deps));
  }

  /** **Errors**: `NotFoundError`. */
  aspect(name: string): Content {
    const { registry } = this.deps;
    const aspect = registry.aspect(name);
    if (aspect === undefined) {
      throw new NotFoundError(`The model has no aspect ${name}${suggestAspect(registry, name)}`);
    }
    return this.page(`aspect ${name}`, () => aspectPage(aspect, this.deps));
  }

  asset(name: string): Content | undefined {
    const known = Object.entries(ASSETS).find(([file]) => file === name)?.[1];
    if (known === undefined) return undefined;
    return this.keep(`asset ${name}`, () => toContent(known.contentType, known.text, ASSET_HEADERS));
  }

  /** For browsers, which request it by themselves, at an address that never changes. */
  icon(): Content {
    const { contentType, text } = ASSETS['icon.svg'];
    return this.keep('icon', () => toContent(contentType, text, ICON_HEADERS));
  }

  /** Links for a program; `prefix` is the beginning of each address. */
  links(prefix: string): JsonOutputObject {
    const { version } = this.deps.about;
    return {
      name: 'stratalog',
      version,
      documentation: `${prefix}/restli/docs`,
      openapi: `${prefix}/openapi.json`,
      health: `${prefix}/health`,
      config: `${prefix}/config`,
    };
  }

  openApi(): Content {
    return this.keep('openapi', () => toContent('application/json', stringifyJson(buildOpenApi(this.deps))));
  }

  private page(key: string, make: () => string): Content {
    return this.keep(key, () => toContent('text/html; charset=utf-8', make(), PAGE_HEADERS));
  }

  private keep(key: string, make: () => Content): Content {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const content = make();
    this.made.set(key, content);
    return content;
  }
}

/** Replaces the namespace `li` of route documentation with that of the catalog. */
function inNamespace(routes: readonly DocumentedRoute[], namespace: string): readonly DocumentedRoute[] {
  if (namespace === 'li') return routes;
  return JSON.parse(JSON.stringify(routes).replaceAll('urn:li:', `urn:${namespace}:`)) as DocumentedRoute[];
}

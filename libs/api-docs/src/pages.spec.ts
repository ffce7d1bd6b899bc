import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ASSETS } from './assets';
import { DocsLibrary } from './docs-library';
import { pathText } from './pages/endpoint-names';
import { allPages, shippedDeps } from './testing/shipped-docs';

const deps = await shippedDeps();
const { registry, routes } = deps;
const pages = allPages(deps);
const page = (address: string): string => pages.get(address) ?? '';
/** The visible text: no tags, no line-break opportunities. */
const words = (text: string): string =>
  text
    .replace(/<wbr \/>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const idsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id ?? '');

describe('the pages', () => {
  test('show every endpoint with its parameters, defaults, and what its answers mean', () => {
    const index = words(page('restli/docs'));
    for (const route of routes) {
      expect(index).toContain(pathText(route));
      expect(index).toContain(route.docs.summary);
      for (const { name } of route.docs.parameters) expect(index).toContain(name);
      for (const name of Object.keys(route.docs.body?.properties ?? {})) expect(index).toContain(name);
    }
    expect(index).toMatch(
      /contentType\s+string.*\s+Serialization of\s+value\s*\..*\s+Default\s+&quot;application\/json&quot;/,
    );
  });

  test('name each type of a value that may have several', () => {
    expect(words(page('restli/docs'))).toMatch(/userEmail\s+string or null\s/);
  });

  test('show every entity with its aspects, search names and relationships', () => {
    for (const entity of registry.entityTypes) {
      const shown = words(page(`restli/docs/entities/${entity.name}`));
      for (const name of [...entity.aspects.keys(), ...entity.searchFields.keys()]) {
        if (name === 'urn') continue;
        expect([entity.name, shown.includes(name) ? name : undefined]).toEqual([entity.name, name]);
      }
      for (const { relationships } of entity.aspects.values())
        for (const { name } of relationships) expect(shown).toContain(name);
    }
  });

  test('show every field of every aspect with its documentation, and every type that it holds', () => {
    for (const aspect of registry.aspects) {
      const ids = idsOf(page(`restli/docs/aspects/${aspect.name}`));
      for (const { name } of aspect.record.fields) expect(ids).toContain(`field-${name}`);
    }
    const ownership = words(page('restli/docs/aspects/ownership'));
    for (const text of ['com.linkedin.common.Owner', 'DATAOWNER', 'OwnedBy', 'AuditStamp'])
      expect(ownership).toContain(text);
  });

  test('have no broken links and no duplicate anchors', () => {
    const anchors = new Map([...pages].map(([address, text]) => [address, new Set(idsOf(text))]));
    const others = new Set([
      'openapi.json',
      'ui/',
      ...Object.keys(ASSETS).map((name) => `restli/docs/assets/${name}`),
    ]);
    const broken: string[] = [];
    for (const [address, text] of pages) {
      const ids = idsOf(text);
      if (new Set(ids).size !== ids.length) broken.push(`${address}: an anchor twice`);
      const here = new URL(address, 'http://catalog/');
      for (const [, link = ''] of text.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
        const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), here);
        const target = decodeURIComponent(pathname.slice(1));
        const known = anchors.get(target);
        const isModel = /^models\/(?:entities|aspects)\/\w+$/.test(target);
        if (known === undefined && !others.has(target) && !isModel) broken.push(`${address}: ${link}`);
        if (known !== undefined && hash !== '' && !known.has(decodeURIComponent(hash.slice(1))))
          broken.push(`${address}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('load nothing from other origins and comply with their security policy', () => {
    const { headers } = new DocsLibrary(deps).index();
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    for (const text of [...pages.values(), ...Object.values(ASSETS).map((asset) => asset.text)]) {
      expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      expect(text).not.toMatch(/<style|\sstyle="|\son\w+="|<script(?! src)|@import|url\(['"]?https?:/);
    }
  });

  test('are small', () => {
    const library = new DocsLibrary(deps);
    // It has every call with its examples; a call takes about 700 bytes.
    expect(library.index().gzipped.length).toBeLessThan(120_000);
    const sizes = registry.aspects.map(({ name }) => library.aspect(name).gzipped.length);
    expect(Math.max(...sizes)).toBeLessThan(25_000);
  });

  test('show which calls need a token, and a token field only where one is needed', async () => {
    const inMode = async (mode: 'all' | 'none'): Promise<string> =>
      new DocsLibrary(await shippedDeps(mode)).index().bytes.toString('utf8');
    expect(await inMode('none')).not.toContain('id="token"');
    expect(await inMode('all')).toContain('id="token"');
    expect(words(await inMode('all'))).toMatch(
      /\/aspects\?action=ingestProposal\s+Write one aspect of one entity\s+writes\s+token/,
    );
  });

  test('name the namespace of the catalog', async () => {
    const own = new DocsLibrary(await shippedDeps('none', { urnNamespace: 'acme' }));
    expect(words(own.index().bytes.toString('utf8'))).not.toContain('urn:li:');
    expect(words(own.entity('dataset').bytes.toString('utf8'))).toContain('urn:acme:dataset:(<platform>');
  });
});

describe('a model with hostile text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stratalog-docs-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('is shown as text', async () => {
    const attack = `<img src=x onerror=alert(1)>"'</textarea><script>alert(2)</script>`;
    writeFileSync(
      join(folder, 'Attack.pdl'),
      `namespace com.attack\n/** ${attack} */\n@Aspect = { "name": "attack" }\nrecord Attack {\n  /** ${attack} */\n  text: string = ${JSON.stringify(attack)}\n}\n`,
    );
    writeFileSync(
      join(folder, 'entity-registry.yml'),
      `entities:\n  - name: tag\n    doc: more\n    keyAspect: tagKey\n    aspects:\n      - attack\n`,
    );
    const library = new DocsLibrary(await shippedDeps('none', { folders: [folder] }));
    const shown = [library.aspect('attack'), library.entity('tag'), library.index()];
    for (const { bytes } of shown) {
      const text = bytes.toString('utf8');
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(text).not.toMatch(/<img|<script>/);
    }
  });
});

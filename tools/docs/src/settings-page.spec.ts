import { describe, expect, it } from '@jest/globals';
import { SETTINGS, SETTING_GROUPS } from '@stratalog/runtime';
import { readPage } from './pages';

/** An item of a list: the name, the meaning, and behind a line break the default and what is allowed. */
const SETTING =
  /^- \*\*`(\w+)`\*\*: [^\\]+\.\\\n {2}(?:Default\s+`([^`]+)`;\s+allowed|Allowed): ((?:.+\n {2})*.+)\.$/gm;

describe('docs/settings.md', () => {
  it('lists every setting with its default and its permitted values, in the order of the help', () => {
    const told = [...readPage('docs/settings.md').matchAll(SETTING)].map(([, name, fallback, allowed]) => ({
      name,
      fallback,
      allowed: allowed?.replaceAll('\n ', ''),
    }));
    expect(told).toEqual(SETTINGS.map(({ name, fallback, allowed }) => ({ name, fallback, allowed })));
  });

  it('has the groups of the help as its sections', () => {
    const sections = readPage('docs/settings.md')
      .split(/^## /m)
      .map((section) => ({
        title: section.split('\n', 1)[0],
        names: [...section.matchAll(SETTING)].map(([, name]) => name),
      }))
      .filter(({ names }) => names.length > 0);
    expect(sections).toEqual(
      SETTING_GROUPS.map(({ title, settings }) => ({ title, names: settings.map(({ name }) => name) })),
    );
  });
});

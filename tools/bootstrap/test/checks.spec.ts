import { describe, expect, it } from '@jest/globals';
import { listChecks } from './checks.mjs';

describe('the checks', () => {
  const cached = (env: NodeJS.ProcessEnv): readonly string[] =>
    listChecks(env)
      .filter(({ steps }) => steps.some((step) => step.includes('--cache')))
      .map(({ name }) => name);

  it('check changed files again, and with CI=true lint everything', () => {
    expect(listChecks({}).map(({ name }) => name)).toEqual(['format', 'lint and types', 'unused']);
    expect(cached({})).toEqual(['lint and types']);
    expect(cached({ CI: 'true' })).toEqual([]);
  });

  it('keep their caches where a clone ignores them', () => {
    const locations = listChecks({}).flatMap(({ steps }) =>
      steps.flat().filter((argument) => argument.startsWith('--cache-location=')),
    );
    for (const location of locations) expect(location).toMatch(/^--cache-location=node_modules\/\.cache\//);
  });
});

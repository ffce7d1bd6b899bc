import { describe, expect, it } from '@jest/globals';
import { checksOf } from './checks.mjs';

describe('the checks', () => {
  const cached = (env: NodeJS.ProcessEnv): readonly string[] =>
    checksOf(env)
      .filter(({ steps }) => steps.some((step) => step.includes('--cache')))
      .map(({ name }) => name);

  it('check changed files again, and with CI=true lint everything', () => {
    expect(checksOf({}).map(({ name }) => name)).toEqual(['format', 'lint', 'types']);
    expect(cached({})).toEqual(['format', 'lint']);
    expect(cached({ CI: 'true' })).toEqual(['format']);
  });

  it('keep their caches where a clone ignores them', () => {
    const locations = checksOf({}).flatMap(({ steps }) =>
      steps.flat().filter((argument) => argument.startsWith('--cache-location=')),
    );
    for (const location of locations) expect(location).toMatch(/^--cache-location=node_modules\/\.cache\//);
  });
});

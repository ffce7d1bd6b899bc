import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { stringifyJson } from '@stratalog/json';
import { buildOpenApi } from './build-openapi';
import { shippedDeps } from '../testing/shipped-docs';

describe('the OpenAPI document', () => {
  test.each(['all', 'operations', 'none'] as const)(
    'the OpenAPI document in mode %s is accepted by a linter with its strict rules',
    async (mode) => {
      const source = stringifyJson(buildOpenApi(await shippedDeps(mode)));
      const config = await createConfig({ extends: ['recommended-strict'] });
      const problems = await lintFromString({ source, config });
      expect(
        problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      ).toEqual([]);
    },
  );
});

import { expect, test } from '@jest/globals';
import { API_ROUTES } from './api-routes';
import { allPages, shippedDeps } from './testing/shipped-docs';

test('the page shows next to each call, and on its button, whether it writes', async () => {
  const index = allPages(await shippedDeps()).get('restli/docs') ?? '';
  const shown = index.split('<li class="endpoint"').slice(1);
  const [writing, reading] = [true, false].map((does) =>
    shown.filter((text) => text.includes('class="chip writes"') === does),
  );
  expect(writing).toHaveLength(API_ROUTES.filter(({ writes }) => writes).length);
  expect(reading).not.toHaveLength(0);
  for (const text of writing ?? []) expect(text).toContain('Run and write');
  for (const text of reading ?? []) expect(text).not.toContain('Run and write');
});

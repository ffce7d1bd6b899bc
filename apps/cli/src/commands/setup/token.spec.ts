import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog } from '../../testing/scripted-catalog';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});
afterEach(async () => {
  await catalog.stop();
});

describe('token create', () => {
  it.each([
    [[], "required option '--scope <scope>' not specified"],
    [['--scope', 'everything'], 'Allowed choices are read, write, operate, admin.'],
  ])('is wrong usage with the scopes %j', async (scopes, reason) => {
    expect(await catalog.run(['token', 'create', 'etl', '--token', 'a-secret', ...scopes])).toMatchObject({
      exit: 2,
      err: expect.stringContaining(reason),
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { operationsSuite } from './operations-suite';
import { Site } from '../testing/catalog/booted-catalog';

describe('the calls of operators', () => {
  operationsSuite({});
});

describe('a stop of the catalog', () => {
  it('ends the streams of tasks that clients follow', async () => {
    const site = await Site.create();
    try {
      const catalog = await site.boot({ environment: { STRATALOG_AUTH: 'none' } });
      const { task } = await catalog.deps.tasks.create({ kind: 'idle', parameters: {}, actor: 'nobody' });
      const response = await fetch(`${catalog.url}/operations/tasks/${String(task.id)}/events`);
      const [text] = await Promise.all([response.text(), catalog.stop()]);
      expect(text).toContain('event: progress');
    } finally {
      await site.remove();
    }
  });
});

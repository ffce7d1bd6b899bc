import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { WITH_TOKEN, type OperatorCalls } from './operator-calls';

/** Proposals that the writer rejected after they were logged. */
export function deadLettersSuite({ catalog }: OperatorCalls): void {
  describe('the dead letters', () => {
    const list = async (query = ''): Promise<JsonObject> =>
      (await catalog.http.get(`/operations/deadLetters${query}`, WITH_TOKEN)).json as JsonObject;
    const sendUnknown = (urn: string): Promise<unknown> =>
      catalog.http.ingest({
        urn,
        aspectName: 'noSuchAspect',
        value: { is: 'kept' },
        parameters: { async: 'true' },
      });

    it('lists what the writer rejected after it was logged, the newest first', async () => {
      await sendUnknown('urn:li:tag:dead-letter-1');
      await until(async () => (await list('?waiting=true')).total === 1);
      await sendUnknown('urn:li:tag:dead-letter-2');
      await until(async () => (await list('?waiting=true')).total === 2);
      const page = await list('?waiting=true&count=1');
      expect(page).toMatchObject({ start: 0, count: 1, total: 2 });
      expect(page.deadLetters).toEqual([
        expect.objectContaining({
          waits: true,
          reason: expect.stringContaining('noSuchAspect'),
          rejectedMillis: expect.any(Number),
          offset: expect.any(Number),
          bytes: expect.any(Number),
          proposalCount: 1,
          proposals: [
            {
              entityType: 'tag',
              urn: 'urn:li:tag:dead-letter-2',
              aspectName: 'noSuchAspect',
              changeType: 'UPSERT',
              value: '{"is":"kept"}',
            },
          ],
        }),
      ]);
      const second = at(
        await list('?waiting=true&start=1'),
        'deadLetters',
      ) as unknown as readonly JsonObject[];
      expect(second.map((each) => at(each, 'proposals', '0', 'urn'))).toEqual(['urn:li:tag:dead-letter-1']);
      const large = {
        urn: 'urn:li:tag:dead-letter-3',
        aspectName: 'noSuchAspect',
        parameters: { async: 'true' },
      };
      await catalog.http.ingest({ ...large, value: { is: 'x'.repeat(20_000) } });
      await until(async () => (await list('?waiting=true')).total === 3);
      const [third] = at(await list('?count=1'), 'deadLetters') as unknown as readonly JsonObject[];
      expect(third?.proposals).toBeUndefined();
      expect(Buffer.from(third?.beginning as string, 'base64').toString()).toContain(large.urn);
      expect(await list('?waiting=false')).toEqual({ start: 0, count: 0, total: 0, deadLetters: [] });
    });

    it('are for operators only', async () => {
      expect((await catalog.http.get('/operations/deadLetters')).status).toBe(401);
    });
  });
}

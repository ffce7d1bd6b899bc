import { describe, expect, it } from '@jest/globals';
import { asReplay, parseDeadLetterId, type ProposalEntry } from '@stratalog/domain';
import { stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { ACTOR, WITH_TOKEN, type OperatorCalls } from './operator-calls';

const ASPECT = 'tagProperties';

/** Proposals that the writer rejected after they were logged. */
export function deadLettersSuite({ catalog, ask, get }: OperatorCalls): void {
  describe('the dead letters', () => {
    const list = async (query = ''): Promise<JsonObject> =>
      (await catalog.http.get(`/operations/deadLetters${query}`, WITH_TOKEN)).json as JsonObject;
    const lettersOf = async (urn: string, more = ''): Promise<readonly JsonObject[]> =>
      at(
        await list(`?urn=${encodeURIComponent(urn)}${more}`),
        'deadLetters',
      ) as unknown as readonly JsonObject[];
    const sendUnknown = (urn: string): Promise<unknown> =>
      catalog.http.ingest({
        urn,
        aspectName: 'noSuchAspect',
        value: { is: 'kept' },
        parameters: { async: 'true' },
      });
    /** Sends a proposal whose condition does not hold, and returns the id of its letter. */
    const sendConflict = async (urn: string, name: string, members: JsonOutputObject): Promise<string> => {
      const before = (await lettersOf(urn)).length;
      await catalog.http.ingest({
        urn,
        aspectName: ASPECT,
        value: { name },
        members,
        parameters: { async: 'true' },
      });
      await until(async () => (await lettersOf(urn)).length === before + 1);
      return (await lettersOf(urn))[0]?.id as string;
    };
    const remove = async (urn: string): Promise<void> => {
      const proposal = { entityType: 'tag', entityUrn: urn, aspectName: ASPECT, changeType: 'DELETE' };
      const { status } = await catalog.http.post(
        '/aspects?action=ingestProposal',
        stringifyJson({ proposal }),
        WITH_TOKEN,
      );
      expect(status).toBe(200);
    };
    const nameOf = async (urn: string): Promise<unknown> =>
      at((await catalog.http.entity(urn)).json, 'aspects', ASPECT, 'value', 'name');
    const act = async (action: string, body: JsonOutputObject) => {
      const { status, json } = await ask(action, body);
      return { status, message: at(json, 'message'), value: at(json, 'value') as JsonObject };
    };
    const outcomeOf = async (action: string, body: JsonOutputObject): Promise<unknown> => {
      const { value } = await act(action, { ...body, dryRun: false });
      const read = async (): Promise<JsonObject> =>
        (await get(`/${encodeURIComponent(value.task as string)}`)).json as JsonObject;
      await until(async () => (await read()).state === 'completed');
      return (await read()).outcome;
    };
    const CREATE = { changeType: 'CREATE' };

    it('lists what the writer rejected after it was logged, the newest first', async () => {
      await sendUnknown('urn:li:tag:dead-letter-1');
      await until(async () => (await list('?waiting=true')).total === 1);
      await sendUnknown('urn:li:tag:dead-letter-2');
      await until(async () => (await list('?waiting=true')).total === 2);
      const page = await list('?waiting=true&count=1');
      expect(page).toMatchObject({ start: 0, count: 1, total: 2, cursor: expect.any(String) });
      expect(page.deadLetters).toEqual([
        expect.objectContaining({
          id: expect.stringMatching(/^\d+\.\d+/),
          waits: true,
          state: 'open',
          cause: 'unknown-aspect',
          reason: expect.stringContaining('noSuchAspect'),
          rejectedMillis: expect.any(Number),
          times: 1,
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
      for (const next of ['start=1', `cursor=${encodeURIComponent(page.cursor as string)}`]) {
        const second = at(
          await list(`?waiting=true&${next}`),
          'deadLetters',
        ) as unknown as readonly JsonObject[];
        expect(second.map((each) => at(each, 'proposals', '0', 'urn'))).toEqual(['urn:li:tag:dead-letter-1']);
      }
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

    it('are selected and counted by cause, reason, time and entity', async () => {
      const urn = 'urn:li:tag:counted';
      await catalog.http.write(urn, ASPECT, { name: 'first' });
      await sendConflict(urn, 'second', CREATE);
      await sendConflict(urn, 'third', CREATE);
      const total = async (query: string): Promise<unknown> => (await list(`?count=0&${query}`)).total;
      const [letter] = await lettersOf(urn);
      const since = Number(letter?.rejectedMillis) + 1;
      expect(await lettersOf('urn:li:tag:count')).toEqual([]);
      expect(await lettersOf(urn, '&entityType=dataset')).toEqual([]);
      expect(await lettersOf(urn, '&entityType=tag&state=open&cause=conflict')).toHaveLength(2);
      expect(await lettersOf(urn, `&from=${String(since)}`)).toEqual([]);
      expect(await lettersOf(urn, `&to=${String(since)}`)).toHaveLength(2);
      expect(await total('cause=unknown-aspect')).toBe(3);
      expect(await total('reason=exists%20already&state=discarded')).toBe(0);

      const { json } = await catalog.http.get(
        `/operations/deadLetters/counts?urn=${encodeURIComponent(urn)}`,
        WITH_TOKEN,
      );
      expect(json).toEqual({
        total: 2,
        checked: 2,
        acceptable: 2,
        reasons: [
          {
            cause: 'conflict',
            reason: expect.stringContaining('…'),
            count: 2,
            oldestMillis: expect.any(Number),
            newestMillis: letter?.rejectedMillis,
          },
        ],
      });
      expect((await act('replayDeadLetters', { waiting: true })).value).toEqual({
        matching: 3,
        checked: 3,
        acceptable: 0,
      });
      const wrong = await catalog.http.get('/operations/deadLetters?cause=any', WITH_TOKEN);
      expect([wrong.status, at(wrong.json, 'message')]).toEqual([400, expect.stringContaining("'cause'")]);
      expect((await catalog.http.get('/operations/deadLetters?cursor=x', WITH_TOKEN)).status).toBe(400);
    });

    it('are shown whole, and only where they exist', async () => {
      const [letter] = await lettersOf('urn:li:tag:dead-letter-3');
      const { json } = await catalog.http.get(`/operations/deadLetters/${letter?.id as string}`, WITH_TOKEN);
      expect(at(json, 'text')).toContain('x'.repeat(20_000));
      expect(at(json, 'proposals', '0', 'value')).toHaveLength(20_009);
      expect((await catalog.http.get('/operations/deadLetters/0.999999', WITH_TOKEN)).status).toBe(404);
      expect((await catalog.http.get('/operations/deadLetters/first', WITH_TOKEN)).status).toBe(400);
    });

    it('are applied by a replay, which keeps who wrote and tells who replayed', async () => {
      const urn = 'urn:li:tag:replayed';
      await catalog.http.write(urn, ASPECT, { name: 'stored' });
      const letter = await sendConflict(urn, 'replayed', CREATE);
      expect(await act('replayDeadLetter', { letter })).toMatchObject({
        status: 422,
        message: expect.stringContaining('exists already'),
      });
      expect(await lettersOf(urn)).toMatchObject([{ id: letter, state: 'open', times: 2 }]);
      await remove(urn);
      const { status, value } = await act('replayDeadLetter', { letter });
      expect([status, value]).toEqual([
        200,
        expect.objectContaining({ id: letter, state: 'replayed', settledBy: ACTOR }),
      ]);
      expect(await nameOf(urn)).toBe('replayed');
      for (const action of ['replayDeadLetter', 'discardDeadLetter']) {
        expect(await act(action, { letter })).toMatchObject({
          status: 409,
          message: expect.stringContaining(`replayed by ${ACTOR}`),
        });
      }
      const { json } = await catalog.http.get(
        '/operations/audit?count=1&outcome=done&call=POST%20/operations%20replayDeadLetter',
        WITH_TOKEN,
      );
      expect(at(json, 'records', '0')).toMatchObject({ actor: ACTOR, parameters: { letter } });
    });

    it('say first what newer value a replay would overwrite', async () => {
      const urn = 'urn:li:tag:newer';
      const letter = await sendConflict(urn, 'old', { headers: { 'If-Version-Match': '1' } });
      await catalog.http.write(urn, ASPECT, { name: 'new' });
      expect(await act('replayDeadLetter', { letter })).toMatchObject({
        status: 409,
        message: expect.stringMatching(
          /^Version 1 of tagProperties of urn:li:tag:newer was written at .*force=true/,
        ),
      });
      expect(await nameOf(urn)).toBe('new');
      expect(await outcomeOf('replayDeadLetters', { urn })).toEqual({
        replayed: 0,
        rejected: 0,
        held: 1,
        settled: 0,
      });
      expect((await act('replayDeadLetter', { letter, force: true })).status).toBe(200);
      expect(await nameOf(urn)).toBe('old');
    });

    it('keep the order of an urn', async () => {
      const urn = 'urn:li:tag:ordered';
      await catalog.http.write(urn, ASPECT, { name: '1' });
      const first = await sendConflict(urn, '3', { headers: { 'If-Version-Match': '-1' } });
      const second = await sendConflict(urn, '4', { headers: { 'If-Version-Match': '3' } });
      await remove(urn);
      expect(await act('replayDeadLetter', { letter: second })).toMatchObject({
        status: 409,
        message: expect.stringContaining(`Dead letter ${first} `),
      });
      expect((await act('replayDeadLetters', { urn })).value).toEqual({
        matching: 2,
        checked: 2,
        acceptable: 2,
      });
      expect(await outcomeOf('replayDeadLetters', { urn })).toEqual({
        replayed: 2,
        rejected: 0,
        held: 0,
        settled: 0,
      });
      expect(await nameOf(urn)).toBe('4');
    });

    it('are corrected, with the checks of any proposal', async () => {
      const [letter] = await lettersOf('urn:li:tag:dead-letter-1');
      const proposal = {
        entityType: 'tag',
        entityUrn: 'urn:li:tag:dead-letter-1',
        aspectName: ASPECT,
        changeType: 'UPSERT',
      };
      const correct = (value: JsonOutputObject, more: JsonOutputObject = {}) =>
        act('replayDeadLetter', {
          letter: letter?.id,
          proposal: {
            ...proposal,
            aspect: { value: stringifyJson(value), contentType: 'application/json' },
            ...more,
          },
        });
      expect(await correct({ name: 7 })).toMatchObject({
        status: 422,
        message: expect.stringContaining('/name'),
      });
      expect(await correct({ name: 'x' }, { entityUrn: 5 })).toMatchObject({
        status: 400,
        message: expect.stringContaining('entityUrn'),
      });
      expect(await lettersOf(proposal.entityUrn)).toMatchObject([{ state: 'open', times: 1 }]);
      expect(await correct({ name: 'corrected' })).toMatchObject({
        status: 200,
        value: { state: 'replayed' },
      });
      expect(await nameOf(proposal.entityUrn)).toBe('corrected');
    });

    it('are corrected with the scope admin only', async () => {
      const made = await ask('createToken', { name: 'operates', scopes: ['operate'] });
      const headers = { authorization: `Bearer ${at(made.json, 'value', 'token') as string}` };
      const proposal = {
        entityType: 'tag',
        entityUrn: 'urn:li:tag:x',
        aspectName: ASPECT,
        changeType: 'DELETE',
      };
      expect((await ask('replayDeadLetter', { letter: '0.999999' }, headers)).status).toBe(404);
      expect((await ask('replayDeadLetter', { letter: '0.999999', proposal }, headers)).status).toBe(403);
    });

    it('are discarded, one or selected ones', async () => {
      const [letter] = await lettersOf('urn:li:tag:dead-letter-2');
      expect(await act('discardDeadLetter', { letter: letter?.id })).toMatchObject({
        status: 200,
        value: { state: 'discarded', settledBy: ACTOR, discardedMillis: expect.any(Number) },
      });
      expect((await act('replayDeadLetter', { letter: letter?.id })).status).toBe(409);
      expect((await act('discardDeadLetters', { cause: 'unknown-aspect' })).value).toEqual({ matching: 1 });
      expect(await outcomeOf('discardDeadLetters', { cause: 'unknown-aspect' })).toEqual({ discarded: 1 });
      expect((await list('?state=discarded&count=0')).total).toBe(2);
    });

    it('are applied once, however often their replay is logged or asked for', async () => {
      const urn = 'urn:li:tag:once';
      await catalog.http.write(urn, ASPECT, { name: 'stored' });
      const ids = [await sendConflict(urn, 'logged', CREATE), await sendConflict(urn, 'asked', CREATE)];
      await remove(urn);
      const [logged, asked] = ids.map((id) => parseDeadLetterId(id));
      if (logged === undefined || asked === undefined) throw new Error('the letters have ids');
      const entry = (name: string): ProposalEntry => ({
        entityType: 'tag',
        urn,
        aspectName: ASPECT,
        changeType: 'UPSERT',
        value: stringifyJson({ name }),
        actor: ACTOR,
      });
      // As after a crash: the replay is in the log already, another write follows, and the replay is logged again.
      const replay = asReplay(entry('logged'), { letter: logged });
      await catalog.deps.proposals.append([replay, entry('later'), replay]);
      await until(async () => (await nameOf(urn)) === 'later');
      await until(async () => (await lettersOf(urn, '&state=replayed')).length === 1);
      expect(await nameOf(urn)).toBe('later');

      const both = await Promise.all(
        [0, 1, 2, 3].map(() =>
          act('replayDeadLetter', {
            letter: ids[1],
            proposal: {
              entityType: 'tag',
              entityUrn: 'urn:li:tag:asked-once',
              aspectName: ASPECT,
              changeType: 'CREATE',
              aspect: { value: '{"name":"once"}', contentType: 'application/json' },
            },
          }),
        ),
      );
      // A second application of the CREATE would be rejected with 422.
      expect(new Set(both.map(({ status }) => status)).has(422)).toBe(false);
      expect(both.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(await lettersOf(urn, '&state=replayed')).toMatchObject([{ times: 1 }, { times: 1 }]);
    });
  });
}

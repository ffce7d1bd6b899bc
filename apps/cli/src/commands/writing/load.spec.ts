import { readFile, readdir, symlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog, rejection, type Reply } from '../../testing/scripted-catalog';

interface Proposal {
  readonly entityUrn: string;
  readonly aspectName: string;
  readonly aspect: { readonly value: string };
}

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});

afterEach(async () => {
  await catalog.stop();
});

const record = (urn: string, aspectName: string, json: unknown = {}) => ({
  entityType: 'dataset',
  entityUrn: urn,
  changeType: 'UPSERT',
  aspectName,
  aspect: { json },
});
const input = (records: readonly unknown[]): Readable =>
  Readable.from([Buffer.from(JSON.stringify(records))]);
const proposalsIn = (body: string): readonly Proposal[] => {
  const { proposal, proposals } = JSON.parse(body) as { proposal?: Proposal; proposals?: Proposal[] };
  return proposals ?? (proposal === undefined ? [] : [proposal]);
};
const isIngest = (request: IncomingMessage): boolean =>
  request.url?.startsWith('/aspects?action=ingestProposal') ?? false;
/** Accepts a request whole or not at all, and names the first bad element of a batch. */
const decided = (body: string, reasonAgainst: (proposal: Proposal) => string | undefined): Reply => {
  const proposals = proposalsIn(body);
  const at = proposals.findIndex((proposal) => reasonAgainst(proposal) !== undefined);
  const bad = proposals[at];
  if (bad === undefined) return { status: 200 };
  return rejection(
    422,
    `${proposals.length > 1 ? `/proposals/${String(at)} :: ` : ''}${reasonAgainst(bad) ?? ''}`,
  );
};

describe('load', () => {
  it('sends every record once, those of one urn in the order of the file, and exits with 0', async () => {
    const arrived: Proposal[] = [];
    const underWay = new Set<string>();
    const protocols = new Set<unknown>();
    const sizes: number[] = [];
    let doubled = 0;
    catalog.reply = (request, body) => {
      if (!isIngest(request)) return { status: 200 };
      const proposals = proposalsIn(body);
      const urns = new Set(proposals.map(({ entityUrn }) => entityUrn));
      protocols.add(request.headers['x-restli-protocol-version']);
      sizes.push(proposals.length);
      for (const urn of urns) {
        if (underWay.has(urn)) doubled++;
        underWay.add(urn);
      }
      return new Promise((resolve) => {
        setImmediate(() => {
          for (const urn of urns) underWay.delete(urn);
          arrived.push(...proposals);
          resolve({ status: 200 });
        });
      });
    };
    const records = Array.from({ length: 300 }, (_, at) => record(`urn:${String(at % 7)}`, 'status', { at }));
    const path = await catalog.file('many.json', JSON.stringify(records, null, 2));

    const { exit, out } = await catalog.run(['load', path, '--concurrency', '5', '--batch', '20']);

    expect(exit).toBe(0);
    expect(out).toMatch(/^records +300\nsent +300\nwritten +300\nrejected +0\n/);
    expect(arrived).toHaveLength(300);
    expect(doubled).toBe(0);
    expect(Math.max(...sizes)).toBe(20);
    expect([...protocols]).toEqual(['2.0.0']);
    for (let urn = 0; urn < 7; urn++) {
      const order = arrived
        .filter(({ entityUrn }) => entityUrn === `urn:${String(urn)}`)
        .map(({ aspect }) => (JSON.parse(aspect.value) as { at: number }).at);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
    expect(await readdir(catalog.folder)).toEqual(['many.json']);
  });

  it('stores rejected records with reasons, counts by reason and exits with 1', async () => {
    catalog.reply = (request, body) => {
      if (request.url === '/entities?action=ingest') return rejection(422, 'no such snapshot');
      if (!isIngest(request)) return { status: 200 };
      return decided(body, ({ entityUrn, aspectName }) =>
        aspectName === 'datasetProfile' ? `${entityUrn}: timeseries aspects come later` : undefined,
      );
    };
    const lines = [
      record('urn:a', 'status'),
      record('urn:a', 'datasetProfile', { rowCount: 7 }),
      record('urn:b', 'datasetProfile'),
      { proposedSnapshot: { 'x.TagSnapshot': { urn: 'urn:c', aspects: [] } } },
    ].map((one) => JSON.stringify(one).replace('"rowCount":7', '"rowCount":9007199254740993'));
    const path = await catalog.file('some.jsonl', [...lines, '{"broken'].join('\n'));

    const { exit, out } = await catalog.run(['load', path]);

    expect(exit).toBe(1);
    expect(out).toMatch(/^records +5\nsent +4\nwritten +1\nrejected +4\n/);
    expect(out).toContain('  2  datasetProfile: <urn>: timeseries aspects come later\n');
    expect(out).toContain('  1  TagSnapshot: no such snapshot\n');
    const rejects = (await readFile(`${path}.rejects.jsonl`, 'utf8')).trimEnd().split('\n');
    const indices = rejects.map((line) => (JSON.parse(line) as { index: number }).index);
    expect(indices.sort()).toEqual([1, 2, 3, 4]);
    expect(rejects).toContainEqual(
      `{"index":1,"entityUrn":"urn:a","aspectName":"datasetProfile","status":422,` +
        `"reason":"urn:a: timeseries aspects come later","record":${lines[1] ?? ''}}`,
    );
    expect(rejects).toContainEqual(expect.stringContaining('"record":"{\\"broken"'));
  });

  it('splits a rejected batch: writes the good records in order, and leaves out only the bad ones', async () => {
    const taken: string[] = [];
    let requests = 0;
    catalog.reply = (request, body) => {
      if (!isIngest(request)) return { status: 200 };
      requests++;
      const reply = decided(body, ({ aspectName }) =>
        aspectName.startsWith('bad') ? `no ${aspectName}` : undefined,
      );
      if (reply.status === 200) taken.push(...proposalsIn(body).map(({ aspectName }) => aspectName));
      return reply;
    };
    const names = Array.from({ length: 100 }, (_, at) => `${at % 40 === 7 ? 'bad' : 'good'}${String(at)}`);
    const path = await catalog.file('few.json', JSON.stringify(names.map((name) => record('u', name))));

    expect((await catalog.run(['load', path])).exit).toBe(1);
    expect(taken).toEqual(names.filter((name) => name.startsWith('good')));
    const rejects = (await readFile(`${path}.rejects.jsonl`, 'utf8')).trimEnd().split('\n');
    expect(rejects.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual([
      'no bad7',
      'no bad47',
      'no bad87',
    ]);
    expect(requests).toBe(10);
  });

  it('sends records one by one after repeated rejections, or when a rejection names no place', async () => {
    const alone: string[] = [];
    catalog.reply = (request, body) => {
      if (!isIngest(request)) return { status: 200 };
      const [first, ...others] = proposalsIn(body);
      if (first === undefined || others.length > 0) return rejection(413, 'too large together');
      alone.push(first.aspectName);
      return { status: 200 };
    };
    const names = Array.from({ length: 30 }, (_, at) => String(at));
    const stdin = input(names.map((name) => record(`u${String(Number(name) % 2)}`, name)));
    const { exit, out } = await catalog.run(['load', '-'], { stdin });
    expect(exit).toBe(0);
    expect(out).toMatch(/written +30\n/);
    for (const parity of [0, 1]) {
      const mine = (name: string): boolean => Number(name) % 2 === parity;
      expect(alone.filter(mine)).toEqual(names.filter(mine));
    }
  });

  it('sends snapshots and proposals that alternate in full batches, each entity in the order of the file', async () => {
    const calls: string[] = [];
    catalog.reply = (request) => {
      if (request.method === 'POST') calls.push(request.url ?? '');
      return { status: 200 };
    };
    const snapshot = (urn: string): unknown => ({
      proposedSnapshot: { 'x.TagSnapshot': { urn, aspects: [] } },
    });
    const records = Array.from({ length: 20 }, (_, at) => [
      snapshot(`u${String(at)}`),
      record(`u${String(at)}`, 'status'),
    ]).flat();
    const { exit } = await catalog.run(['load', '-', '--concurrency', '1'], { stdin: input(records) });
    expect(exit).toBe(0);
    expect(calls).toEqual(['/entities?action=batchIngest', '/aspects?action=ingestProposalBatch']);
  });

  it('reads gzip', async () => {
    const packed = gzipSync(JSON.stringify([record('u', 'status')]));
    const { exit, out } = await catalog.run(['load', '-'], { stdin: Readable.from([packed]) });
    expect([exit, out]).toEqual([0, expect.stringMatching(/written +1\n/)]);
  });

  it.each([
    ['nothing', '', 'empty: a file to load is one JSON array, or one JSON object a line'],
    ['blank lines', ' \n\n', 'it is empty'],
    ['no records', '[]', 'it is empty'],
    [
      'half of a packed file',
      gzipSync(JSON.stringify([1])).subarray(0, 12),
      'packed data (gzip) are cut off',
    ],
    [
      'a damaged packed file',
      Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(40, 0xff)]),
      'are damaged',
    ],
    ['a Parquet file', 'PAR1....', 'it is a Parquet file'],
    ['a zip archive', 'PK\u0003\u0004', 'it is a zip archive'],
    ['text of Windows', Buffer.from('\ufeff[]', 'utf16le'), 'it is UTF-16 text'],
    ['a program', Buffer.from('\u007fELF\u0002\u0001\u0001\u0000'), 'it is binary (byte 7 is 0)'],
  ])('says what a file of %s is, and exits with 2', async (_name, content, reason) => {
    const path = await catalog.file('wrong.json', content);
    const { exit, out, err } = await catalog.run(['load', path]);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('wrong.json: ');
    expect(err).toContain(reason);
  });

  it('reports where a file is cut off', async () => {
    const one = JSON.stringify(record('u', 'status'));
    const lines = await catalog.file('cut.jsonl', `${one}\n${one.slice(0, 30)}`);
    expect((await catalog.run(['load', lines])).out).toContain('the file seems to be cut off');
    const array = await catalog.file('cut.json', `[${one},${one.slice(0, 30)}`);
    const { exit, err } = await catalog.run(['load', array]);
    expect([exit, err]).toEqual([
      1,
      expect.stringContaining('the array is cut off inside element 1, counted from 0'),
    ]);
  });

  it('names the limit and the setting for a record that is too large', async () => {
    catalog.reply = (request) =>
      isIngest(request) ? rejection(413, 'larger than the limit') : { status: 200 };
    const { exit, out } = await catalog.run(['load', '-'], { stdin: input([record('u', 'status')]) });
    expect(exit).toBe(1);
    expect(out).toMatch(
      /the record has \d+ bytes, more than the catalog takes.*STRATALOG_MAX_BODY_BYTES, 16,777,216 bytes/,
    );
  });

  it('counts the catalog’s warnings', async () => {
    catalog.reply = (request) =>
      isIngest(request)
        ? {
            status: 200,
            headers: {
              'X-Stratalog-Warnings': '["/proposals/1/aspect/value/nme is unknown; did you mean name?"]',
            },
          }
        : { status: 200 };
    const records = Array.from({ length: 3 }, (_, at) => record(`u${String(at)}`, 'a'));
    const { exit, out } = await catalog.run(['load', '-', '--batch', '1'], { stdin: input(records) });
    expect(exit).toBe(0);
    expect(out).toContain('passed over\n  3  aspect/value/nme is unknown; did you mean name?\n');
  });

  it('prints its summary as JSON with --json', async () => {
    catalog.reply = (request, body) =>
      isIngest(request)
        ? decided(body, ({ aspectName }) => (aspectName === 'b' ? 'no b' : undefined))
        : { status: 200 };
    const stdin = input([record('u', 'a'), record('u', 'b')]);
    const { out } = await catalog.run(['load', '-', '--json', '--rejects', join(catalog.folder, 'r')], {
      stdin,
    });
    expect(JSON.parse(out)).toEqual({
      read: 2,
      sent: 2,
      written: 1,
      rejected: 1,
      seconds: expect.any(Number),
      reasons: [{ aspectName: 'b', reason: 'no b', count: 1 }],
      warnings: [],
      rejects: join(catalog.folder, 'r'),
    });
  });

  it('removes its default rejects file of an earlier load, but never a file that the user named', async () => {
    const path = await catalog.file('clean.json', JSON.stringify([record('urn:a', 'status')]));
    await catalog.file('clean.json.rejects.jsonl', '{"index":0}\n');
    const named = await catalog.file('named.jsonl', 'mine\n');

    expect((await catalog.run(['load', path, '--rejects', named])).exit).toBe(0);
    expect((await readdir(catalog.folder)).sort()).toEqual([
      'clean.json',
      'clean.json.rejects.jsonl',
      'named.jsonl',
    ]);
    expect((await catalog.run(['load', path])).exit).toBe(0);
    expect((await readdir(catalog.folder)).sort()).toEqual(['clean.json', 'named.jsonl']);
    expect(await readFile(named, 'utf8')).toBe('mine\n');
  });

  it('neither deletes nor overwrites a file that is none of its own', async () => {
    const path = await catalog.file('clean.json', JSON.stringify([record('urn:a', 'status')]));
    const foreign = await catalog.file('clean.json.rejects.jsonl', 'notes of somebody\n');
    expect(await catalog.run(['load', path])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is there already, and holds no rejected records of an earlier load'),
    });
    expect(await readFile(foreign, 'utf8')).toBe('notes of somebody\n');
  });

  it('does not overwrite its own input under any name', async () => {
    const text = '[{"broken"]';
    const path = await catalog.file('own.json', text);
    const link = join(catalog.folder, 'link.json');
    await symlink(path, link);
    for (const rejects of [path, link, join(catalog.folder, '.', 'own.json')]) {
      const { exit, err } = await catalog.run(['load', path, '--rejects', rejects]);
      expect([exit, err]).toEqual([
        2,
        `--rejects names the file that is loaded, ${path}, and would overwrite it: name another\n`,
      ]);
    }
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('escapes control characters in messages of the catalog', async () => {
    catalog.reply = (request) =>
      isIngest(request) ? rejection(422, 'bad \u001b[2J\nname \u202e') : { status: 200 };
    const path = await catalog.file('bad.json', JSON.stringify([record('urn:a', 'sta\u009btus')]));
    const { out } = await catalog.run(['load', path]);
    expect(out).toContain('  1  sta\ufffdtus: bad \ufffd[2J name \ufffd\n');
  });

  it('retries while the catalog is busy, and later records of the urn wait', async () => {
    const statuses = [503, 429, 502, 200, 200];
    const arrived: string[] = [];
    catalog.reply = (request, body) => {
      if (!isIngest(request)) return { status: 200 };
      arrived.push(
        proposalsIn(body)
          .map(({ aspectName }) => aspectName)
          .join(),
      );
      return rejection(statuses[arrived.length - 1] ?? 500, 'busy');
    };
    const { exit } = await catalog.run(['load', '-', '--batch', '1'], {
      stdin: input([record('u', 'first'), record('u', 'second')]),
    });
    expect(exit).toBe(0);
    expect(arrived).toEqual(['first', 'first', 'first', 'first', 'second']);
  });

  it('gives up when the catalog stays unreachable, and reports how far it got', async () => {
    catalog.reply = (request, body) =>
      isIngest(request) && proposalsIn(body)[0]?.aspectName === 'third'
        ? rejection(503, 'draining')
        : { status: 200 };
    const records = ['first', 'second', 'third', 'fourth'].map((name) => record('u', name));
    const path = await catalog.file('part.json', JSON.stringify(records));

    const { exit, out, err } = await catalog.run(['load', path, '--batch', '1', '--retries', '1']);

    expect(exit).toBe(3);
    expect(out).toMatch(/written +2\n/);
    expect(err).toContain(
      'unavailable: draining; gave up after 1 retries; every record of part.json before number 2,',
    );
  });

  it('gives up when connections keep breaking', async () => {
    catalog.reply = (request) => {
      if (isIngest(request)) request.socket.destroy();
      return { status: 200 };
    };
    const { exit, err } = await catalog.run(['load', '-', '--retries', '2'], {
      stdin: input([record('u', 'status')]),
    });
    expect(exit).toBe(3);
    expect(err).toContain('(connection broken); gave up after 2 retries');
  });

  it('stops at once when its token is wrong', async () => {
    catalog.reply = (request) => (isIngest(request) ? rejection(401, 'unknown token') : { status: 200 });
    const { exit, err } = await catalog.run(['load', '-', '--token', 'x'], {
      stdin: input([record('u', 'status')]),
    });
    expect(exit).toBe(1);
    expect(err).toContain('needs a token (unknown token): give one with --token');
  });

  it('stops cleanly at Ctrl-C, even when its input stalls', async () => {
    const interrupt = new AbortController();
    const stdin = new PassThrough();
    stdin.write(`${JSON.stringify(record('u', 'status'))}\n`);
    catalog.reply = (request) => {
      if (isIngest(request)) interrupt.abort();
      return { status: 200 };
    };
    const { exit, out, err } = await catalog.run(['load', '-'], { stdin, interrupted: interrupt.signal });
    expect(exit).toBe(130);
    expect(out).toMatch(/written +1\n/);
    expect(err).toContain('interrupted; every record of standard input before number 1,');
  });

  it('reports the fault of a broken file after sending the records before it', async () => {
    const path = await catalog.file('broken.json', `[${JSON.stringify(record('u', 'status'))},,]`);
    const { exit, out, err } = await catalog.run(['load', path]);
    expect(exit).toBe(1);
    expect(out).toMatch(/written +1\n/);
    expect(err).toContain('cannot read on: a value is missing next to a comma after element 1');
  });

  it('waits with --wait until everything is searchable', async () => {
    const waitedFor: unknown[] = [];
    let sequence = 0;
    catalog.reply = (request) => {
      if (isIngest(request)) {
        sequence++;
        const position = `00000000.1.${String(sequence % 2)}:${String(sequence)}`;
        return { status: 200, headers: { 'X-Stratalog-Position': position } };
      }
      if (request.url !== '/entities?action=search') return { status: 200 };
      waitedFor.push(request.headers['x-stratalog-wait-for']);
      return waitedFor.length === 1 ? rejection(503, 'behind') : { status: 200 };
    };
    const { exit, out } = await catalog.run(['load', '-', '--wait', '--batch', '1'], {
      stdin: input([record('u', 'a'), record('u', 'b'), record('u', 'c')]),
    });
    expect(exit).toBe(0);
    expect(out).toMatch(/searchable\n$/);
    expect(waitedFor).toEqual(['00000000.1.0:2,1:3', '00000000.1.0:2,1:3']);
  });
});

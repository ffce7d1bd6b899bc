import { readFile, readdir, symlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog, refusal } from '../testing/scripted-catalog';

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
const proposalIn = (body: string): Proposal => (JSON.parse(body) as { proposal: Proposal }).proposal;
const isIngest = (request: IncomingMessage): boolean => request.url === '/aspects?action=ingestProposal';

describe('load', () => {
  it('sends every record once, those of one urn in the order of the file, and exits with 0', async () => {
    const arrived: Proposal[] = [];
    const underWay = new Set<string>();
    const protocols = new Set<unknown>();
    let doubled = 0;
    catalog.reply = (request, body) => {
      if (!isIngest(request)) return { status: 200 };
      const proposal = proposalIn(body);
      protocols.add(request.headers['x-restli-protocol-version']);
      if (underWay.has(proposal.entityUrn)) doubled++;
      underWay.add(proposal.entityUrn);
      return new Promise((resolve) => {
        setImmediate(() => {
          underWay.delete(proposal.entityUrn);
          arrived.push(proposal);
          resolve({ status: 200 });
        });
      });
    };
    const records = Array.from({ length: 300 }, (_, at) => record(`urn:${String(at % 7)}`, 'status', { at }));
    const path = await catalog.file('many.json', JSON.stringify(records, null, 2));

    const { exit, out } = await catalog.run(['load', path, '--concurrency', '5']);

    expect(exit).toBe(0);
    expect(out).toMatch(/^records +300\nsent +300\nwritten +300\nrefused +0\n/);
    expect(arrived).toHaveLength(300);
    expect(doubled).toBe(0);
    expect([...protocols]).toEqual(['2.0.0']);
    for (let urn = 0; urn < 7; urn++) {
      const order = arrived
        .filter(({ entityUrn }) => entityUrn === `urn:${String(urn)}`)
        .map(({ aspect }) => (JSON.parse(aspect.value) as { at: number }).at);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
    expect(await readdir(catalog.folder)).toEqual(['many.json']);
  });

  it('keeps what was refused, with reasons, counts by reason and exits with 1', async () => {
    catalog.reply = (request, body) => {
      if (request.url === '/entities?action=ingest') return refusal(422, 'no such snapshot');
      return isIngest(request) && proposalIn(body).aspectName === 'datasetProfile'
        ? refusal(422, `${proposalIn(body).entityUrn}: timeseries aspects come later`)
        : { status: 200 };
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
    expect(out).toMatch(/^records +5\nsent +4\nwritten +1\nrefused +4\n/);
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

  it('leaves no refusals of an earlier load behind, but touches nothing that somebody named', async () => {
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

  it('does not overwrite its own input, by whatever name', async () => {
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

  it('shows nothing that a terminal obeys, whatever the catalog quotes', async () => {
    catalog.reply = (request) =>
      isIngest(request) ? refusal(422, 'bad \u001b[2J\nname \u202e') : { status: 200 };
    const path = await catalog.file('bad.json', JSON.stringify([record('urn:a', 'sta\u009btus')]));
    const { out } = await catalog.run(['load', path]);
    expect(out).toContain('  1  sta\ufffdtus: bad \ufffd[2J name \ufffd\n');
  });

  it('tries again while the catalog is busy, and a later record of the urn waits for it', async () => {
    const statuses = [503, 429, 502, 200, 200];
    const arrived: string[] = [];
    catalog.reply = (request, body) => {
      if (!isIngest(request)) return { status: 200 };
      arrived.push(proposalIn(body).aspectName);
      return refusal(statuses[arrived.length - 1] ?? 500, 'busy');
    };
    const { exit } = await catalog.run(['load', '-'], {
      stdin: input([record('u', 'first'), record('u', 'second')]),
    });
    expect(exit).toBe(0);
    expect(arrived).toEqual(['first', 'first', 'first', 'first', 'second']);
  });

  it('gives up when the catalog stays away, and says up to where the file is in', async () => {
    catalog.reply = (request, body) =>
      isIngest(request) && proposalIn(body).aspectName === 'third'
        ? refusal(503, 'draining')
        : { status: 200 };
    const records = ['first', 'second', 'third', 'fourth'].map((name) => record('u', name));
    const path = await catalog.file('part.json', JSON.stringify(records));

    const { exit, out, err } = await catalog.run(['load', path, '--retries', '1']);

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
    catalog.reply = (request) => (isIngest(request) ? refusal(401, 'unknown token') : { status: 200 });
    const { exit, err } = await catalog.run(['load', '-', '--token', 'x'], {
      stdin: input([record('u', 'status')]),
    });
    expect(exit).toBe(1);
    expect(err).toContain('wants a token (unknown token): give one with --token');
  });

  it('stops cleanly at Ctrl-C, even when its input does not go on', async () => {
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

  it('says what is wrong with a broken file after sending what stands before', async () => {
    const path = await catalog.file('broken.json', `[${JSON.stringify(record('u', 'status'))},,]`);
    const { exit, out, err } = await catalog.run(['load', path]);
    expect(exit).toBe(1);
    expect(out).toMatch(/written +1\n/);
    expect(err).toContain('cannot read on: a value is missing beside a comma after element 1');
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
      return waitedFor.length === 1 ? refusal(503, 'behind') : { status: 200 };
    };
    const { exit, out } = await catalog.run(['load', '-', '--wait'], {
      stdin: input([record('u', 'a'), record('u', 'b'), record('u', 'c')]),
    });
    expect(exit).toBe(0);
    expect(out).toMatch(/searchable\n$/);
    expect(waitedFor).toEqual(['00000000.1.0:2,1:3', '00000000.1.0:2,1:3']);
  });
});

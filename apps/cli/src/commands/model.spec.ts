import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog } from '../testing/scripted-catalog';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});

afterEach(async () => {
  await catalog.stop();
});

describe('model show', () => {
  it('counts entities, aspects and types, and lists the entities', async () => {
    const { exit, out } = await catalog.run(['model', 'show']);

    expect(exit).toBe(0);
    expect(out).toMatch(/^\d+ +entities +\d+ core, \d+ internal, \d+ without category\n/);
    expect(out).toMatch(/^\d+ +aspects +\d+ keys, \d+ timeseries$/m);
    expect(out).toMatch(/^\d+ +types +\d+ records, \d+ enums, \d+ typerefs, \d+ fixed$/m);
    expect(out).toMatch(/^dataset +\d+ +A collection of data/m);
  });

  it('shows the urn and the aspects of an entity, whatever its capitals', async () => {
    const { out } = await catalog.run(['model', 'show', 'DataSet']);

    expect(out).toContain('\nurn:li:dataset:(platform,name,origin)\n');
    expect(out).toMatch(/^datasetKey +key /m);
    expect(out).toMatch(/^datasetProfile +timeseries /m);
  });

  it('shows the fields, search names and relationships of an aspect', async () => {
    const { out } = await catalog.run(['model', 'show', 'ownership']);

    expect(out).toMatch(/^ownership: aspect, versioned, com\.linkedin\.common\.Ownership$/m);
    expect(out).toMatch(/^owners +array\[Owner\] /m);
    expect(out).toMatch(/^lastModified +optional AuditStamp /m);
    expect(out).toMatch(/^owners +URN +\/owners\/\*\/owner$/m);
    expect(out).toMatch(/^OwnedBy +corpuser, corpGroup +\/owners\/\*\/owner$/m);
  });

  it('shows both when a name is that of an entity and an aspect, and any type by the end of its name', async () => {
    const { out } = await catalog.run(['model', 'show', 'container']);
    expect(out).toContain('container: entity, core\n');
    expect(out).toContain('container: aspect, versioned, com.linkedin.container.Container\n');

    expect((await catalog.run(['model', 'show', 'FabricType'])).out).toMatch(/^PROD +Production\.$/m);
  });

  it('says so when there is no such name', async () => {
    expect(await catalog.run(['model', 'show', 'nix'])).toEqual({
      exit: 1,
      out: '',
      err: 'the model has no entity, aspect or type nix; "model show" lists the entities\n',
    });
  });

  it('reads the folders in STRATALOG_MODELS as well, and names the place of a fault', async () => {
    const folder = join(catalog.folder, 'mine');
    mkdirSync(folder);
    await catalog.file(
      'mine/Mood.pdl',
      'namespace a /** How it feels. */ @Aspect = {"name": "mood"} record Mood {}',
    );
    const own = { env: { STRATALOG_MODELS: folder } };
    expect((await catalog.run(['model', 'show', 'mood'], own)).out).toContain(
      'mood: aspect, versioned, a.Mood\n',
    );

    const file = await catalog.file('mine/Mood.pdl', 'namespace a record Mood { x: Nix }');
    const { exit, err } = await catalog.run(['model', 'show'], own);
    expect([exit, err]).toEqual([2, `${file}:1:30: expected a type, but nothing declares a.Nix\n`]);
  });
});

describe('model lines', () => {
  it('prints a line for each entity, aspect and type', async () => {
    const { exit, out } = await catalog.run(['model', 'lines']);
    const lines = out.trimEnd().split('\n');

    expect(exit).toBe(0);
    expect(lines).toContain('aspect tagProperties versioned tag.TagProperties');
    expect(lines.filter((line) => line.startsWith('entity tag '))).toEqual([
      'entity tag core tagKey deprecation ownership status tagProperties testResults',
    ]);
    expect(lines.filter((line) => line.startsWith('record tag.TagProperties#'))).toHaveLength(1);
  });
});

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog } from '../../testing/scripted-catalog';

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
    expect(out).toContain('container: entity, core, searchGroup primary, viewUnrestricted\n');
    expect(out).toContain('container: aspect, versioned, com.linkedin.container.Container\n');

    expect((await catalog.run(['model', 'show', 'FabricType'])).out).toMatch(/^PROD +Production\.$/m);
  });

  it('prints the same as JSON', async () => {
    const all = await catalog.run(['model', 'show', '--json']);
    const { entities, aspects, types } = JSON.parse(all.out) as Record<string, readonly unknown[]>;
    expect(entities).toContainEqual(
      expect.objectContaining({ kind: 'entity', name: 'tag', keyAspect: 'tagKey', category: 'core' }),
    );
    expect(aspects).toContain('ownership');
    expect(types).toContainEqual({ kind: 'enum', name: 'com.linkedin.common.FabricType' });

    const both = await catalog.run(['model', 'show', 'container', '--json']);
    expect(JSON.parse(both.out)).toEqual([
      expect.objectContaining({ kind: 'entity', name: 'container' }),
      expect.objectContaining({ kind: 'aspect', name: 'container', isTimeseries: false, isKey: false }),
    ]);
    const [ownership] = JSON.parse((await catalog.run(['model', 'show', 'ownership', '--json'])).out) as [
      Record<string, readonly unknown[]>,
    ];
    expect(ownership.fields).toContainEqual(
      expect.objectContaining({ name: 'owners', type: 'array[com.linkedin.common.Owner]', required: true }),
    );
    expect(ownership.searchFields).toContainEqual(
      expect.objectContaining({ name: 'owners', type: 'URN', path: '/owners/*/owner' }),
    );
    expect(ownership.relationships).toContainEqual({
      name: 'OwnedBy',
      entityTypes: ['corpuser', 'corpGroup'],
      path: '/owners/*/owner',
    });
    const [fabric] = JSON.parse((await catalog.run(['model', 'show', 'FabricType', '--json'])).out) as [
      Record<string, readonly unknown[]>,
    ];
    expect(fabric).toMatchObject({ kind: 'enum', name: 'com.linkedin.common.FabricType' });
    expect(fabric.symbols).toContainEqual({ name: 'PROD', doc: 'Production.' });
    expect((await catalog.run(['model', 'show', 'nix', '--json'])).exit).toBe(1);
  });

  it('says so when there is no such name', async () => {
    expect(await catalog.run(['model', 'show', 'nix'])).toEqual({
      exit: 1,
      out: '',
      err: 'the model has no entity, aspect or type nix; "model show" lists the entities\n',
    });
    expect((await catalog.run(['model', 'show', 'datset'])).err).toContain(
      'type datset (did you mean dataset?);',
    );
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
      'entity tag core,primary tagKey deprecation ownership status tagProperties testResults',
    ]);
    expect(lines.filter((line) => line.startsWith('record tag.TagProperties#'))).toHaveLength(1);
    expect(JSON.parse((await catalog.run(['model', 'lines', '--json'])).out)).toEqual(lines);
  });
});

describe('model check', () => {
  const modelIn = async (name: string, record: string): Promise<string> => {
    mkdirSync(join(catalog.folder, name));
    await catalog.file(`${name}/K.pdl`, '@Aspect = {"name": "thingKey"} record K { id: string }');
    await catalog.file(`${name}/I.pdl`, `@Aspect = {"name": "thingInfo"} record I { ${record} }`);
    await catalog.file(
      `${name}/entity-registry.yml`,
      'entities: [{name: thing, keyAspect: thingKey, aspects: [thingInfo]}]',
    );
    return join(catalog.folder, name);
  };

  it('lists the changes, breaking ones first, and sets its exit code', async () => {
    const old = await modelIn('old', 'a: string, b: int');
    const next = await modelIn('next', 'c: optional string, b: string');

    expect(await catalog.run(['model', 'check', old, next])).toEqual({
      exit: 1,
      out: [
        'breaking    I.a  removed',
        'breaking    I.b  type int became string',
        'compatible  I.c  added',
        '2 breaking, 1 compatible',
        '',
      ].join('\n'),
      err: '',
    });
    const { exit, out } = await catalog.run(['model', 'check', old, next, '--json']);
    expect([exit, JSON.parse(out)]).toEqual([
      1,
      {
        breaking: 2,
        compatible: 1,
        changes: [
          { isBreaking: true, place: 'I.a', what: 'removed' },
          { isBreaking: true, place: 'I.b', what: 'type int became string' },
          { isBreaking: false, place: 'I.c', what: 'added' },
        ],
      },
    ]);
    expect((await catalog.run(['model', 'check', old, old])).exit).toBe(0);
  });

  it('reads folders that extend the built-in model after it', async () => {
    const [old, next] = [join(catalog.folder, 'a'), join(catalog.folder, 'b')];
    for (const folder of [old, next]) mkdirSync(folder);
    const registry = 'entities: [{name: dataset, aspects: [mood]}]';
    for (const [folder, type] of Object.entries({ a: 'int', b: 'long' })) {
      await catalog.file(`${folder}/entity-registry.yml`, registry);
      await catalog.file(`${folder}/M.pdl`, `@Aspect = {"name": "mood"} record M { at: ${type} }`);
    }
    const { exit, out } = await catalog.run(['model', 'check', '--extension', old, next]);
    expect([exit, out]).toEqual([0, 'compatible  M.at  type int became long\n0 breaking, 1 compatible\n']);
  });
});

describe('model check without folders', () => {
  it('lists definitions without effect, and unknown ones', async () => {
    const shipped = await catalog.run(['model', 'check']);
    expect(shipped.exit).toBe(0);
    expect(shipped.out).toMatch(/^.*@Searchable: the option searchTier has no effect here/m);
    expect(shipped.out).toMatch(/\n0 not understood, [1-9]\d* without effect here\n$/);

    await catalog.file('entity-registry.yml', 'entities: [{name: dataset, aspects: [mood]}]');
    await catalog.file('M.pdl', '@Aspect = {"name": "mood", "huh": 1} record M { at: int }');
    const own = await catalog.run(['model', 'check'], { env: { STRATALOG_MODELS: catalog.folder } });
    expect(own.exit).toBe(1);
    expect(own.out).toContain('huh');
    expect(own.out).toMatch(/\n1 not understood, \d+ without effect here\n$/);
    const { out } = await catalog.run(['model', 'check', '--json'], {
      env: { STRATALOG_MODELS: catalog.folder },
    });
    const { notUnderstood, withoutEffect } = JSON.parse(out) as Record<string, readonly string[]>;
    expect(notUnderstood).toEqual([expect.stringContaining('huh')]);
    expect(withoutEffect).toContainEqual(expect.stringContaining('the option searchTier has no effect here'));
  });

  it('requires both folders, or none', async () => {
    expect(await catalog.run(['model', 'check', 'old'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("'new'"),
    });
  });
});

describe('model load', () => {
  it('reports which definitions of a foreign tree it loads, ignores and leaves out', async () => {
    mkdirSync(join(catalog.folder, 'tree/src/pegasus'), { recursive: true });
    mkdirSync(join(catalog.folder, 'tree/src/resources'));
    await catalog.file(
      'tree/src/resources/entity-registry.yml',
      `id: theirs
entities:
  - {name: thing, doc: A thing., category: core, keyAspect: thingKey, aspects: [thingInfo], searchGroup: primary}
events: [{name: happened}]
plugins: {aspectPayloadValidators: [{className: a.B, packageScan: [a]}]}`,
    );
    await catalog.file(
      'tree/src/pegasus/K.pdl',
      'namespace a @Aspect = {"name": "thingKey",} record K { id: string, }',
    );
    await catalog.file(
      'tree/src/pegasus/I.pdl',
      `namespace a
@Aspect = {"name": "thingInfo"} @java.class = "x.Y" @compliance = "NONE"
record I { @deprecated = "no" @validate.strlen = {"max": 3}, @Searchable = {"shiny": true} a: optional string,, b: enum E { X } }`,
    );
    await catalog.file('tree/src/pegasus/Bad.pdl', 'namespace a record Bad { x: }');
    await catalog.file('tree/src/pegasus/Needs.pdl', 'namespace a record Needs { bad: Bad }');
    const { exit, out } = await catalog.run(['model', 'load', join(catalog.folder, 'tree')]);

    expect(exit).toBe(1);
    expect(out).toMatch(
      /^PDL files +4\nregistry file +\S+entity-registry\.yml\nentities +1\naspects +2\ntypes +3$/m,
    );
    expect(out).toMatch(/^events, passed over +1\nplug-in classes, passed over +1$/m);
    expect(out).toMatch(
      /without effect here: 1\n +\S+entity-registry\.yml:5:\d+: the classes under aspectPayloadValidators are not run/,
    );
    expect(out).toMatch(
      /not understood, and left out: 2\n +\S+Bad\.pdl:1:\d+: .*\n +\S+Needs\.pdl:1:\d+: .*a\.Bad/,
    );
    expect(out).toMatch(
      /not known, and ignored: 1\n +\S+I\.pdl:3:\d+: @Searchable: the option shiny is not known/,
    );
    const json = await catalog.run(['model', 'load', join(catalog.folder, 'tree'), '--json']);
    expect([json.exit, JSON.parse(json.out)]).toEqual([
      1,
      {
        pdlFiles: 4,
        registryFile: expect.stringMatching(/entity-registry\.yml$/),
        entities: 1,
        aspects: 2,
        types: 3,
        searchFields: expect.any(Number),
        relationships: 0,
        events: 1,
        plugins: 1,
        tookMs: expect.any(Number),
        notUnderstood: [expect.stringContaining('Bad.pdl'), expect.stringContaining('Needs.pdl')],
        notKnown: [expect.stringContaining('shiny')],
        withoutEffect: [expect.stringContaining('aspectPayloadValidators')],
      },
    ]);
  });

  it('loads all of the built-in model', async () => {
    const { exit, out } = await catalog.run([
      'model',
      'load',
      join(import.meta.dirname, '../../../../../models'),
    ]);
    expect([exit, out.includes('not understood')]).toEqual([0, false]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadModel, formatModelLines, surveyModel, type EntityRegistry } from '@stratalog/registry';
import { writeForeignTree, type ForeignTree } from '../../testing/foreign-tree';

const MODELS = join(import.meta.dirname, '../../../../../models');
const PROGRAM = join(import.meta.dirname, '../../../../../tools/bootstrap/cli.mjs');
const FILES = 700;
const LIMIT_MS = limitMs(3_000);
/** Other suites run at the same time, so the fastest of these runs counts. */
const RUNS = 3;

describe('a tree of the layout of the reference project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stratalog-foreign-'));
  let tree: ForeignTree;
  let shipped: EntityRegistry;
  beforeAll(async () => {
    tree = writeForeignTree(MODELS, folder);
    shipped = await loadModel({ folders: [MODELS] });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is large, with types inside types', () => {
    expect(tree.pdlFiles).toBeGreaterThanOrEqual(FILES);
    expect(tree.inlineTypes).toBeGreaterThan(20);
  });

  it('loads as the model that it was made from', async () => {
    const { faults, registry } = await surveyModel(folder);
    expect(faults).toEqual([]);
    expect(toLines(registry)).toEqual(toLines(shipped));
  });

  it('is read and reported by the program in time', () => {
    let stdout = report();
    const figure = (name: string): string | undefined => new RegExp(`^${name} +(.+)$`, 'm').exec(stdout)?.[1];
    expect(figure('PDL files')).toBe(String(tree.pdlFiles));
    expect(figure('registry file')).toBe(
      join(folder, 'metadata-models/src/main/resources/entity-registry.yml'),
    );
    expect(figure('entities')).toBe(String(shipped.entityTypes.length));
    expect(figure('aspects')).toBe(String(shipped.aspects.length));
    expect(figure('types')).toBe(String(shipped.types.length));
    expect(figure('events, passed over')).toBe('2');
    expect(figure('plug-in classes, passed over')).toBe('2');
    expect(stdout).toContain('the classes under mutationHooks are not run');
    expect(stdout).not.toContain('not understood');
    const tookMs = (): number => parseInt(figure('time') ?? '', 10);
    for (let run = 1; run < RUNS && tookMs() >= LIMIT_MS; run++) stdout = report();
    expect(tookMs()).toBeLessThan(LIMIT_MS);
  });

  const report = (): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'model', 'load', folder], {
      encoding: 'utf8',
    });
    expect({ status, stderr: stderr.replace(/^stratalog: .*\n/gm, '') }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
});

/** Omits the digests of annotations: the tree has more annotations. */
function toLines(registry: EntityRegistry | undefined): readonly string[] {
  return registry === undefined
    ? []
    : formatModelLines(registry).map((line) => line.replace(/#[0-9a-f]{8}/g, ''));
}

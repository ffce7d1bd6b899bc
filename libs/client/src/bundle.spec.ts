import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../../..');
/** A page loads the client before it shows anything. **Units**: bytes, not compressed. */
const MAX_BYTES = 16_000;

describe('the bundle of the client for a browser', () => {
  it('is small, and has no code of the server', async () => {
    // Fails at an import of Node.
    const { metafile } = await build({
      entryPoints: [join(import.meta.dirname, 'index.ts')],
      absWorkingDir: ROOT,
      tsconfig: join(ROOT, 'tsconfig.base.json'),
      platform: 'browser',
      format: 'esm',
      bundle: true,
      minify: true,
      metafile: true,
      write: false,
    });
    const [output] = Object.values(metafile.outputs);
    const files = Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput === 0 ? [] : relative(ROOT, join(ROOT, file)),
    );
    const others = files.filter(
      (file) => !/^(?:libs\/(?:client|domain|json)|node_modules\/lossless-json)\//.test(file),
    );
    expect(others).toEqual([]);
    expect(output?.bytes).toBeLessThan(MAX_BYTES);
  });
});

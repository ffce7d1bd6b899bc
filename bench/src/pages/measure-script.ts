import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** What a page loaded, in KB of 1,000 bytes; scripts and styles by gzip. */
export interface LoadedFiles {
  readonly scriptKb: number;
  readonly stylesKb: number;
  readonly fontsKb: number;
}

/** Measures the files that a page loaded, whatever encoding the catalog sent them in. */
export async function measureScript(page: Page): Promise<LoadedFiles> {
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const sizeOf = async (ending: string, measure: (content: Buffer) => number): Promise<number> => {
    const files = [...new Set(urls.filter((url) => new URL(url).pathname.endsWith(ending)))];
    const sizes = await Promise.all(
      files.map(async (url) => measure(Buffer.from(await (await fetch(url)).arrayBuffer()))),
    );
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  };
  const byGzip = (content: Buffer): number => gzipSync(content).byteLength;
  return {
    scriptKb: await sizeOf('.js', byGzip),
    stylesKb: await sizeOf('.css', byGzip),
    fontsKb: await sizeOf('.woff2', (content) => content.byteLength),
  };
}

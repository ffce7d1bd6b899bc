import assert from 'node:assert/strict';
import { splitBlocks, holds, linesHold, readPage } from '@stratalog/docs';
import { parseJson } from '@stratalog/json';
import { succeeded } from './client-session';
import type { Step } from './step';

const PAGE = 'docs/clients.md';
/** The address in the page; the catalog under test listens on a port of its own. */
const WRITTEN_URL = 'http://127.0.0.1:8080';

/** The commands of the page about clients, as its reader types them, with the output that it shows. */
export function pageSteps(): readonly Step[] {
  const blocks = splitBlocks(readPage(PAGE)).filter(({ marks }) => marks.includes('clients'));
  return blocks.flatMap((block, at) => {
    if (block.language !== 'bash') return [];
    const next = blocks[at + 1];
    const shown = next === undefined || next.language === 'bash' ? undefined : next;
    const run: Step['run'] = async (client) => {
      const { stdout } = succeeded(await client.shell(block.text.replaceAll(WRITTEN_URL, client.url)));
      if (shown === undefined) return;
      const isAsShown =
        shown.language === 'json'
          ? holds(parseJson(shown.text), parseJson(stdout.slice(stdout.indexOf('{'))))
          : linesHold(shown.text, stdout);
      if (!isAsShown) assert.equal(stdout, shown.text);
    };
    return [{ name: `${PAGE}, line ${String(block.line)}`, run }];
  });
}

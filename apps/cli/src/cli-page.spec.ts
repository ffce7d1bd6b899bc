import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog } from './testing/scripted-catalog';

const PAGE = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
/** Commands whose options have a page of their own. */
const OF_THE_MODEL = 'model';
/** Options of npm that the page shows. */
const OF_NPM = ['--global'];

describe('docs/cli.md', () => {
  let catalog: ScriptedCatalog;
  beforeAll(async () => {
    catalog = await ScriptedCatalog.start();
  });
  afterAll(async () => {
    await catalog.stop();
  });

  const helpOf = async (...command: string[]): Promise<string> =>
    (await catalog.run([...command, '--help'])).out;
  const commandsIn = (help: string): string[] =>
    [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z-]+)\b/gm)].map(([, name = '']) => name);
  const optionsIn = (help: string): string[] =>
    [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name = '']) => name);
  const commands = async (): Promise<string[]> =>
    commandsIn(await helpOf()).filter((name) => name !== 'help');

  it('names every command', async () => {
    const inModel = commandsIn(await helpOf(OF_THE_MODEL)).filter((name) => name !== 'help');
    const all = [...(await commands()), ...inModel];
    expect(all).toContain('rebuild');
    expect(all.filter((name) => !new RegExp(`\\b${name}\\b`).test(PAGE))).toEqual([]);
  });

  it('names every option, and no unknown one', async () => {
    const known = new Set(OF_NPM);
    const all = (await commands()).map((name) => [name]);
    for (const group of ['dead-letters', 'log', 'store', 'tasks', 'test', 'token']) {
      const inGroup = commandsIn(await helpOf(group)).filter((name) => name !== 'help');
      all.push(...inGroup.map((name) => [group, name]));
    }
    for (const command of all) {
      const options = optionsIn(await helpOf(...command));
      for (const option of options) known.add(option);
      const missing = options.filter((option) => !new RegExp(`${option}(?![\\w-])`).test(PAGE));
      expect([command, missing]).toEqual([command, []]);
    }
    known.add('--version');
    const named = [...PAGE.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('shows --json in the help of every command that answers', async () => {
    const leaves: string[][] = [];
    const visit = async (command: readonly string[]): Promise<void> => {
      const below = commandsIn(await helpOf(...command)).filter((name) => name !== 'help');
      if (below.length === 0) leaves.push([...command]);
      for (const name of below) await visit([...command, name]);
    };
    await visit([]);
    // A script of a shell is no answer.
    const answering = leaves.filter(([name]) => name !== 'completion');
    expect(answering.length).toBeGreaterThan(25);
    for (const command of answering)
      expect([command, optionsIn(await helpOf(...command))]).toEqual([
        command,
        expect.arrayContaining(['--json']),
      ]);
  });
});

import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog } from '../../testing/scripted-catalog';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});
afterEach(async () => {
  await catalog.stop();
});

const scriptFor = async (shell: string): Promise<string> => (await catalog.run(['completion', shell])).out;

describe('completion', () => {
  it('in bash offers the words that may follow', async () => {
    const script = await scriptFor('bash');
    const offered = (...words: string[]): string[] => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const ask = `COMP_WORDS=(stratalog ${typed}); COMP_CWORD=${String(words.length)}; _stratalog; echo "\${COMPREPLY[@]}"`;
      const said = execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
      return said.trim().split(' ');
    };
    expect(offered('ti')).toEqual(['timeline']);
    expect(offered('he')).toEqual(['']);
    expect(offered('model', '')).toEqual(['show', 'check', 'load', 'lines', '--help']);
    expect(offered('model', 'check', '--')).toEqual(['--extension', '--json', '--help']);
    expect(offered('load', '--json', '--con')).toEqual(['--concurrency']);
    expect(offered('load', 'model', '--con')).toEqual(['--concurrency']);
    expect(offered('load', 'some-f')).toEqual(['']);
  });

  it('in zsh and fish has every command with its description', async () => {
    const zsh = await scriptFor('zsh');
    expect(zsh).toMatch(/^#compdef stratalog\n/);
    expect(zsh).toContain("'exists:say whether an entity is there; exit code 1 when it is not'");
    const fish = await scriptFor('fish');
    expect(fish).toContain("-f -a history -d 'list the versions of one aspect, the newest first'");
  });

  it('for another shell is wrong usage', async () => {
    const { exit, err } = await catalog.run(['completion', 'csh']);
    expect([exit, err]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});
